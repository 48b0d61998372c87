"""The words of `copilot explain`."""

from collections.abc import Mapping

from copilot.model.text import Text

LABELS: Mapping[str, Text] = {
    "meaning": Text(en="Meaning:    ", zh="含义：　　"),
    "status": Text(en="Here:       ", zh="当前版本："),
    "versions": Text(en="Versions:   ", zh="版本范围："),
    "type": Text(en="Takes:      ", zh="取值类型："),
    "default": Text(en="Default:    ", zh="默认值：　"),
    "defaults": Text(en="Changed:    ", zh="默认变化："),
    "choices": Text(en="Values:     ", zh="可选值：　"),
    "successor": Text(en="Instead:    ", zh="替代：　　"),
    "note": Text(en="Note:       ", zh="说明：　　"),
    "same_path": Text(en="Same path:  ", zh="同一路径："),
}
STATUS: Mapping[str, Text] = {
    "ok": Text(en="version {version} has it", zh="{version} 版本支持"),
    "removed": Text(
        en="version {version} no longer has it; the last was {until}", zh="{version} 版本已移除，最后支持的是 {until}"
    ),
    "not_yet": Text(
        en="version {version} does not have it yet; it came with {since}", zh="{version} 版本尚无，{since} 才加入"
    ),
    "ignored": Text(en="version {version} accepts it and does nothing with it", zh="{version} 版本接受但不起作用"),
    "ambiguous": Text(en="version {version} cannot tell which option is meant", zh="{version} 版本无法判断指哪个选项"),
    "unknown": Text(en="no version has it", zh="任何版本都没有"),
}
