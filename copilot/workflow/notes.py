"""Remarks for `missing`: what would make the answer surer, and the command that gets it."""

from copilot.engines import EngineFacts
from copilot.model.evidence import Evidence
from copilot.model.text import Text
from copilot.parameters import pinning_notes

GPU_QUERY = "nvidia-smi --query-gpu=index,name,memory.total,memory.used,memory.free --format=csv"
NO_LOG = Text(
    en="There is no log: `docker logs NAME > server.log 2>&1` saves one.",
    zh="没有日志：用 `docker logs 容器名 > server.log 2>&1` 保存一份。",
)
EARLIER = Text(
    en="The log begins in the middle: `docker logs NAME > server.log 2>&1` saves all of it; "
    "the server's own traceback alone takes the last 60 lines, and the cause stands above.",
    zh="日志从中间开始：用 `docker logs 容器名 > server.log 2>&1` 保存完整日志；"
    "仅服务器自身的回溯就占最后 60 行，原因在其上方。",
)
NO_VERSION = Text(
    en="The version is unknown: `docker exec NAME vllm --version`, or the log's first lines, tell it; "
    "without it every advice that depends on the version is a range.",
    zh="版本未知：`docker exec 容器名 vllm --version` 或日志开头几行可以看到；"
    "不知道版本，所有与版本有关的建议都只能给出范围。",
)
NO_GPU = Text(en=f"No GPU numbers: `{GPU_QUERY}`.", zh=f"没有显卡数据：`{GPU_QUERY}`。")


def notes(evidence: Evidence, engine: EngineFacts, *, late: bool = False) -> tuple[Text, ...]:
    """What is missing from this evidence."""
    service = evidence.service
    found: list[Text] = []
    if not evidence.log:
        found.append(NO_LOG)
    if late:
        found.append(EARLIER)
    if engine.version is None and engine.name == "vllm":
        found.append(NO_VERSION)
    if evidence.gpu is None and service.settings:
        found.append(NO_GPU)
    return (*found, *pinning_notes(service.image or evidence.image, service.settings))
