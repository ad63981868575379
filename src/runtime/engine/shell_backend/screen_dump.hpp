#pragma once
// The meaning of the answer of Android's own uiautomator (android/shell_lines has the command). Its
// exit status means nothing, and it prints "dumped" for a file that it could not write, too: only a
// document up to its closing tag counts. Pure.

#include "base/prelude.hpp"

namespace clawperator {

enum class DumpOutcome : std::uint8_t {
  whole,
  busy,       // the screen was not still for a second within ten
  no_window,  // between two windows there is none
  occupied,   // Android lets one such program at a time read the screen
  unwritten,  // the file is missing or has no end
  failed,
};

struct ScreenDump {
  DumpOutcome outcome = DumpOutcome::failed;
  std::string xml;       // of `whole`
  std::string said;      // what uiautomator printed in place of it, one line
  std::string behind{};  // behind the document: what the phone prints about its screen
};

ScreenDump read_screen_dump(std::string_view out, std::string_view err);

// Whether another try may help at once.
bool is_worth_a_retry(DumpOutcome outcome);

// Why there is no tree, for people.
std::string why_no_tree(const ScreenDump& dump);

}  // namespace clawperator
