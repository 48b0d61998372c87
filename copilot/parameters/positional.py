"""A model given without `--model` to an image that does not read it.

Images up to 0.11.0 start the API server's module: up to 0.9.2 it refuses the word, from 0.10.0 to 0.11.0 it accepts
and ignores it, and serves its default model.
"""

from collections.abc import Sequence

from copilot.model.evidence import Setting
from copilot.model.finding import Finding, LineRef, Proposal
from copilot.model.text import Text
from copilot.parameters.images import image_facts
from copilot.parameters.registry import registry

_OFFICIAL = "vllm/vllm-openai"


def positional_model(settings: Sequence[Setting], version: str | None) -> Finding | None:
    """The finding, where the official image of an older release is given its model as a bare word."""
    model = next((s for s in settings if _bare(s)), None)
    facts = image_facts("vllm", version)
    if model is None or facts is None or not _official(settings):
        return None
    if facts.positional_model == "error":
        title = Text(en="This image takes the model only with --model", zh="该镜像只接受用 --model 指定模型")
        cause = Text(
            en=f"The image of vLLM {version} starts the API server's module, which refuses the word {model.value}.",
            zh=f"vLLM {version} 的镜像直接启动 API 服务模块，不接受单独写出的 {model.value}。",
        )
        return _finding(model, title, cause, blocking=True)
    if facts.positional_model == "ignored":
        served = registry().default("--model", "vllm", version)
        title = Text(en="This image ignores a model without --model", zh="该镜像会忽略没有 --model 的模型")
        cause = Text(
            en=f"The image of vLLM {version} accepts the bare word {model.value} and serves its default, {served}.",
            zh=f"vLLM {version} 的镜像接受单独写出的 {model.value}，却加载默认模型 {served}。",
        )
        return _finding(model, title, cause, blocking=False)
    return None


def _bare(setting: Setting) -> bool:
    """Only where the words are what the image is given: a typed `vllm serve X` is another program."""
    positional = setting.parameter == "--model" and bool(setting.spelled) and not setting.spelled.startswith("-")
    return positional and setting.source in ("compose", "command")


def _official(settings: Sequence[Setting]) -> bool:
    images = [s.value or "" for s in settings if s.parameter == "docker:image"]
    commands = [s.value or "" for s in settings if s.parameter == "docker:command"]
    other = any(s.parameter == "docker:entrypoint" for s in settings) or any("serve" in c.split() for c in commands)
    return not other and any(_OFFICIAL in image for image in images)


def _finding(model: Setting, title: Text, cause: Text, *, blocking: bool) -> Finding:
    return Finding(
        id="setting:positional-model",
        origin="setting",
        category="config",
        topic="model",
        parameters=("--model",),
        confidence="high",
        blocking=blocking,
        phase="config",
        title=title,
        cause=cause,
        lines=_lines(model, cause),
        proposals=(_name_it(model),),
    )


def _lines(model: Setting, cause: Text) -> tuple[LineRef, ...]:
    if not model.line:
        return ()
    line = LineRef(
        source=model.source,
        line=model.line,
        text=model.spelled,
        role="cause",
        parameter="--model",
        topic="model",
        why=cause,
        file=model.file,
    )
    return (line,)


def _name_it(model: Setting) -> Proposal:
    return Proposal(
        parameter="--model",
        to=model.value,
        why=Text(en="Written with --model, the word is read.", zh="写成 --model 后才会被读取。"),
        if_right=Text(en="The server loads the model that was meant.", zh="服务会加载想要的模型。"),
        if_wrong=Text(
            en="Another model is still loaded, or the same error comes.", zh="仍加载别的模型，或出现同样错误。"
        ),
    )
