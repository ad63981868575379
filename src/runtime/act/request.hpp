#pragma once
// What a caller wants done on a screen, and the outcome. The command line, HTTP and MCP read a
// Request and write an Outcome; they differ by the values that they set here.

#include "runtime/act/action.hpp"
#include "runtime/act/effect.hpp"
#include "runtime/act/seen.hpp"
#include "runtime/act/snapshot.hpp"
#include "runtime/act/stamp.hpp"
#include "runtime/engine/engine.hpp"
#include "runtime/ui/find.hpp"

namespace clawperator::act {

// An execution as its author wrote it: JSON text, not validated.
struct Payload {
  std::string json;
};

// How an id without a slash in an Action's selector is resolved.
enum class ShortIds : std::uint8_t {
  as_given,
  shown,  // to the id on the screen that was shown last; unchanged where that has none
  found,  // the same, else to the id on the screen as it is now, else to one of the app in front
};

// The screen after the action, in the same execution.
struct Observation {
  std::chrono::milliseconds settle{300};  // the time that it has to change
  TreeFormat format = TreeFormat::compact;
  bool as_diff = false;    // from the screen that was shown last, where that is shorter
  bool of_failure = true;  // whether the caller shows it after a failure, too
};

struct Request {
  std::variant<Action, Payload> what;
  // How its executions are run. perform() sets `execution`, `backend`, `verify` and `shown`; after
  // an execution `secrets`; and the device of `target` once it is known.
  ExecuteRequest how;
  Seen seen{};

  std::optional<Backend> backend{};    // as named by the caller; absent: backend_of
  std::optional<double> timeout_ms{};  // as of execution_of and judge_payload
  Stamp stamp = Stamp::now();          // of the first execution
  std::optional<std::string> ref{};    // HASH@n or @n: the node of the action, or of the first step
  std::optional<std::size_t> nth{};    // of the nodes that its selector fits, from 1 on
  ShortIds short_ids = ShortIds::as_given;
  std::optional<Observation> observe{};
  std::optional<Verify> verify{};
  // How long each step searches for its node that has no `retry` of its own. Absent: as the app
  // does, five times in about 7 s.
  std::optional<std::chrono::milliseconds> patience{};
  bool explains_miss = true;  // by one more look where the plan has none
  // Of a Payload in which exactly one step acts, on a node by a matcher: that step becomes strict
  // unless it has the parameter itself.
  bool one_alone = false;
  bool tree_first = false;  // a Screenshot takes the tree of the same screen, in the step `look`
  // A click or a typing is refused with APP_NOT_IN_FRONT where another app is in front than the one
  // that `seen` has in front.
  bool in_shown_app = false;
  // A wait is sent in parts of this length, because the app does nothing else while it waits.
  std::optional<std::chrono::milliseconds> part_of_wait{};
};

struct Outcome {
  // The envelope has the step `look` only where `observe` is set, and rendered as it says.
  Result<ExecuteResult> result = fail(errc::cancelled, "cancelled");
  // As it was sent; absent: the request was invalid, and nothing was sent.
  std::optional<Execution> execution{};
  Matches matches{};  // of the selector, where several nodes fit or nth was given
  std::optional<std::string> stopped_by{};  // "the node is disabled"
  bool saw_before = false;                  // stopped_by is of the screen before the action
  bool is_cut_short = false;                // cancelled behind the action: nothing may follow
  std::optional<Effect> effect{};           // of `verify`
  std::string opened{};                     // the package that an app's name stood for
  JsonObject miss{};     // a node is not there: {"foreground","dialog","near",...}
  JsonObject several{};  // several nodes fit: {"matches","candidates","hint"}

  // Everything that stands beside the envelope, as members: "package", "matches", "taken", "warn",
  // "effect", "proof", "settled", "miss", "candidates", "hint".
  [[nodiscard]] JsonObject beside() const;
};

}  // namespace clawperator::act
