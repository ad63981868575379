#pragma once
// What can be asked of the device, one type a kind of action. A text is as its caller wrote it: the
// contract judges it when the execution is judged.

#include <variant>

#include "runtime/act/selector.hpp"
#include "runtime/ui/ui_tree.hpp"

namespace clawperator::act {

// A node by what distinguishes it from others, or a point of the screen.
using Place = std::variant<Selector, Point>;

enum class ClickKind { tap, long_press, focus };

// How often the app looks for a node before it gives up; absent: as often as it thinks fit.
using Tries = std::optional<int>;

struct Click {
  Place place{};
  ClickKind kind = ClickKind::tap;
  Tries tries{};
  bool strict = false;  // of a selector: only where one node alone fits; so below
};

struct EnterText {
  Selector field{};
  std::string text{};
  bool submit = false;
  bool clear = false;
  Tries tries{};
  bool strict = false;
  bool is_secret = false;  // nobody is to read the text
};

struct ReadText {
  Selector node;
  std::optional<Selector> container;
  bool all = false;
  Tries tries{};
  bool strict = false;
};

struct ReadValue {
  Selector label;
  bool all = false;
  Tries tries{};
};

struct WaitForNode {
  Selector node;
  std::optional<double> limit_ms;  // absent: what the device thinks fit
};

struct WaitForNavigation {
  std::optional<std::string> package;
  std::optional<Selector> node;
  double limit_ms = 0;
};

struct PressKey {
  std::string key;
};

struct OpenApp {
  std::string package;
};

struct OpenUri {
  std::string uri;
};

struct CloseApp {
  std::string package;
};

struct Sleep {
  double duration_ms = 0;
};

struct Scroll {
  std::string direction;
  std::optional<Selector> container;
};

struct ScrollUntil {
  std::string direction;
  Selector node;
  std::optional<Selector> container;
  bool click = false;  // the node, once it is there
  bool strict = false;
};

struct Snapshot {};

struct Screenshot {
  std::optional<std::string> path;
  bool with_snapshot = false;  // the tree of the same screen, in the step before
};

struct StartRecording {
  std::optional<std::string> session_id;
};

struct StopRecording {
  std::optional<std::string> session_id;
};

using Action = std::variant<Click, EnterText, ReadText, ReadValue, WaitForNode, WaitForNavigation,
                            PressKey, OpenApp, OpenUri, CloseApp, Sleep, Scroll, ScrollUntil,
                            Snapshot, Screenshot, StartRecording, StopRecording>;

}  // namespace clawperator::act
