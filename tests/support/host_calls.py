"""What real hosts send for what a model says (tests/contract/mcp/hosts.json), and what two equal answers have in
common."""
import json
import pathlib

SENT = json.loads((pathlib.Path(__file__).resolve().parent.parent / "contract/mcp/hosts.json").read_text())
VARYING = {"commandId", "taskId"}


def plain_text(text):
    first, *lines = text.split("\n")
    try:
        verdict = json.loads(first)
    except ValueError:
        return text
    return [{name: value for name, value in verdict.items() if name not in VARYING}, lines]


def plain(result):
    """Of a tool's result: without what differs between two calls that are the same."""
    return result.get("isError", False), [plain_text(block["text"]) if block["type"] == "text" else block
                                          for block in result["content"]]
