"""The finding that a start did not have what the file says: the container must be created anew."""

from copilot.model.answer import Change
from copilot.model.finding import Finding, Proposal
from copilot.model.text import Text

_WHY = Text(
    en="A start without the change says nothing about the change.",
    zh="没有带上这个改动的启动，对这个改动什么也说明不了。",
)
_RIGHT = Text(en="The next log shows what the change does.", zh="下一份日志会显示这个改动的作用。")
_WRONG = Text(
    en="It is still missing: another file, service or `.env` decides the value.",
    zh="仍然没有：决定这个值的是另一个文件、服务或 `.env`。",
)


def stale(change: Change, running: str | None, boot: int) -> Finding:
    """The file has a value that the container has not."""
    return _finding(
        f"comparison:stale:{change.parameter}",
        change,
        (
            Text(
                en=f"The container still runs with the old {change.parameter}",
                zh=f"容器仍在使用旧的 {change.parameter}",
            ),
            Text(
                en=f"The file says {change.to}, the container has {running or 'none'}: `docker compose restart` does "
                "not take a changed file, `docker compose up -d` does.",
                zh=f"文件里是 {change.to}，容器里是 {running or '空'}：`docker compose restart` 不会采用改过的文件，"
                "`docker compose up -d` 才会。",
            ),
        ),
    ).model_copy(update={"boot": boot, "blocking": False})


def not_in_effect(change: Change) -> Finding:
    """The retest ran without the change it was to test."""
    value = _value(change)
    return _finding(
        f"comparison:not-in-effect:{change.parameter}",
        change,
        (
            Text(en="You retested the old setting", zh="重试时用的还是旧设置"),
            Text(
                en=f"The start that was just read ran without {change.parameter}{value}.",
                zh=f"刚读到的这次启动并没有使用 {change.parameter}{value}。",
            ),
        ),
    )


def _value(change: Change) -> str:
    """`=1`, or nothing for a setting that was to go."""
    return "" if change.to is None else f"={change.to}"


def _finding(name: str, change: Change, words: tuple[Text, Text]) -> Finding:
    """A finding of the comparison whose one proposal is to create the container anew."""
    value = _value(change)
    observe = Text(
        en=f"Create the container anew (`docker compose up -d`, not `restart`) and see that it has "
        f"{change.parameter}{value}.",
        zh=f"重新创建容器（用 `docker compose up -d`，不要用 `restart`），"
        f"并确认容器里确实有 {change.parameter}{value}。",
    )
    proposal = Proposal(
        kind="observe", parameter=change.parameter, observe=observe, why=_WHY, if_right=_RIGHT, if_wrong=_WRONG
    )
    return Finding(
        id=name,
        origin="comparison",
        category="config",
        parameters=(change.parameter,),
        confidence="high",
        title=words[0],
        cause=words[1],
        proposals=(proposal,),
    )
