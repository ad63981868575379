#include "runtime/engine/shell_backend/screen_dump.hpp"

#include <algorithm>

#include "base/text.hpp"

namespace clawperator {
namespace {

constexpr std::string_view kClosingTag = "</hierarchy>";
constexpr std::size_t kMaxSaid = 300;  // a line of uiautomator, as an error's text

struct Sign {
  std::string_view text;
  DumpOutcome outcome;
};

// The first sign that is found decides. A program that threw is killed, so its exception comes
// first.
constexpr Sign kSigns[] = {
    {"could not get idle state", DumpOutcome::busy},
    {"null root node", DumpOutcome::no_window},
    {"already registered", DumpOutcome::occupied},
    {"not found", DumpOutcome::failed},
    {"Killed", DumpOutcome::occupied},
    {"dumped to:", DumpOutcome::unwritten},  // "hierchary" as Android has it, "hierarchy" elsewhere
};

// The complete document, empty where there is none; and the text around it.
struct Parts {
  std::string_view xml;
  std::string_view before;
  bool begun = false;
  std::string_view behind{};
};

Parts parts_of(std::string_view out) {
  const std::size_t begin = std::min(out.find("<?xml"), out.find("<hierarchy"));
  if (begin == out.npos) return {{}, out, false};
  const std::size_t end = out.rfind(kClosingTag);
  if (end == out.npos || end < begin) return {{}, out.substr(0, begin), true};
  const std::size_t behind = end + kClosingTag.size();
  return {out.substr(begin, behind - begin), out.substr(0, begin), true, out.substr(behind)};
}

// The line for people: the one with the sign, else the first one.
std::string line_of(std::string_view text, std::string_view sign) {
  const std::string_view first = trimmed(text);
  std::string_view rest = first;
  while (!rest.empty()) {
    const std::string_view line = take_line(&rest);
    if (line.find(sign) != line.npos) return std::string(trimmed(line).substr(0, kMaxSaid));
  }
  return std::string(trimmed(first_line(first, kMaxSaid)));
}

}  // namespace

ScreenDump read_screen_dump(std::string_view out, std::string_view err) {
  const Parts parts = parts_of(out);
  if (!parts.xml.empty()) {
    return {DumpOutcome::whole, std::string(parts.xml), {}, std::string(parts.behind)};
  }
  const std::string said = std::string(err) + "\n" + std::string(parts.before);
  for (const Sign& sign : kSigns) {
    if (said.find(sign.text) != said.npos) return {sign.outcome, {}, line_of(said, sign.text)};
  }
  return {parts.begun ? DumpOutcome::unwritten : DumpOutcome::failed, {}, line_of(said, "ERROR")};
}

bool is_worth_a_retry(DumpOutcome outcome) {
  return outcome == DumpOutcome::busy || outcome == DumpOutcome::no_window;
}

std::string why_no_tree(const ScreenDump& dump) {
  const std::string said = dump.said.empty() ? "it printed nothing" : dump.said;
  switch (dump.outcome) {
    case DumpOutcome::whole: return {};
    case DumpOutcome::busy:
      return "the screen never became idle: something on it moves all the time (a video, an "
             "animation), and Android's uiautomator waits until it stops; take a screenshot, or go "
             "on by coordinates";
    case DumpOutcome::no_window:
      return "Android's uiautomator found no window on the screen; it may be off, or between two "
             "windows";
    case DumpOutcome::occupied:
      return "Android's uiautomator was refused, most likely because another program that looks "
             "at the screen (Appium, Maestro, a test) is connected: " +
             said;
    case DumpOutcome::unwritten:
      return "Android's uiautomator wrote no whole tree to /data/local/tmp: " + said;
    case DumpOutcome::failed: break;
  }
  return "Android's uiautomator gave no tree: " + said;
}

}  // namespace clawperator
