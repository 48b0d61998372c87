"""The words of `copilot check`."""

from collections.abc import Mapping

from copilot.model.text import Text

LINKS: Mapping[str, Text] = {
    "client-config": Text(en="client's file", zh="客户端配置"),
    "configuration": Text(en="configuration", zh="配置"),
    "key": Text(en="key", zh="密钥"),
    "proxy": Text(en="proxy", zh="代理"),
    "name": Text(en="name", zh="域名"),
    "tcp": Text(en="connection", zh="连接"),
    "tls": Text(en="TLS", zh="TLS"),
    "path": Text(en="path", zh="路径"),
    "auth": Text(en="access", zh="鉴权"),
    "model": Text(en="model", zh="模型"),
    "completion": Text(en="one small chat", zh="一次小对话"),
    "stream": Text(en="stream", zh="流式输出"),
    "container": Text(en="container", zh="容器"),
    "port": Text(en="port", zh="端口"),
    "health": Text(en="engine", zh="引擎"),
}

WORDS: Mapping[str, Text] = {
    "skipped": Text(en="not looked at", zh="未检查"),
    "whole": Text(en="The chain is whole.", zh="整条链路正常。"),
    "change": Text(
        en="Change one thing: {parameter} to {to} (now {before})",
        zh="只改一处：{parameter} 改为 {to}（现在是 {before}）",
    ),
    "do": Text(en="Do this: {what}", zh="请这样做：{what}"),
}
