#pragma once
// A plan carried out step by step over the device's shell. Its envelope is the one that the
// Operator app would write: the same steps, the same data, the same errors.

#include <expected>
#include <type_traits>

#include "runtime/contract/envelope.hpp"
#include "runtime/engine/by_shell/shell_action.hpp"
#include "runtime/engine/by_shell/shell_hand.hpp"
#include "runtime/engine/log_pieces.hpp"
#include "runtime/ui/find.hpp"

namespace clawperator {

class ShellRun {
 public:
  using Tell = std::function<void(const Stage&)>;

  // All must outlive the run. `tell` hears how the steps begin and end.
  ShellRun(ShellHand* hand, const Execution* execution, const std::vector<ShellAction>* actions,
           Tell tell)
      : hand_(hand), execution_(execution), actions_(actions), tell_(std::move(tell)) {}

  // An error is one of the device or of the way to it; what the app would have given up over is in
  // the envelope. Pictures are taken by whoever has the envelope.
  Task<Envelope> run();

  // The step that was under way last.
  [[nodiscard]] const ShellAction* last() const { return last_; }

 private:
  // What can be had of one screen, or why not.
  template <class T>
  using Found = std::expected<T, std::string>;
  // How a step that scrolls until something happens ended.
  struct Scrolling {
    std::string end;  // as the app names it
    int scrolls = 0;
    std::string container;
  };

  Task<StepResult> step(const ShellAction* action);
  Task<StepResult> open_app(const ShellAction* action);
  Task<StepResult> open_uri(const ShellAction* action);
  Task<StepResult> close_app(const ShellAction* action);
  Task<StepResult> press_key(const ShellAction* action);
  Task<StepResult> sleep(const ShellAction* action);
  Task<StepResult> snapshot(const ShellAction* action);
  Task<StepResult> click(const ShellAction* action);
  Task<StepResult> enter_text(const ShellAction* action);
  Task<std::string> confirm_typed(const ShellAction* action, std::string before);
  Task<StepResult> read_text(const ShellAction* action);
  Task<StepResult> read_value(const ShellAction* action);
  Task<StepResult> wait_for_node(const ShellAction* action);
  Task<StepResult> wait_for_navigation(const ShellAction* action);
  Task<StepResult> scroll(const ShellAction* action);
  Task<StepResult> scroll_until(const ShellAction* action);
  Task<StepResult> scroll_and_click(const ShellAction* action);
  Task<Scrolling> scroll_to(const ShellAction* action, int most,
                            std::optional<std::chrono::milliseconds> longest);
  Task<Matches> click_node(const ShellAction* action);
  Task<void> press(Point at, bool is_long);

  // Ends the plan as the app does: no step of it is told.
  std::unexpected<Error> give_up(std::string why, std::string_view code = {});
  Task<void> pause(std::chrono::milliseconds time);
  Result<void> check_time();
  Task<Seen> see();
  Envelope abandoned() const;

  // The first screen, of as many as `retry` allows, on which there is what `look_for` finds.
  template <class LookFor>
  auto on_a_screen(const ShellRetry* retry, LookFor look_for)
      -> Task<typename std::invoke_result_t<LookFor, const SeenScreen&>::value_type> {
    for (int attempt = 1;; ++attempt) {
      CO_TRY(const Seen seen, co_await see());
      if (!seen) co_return give_up(seen.error(), kNoTree);
      auto found = look_for(*seen);
      if (found) co_return *std::move(found);
      if (attempt >= retry->max_attempts) co_return give_up(std::move(found).error());
      CO_TRY_VOID(co_await pause(retry->pause(attempt)));
    }
  }

  static constexpr std::string_view kNoTree = "SNAPSHOT_EXTRACTION_FAILED";

  ShellHand* hand_;
  const Execution* execution_;
  const std::vector<ShellAction>* actions_;
  Tell tell_;
  const ShellAction* last_ = nullptr;
  struct GivenUp {
    std::string why;
    std::string code;
  };
  std::optional<GivenUp> given_up_;
};

}  // namespace clawperator
