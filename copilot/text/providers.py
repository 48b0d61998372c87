"""The words of `copilot provider` and `copilot usage`."""

from collections.abc import Mapping

from copilot.model.text import Text

WORDS: Mapping[str, Text] = {
    "usage.none": Text(en="No call was made yet.", zh="还没有任何调用。"),
    "usage.row": Text(
        en="{provider}  {model}: {calls} calls, {failed} failed, {tokens_in} tokens in, {tokens_out} out, "
        "{seconds} s{price}",
        zh="{provider}  {model}：{calls} 次调用，{failed} 次失败，输入 {tokens_in}，输出 {tokens_out} token，"
        "{seconds} 秒{price}",
    ),
    "usage.unreadable": Text(en="{count} lines of the file are not calls.", zh="文件中有 {count} 行不是调用记录。"),
    "provider.none": Text(
        en="No provider is configured. Add one: copilot provider add NAME --base-url URL",
        zh="还没有配置 provider。添加：copilot provider add NAME --base-url URL",
    ),
    "provider.key": Text(en="Key of {name} (hidden; empty for none): ", zh="{name} 的密钥（不显示；没有则留空）："),
    "provider.probed": Text(
        en="The API answers at {base}; that is what is stored.",
        zh="API 的地址是 {base}，已按此保存。",
    ),
    "provider.silent": Text(
        en="{base} does not answer now; it is stored as typed. Later: copilot check --provider {name}",
        zh="{base} 现在没有应答，按输入保存。稍后运行：copilot check --provider {name}",
    ),
    "provider.added": Text(en="{name} is in {path}.", zh="{name} 已写入 {path}。"),
    "provider.removed": Text(en="{name} is removed, and so is its key.", zh="已删除 {name} 及其密钥。"),
    "provider.default": Text(en="{name} is the default now.", zh="{name} 现在是默认 provider。"),
    "provider.use": Text(en="Use it: copilot ask --provider {name}", zh="使用：copilot ask --provider {name}"),
    "provider.models": Text(en="Models: {models}", zh="模型：{models}"),
    "key.variable": Text(en="key in {name}", zh="密钥在变量 {name} 中"),
    "key.unset": Text(en="key in {name}, which is not set", zh="密钥应在变量 {name} 中，但它没有设置"),
    "key.keyring": Text(en="key in the keyring", zh="密钥在密钥环中"),
    "key.none": Text(en="no key", zh="没有密钥"),
    "imported.key": Text(
        en="Keys are not imported. {name} reads its key from the variable {variable}.",
        zh="不导入密钥。{name} 从变量 {variable} 读取密钥。",
    ),
}
