#pragma once
// A plan carried out step by step over the device's shell. Its envelope is the one that the
// Operator app would write: the same steps, the same data, the same errors.

#include <expected>
#include <type_traits>

#include "runtime/contract/envelope.hpp"
#include "runtime/contract/secrets.hpp"
#include "runtime/engine/log_pieces.hpp"
#include "runtime/engine/shell_backend/shell_hand.hpp"
#include "runtime/engine/shell_backend/steps.hpp"
#include "runtime/ui/find.hpp"

namespace clawperator {

class ShellRun {
 public:
  using Tell = std::function<void(const Stage&)>;

  // All must outlive the run. `shown`: what the plan's node was shown as, null without a ref.
  // `tell` hears how the steps begin and end; what is typed into a field for passwords is added to
  // `secrets`.
  ShellRun(ShellHand* hand, const Execution* execution, const ShownNode* shown, Tell tell,
           Secrets* secrets)
      : hand_(hand),
        execution_(execution),
        shown_(shown),
        tell_(std::move(tell)),
        secrets_(secrets) {}

  // An error is one of the device or of the way to it; what the app would have given up over is in
  // the envelope. Pictures are taken by whoever has the envelope.
  Task<Envelope> run();

  // The step that was under way last.
  [[nodiscard]] const Action* last() const { return last_; }
  // Why the plan gave up over what was shown; nullopt where it did not.
  [[nodiscard]] const std::optional<Error>& stale() const { return stale_; }

 private:
  // How a step that scrolls until something happens ended.
  struct Scrolling {
    std::string end;  // as the app names it
    int scrolls = 0;
    std::string container;
  };

  Task<StepResult> step();
  // One overload a kind of action; check_shell_can refuses the last three before.
  Task<StepResult> carry_out(const OpenApp* open);
  Task<StepResult> carry_out(const OpenUri* open);
  Task<StepResult> carry_out(const CloseApp* close);
  Task<StepResult> carry_out(const PressKey* press);
  Task<StepResult> carry_out(const Sleep* sleep);
  Task<StepResult> carry_out(const Snapshot* snapshot);
  Task<StepResult> carry_out(const Screenshot* shot);
  Task<StepResult> carry_out(const Click* click);
  Task<StepResult> carry_out(const EnterText* enter);
  Task<StepResult> carry_out(const ReadText* read);
  Task<StepResult> carry_out(const ReadValue* read);
  Task<StepResult> carry_out(const WaitForNode* wait);
  Task<StepResult> carry_out(const WaitForNavigation* wait);
  Task<StepResult> carry_out(const Scroll* scroll);
  Task<StepResult> carry_out(const ScrollUntil* scroll);
  Task<StepResult> carry_out(const ScrollAndClick* scroll);
  Task<StepResult> carry_out(const StartRecording*) { return refuse(); }
  Task<StepResult> carry_out(const StopRecording*) { return refuse(); }
  Task<StepResult> carry_out(const DoctorPing*) { return refuse(); }
  Task<StepResult> refuse() { co_return give_up("unsupported action"); }

  // Of the step that is under way.
  [[nodiscard]] StepResult done(StepData data) const;
  [[nodiscard]] StepResult failed(std::string_view error, StepData data = {}) const;

  Task<void> require_focus(FieldMark field);
  Task<std::string> confirm_typed(const EnterText* enter, std::string before);
  Task<std::string> judge_password(const EnterText* enter, std::string shown);
  Task<Scrolling> scroll_to(const ScrollTo* scroll, int most,
                            std::optional<std::chrono::milliseconds> longest);
  // The node of a Click or a ScrollTo.
  template <class Clicks>
  Task<Matches> click_node(const Clicks* clicks);
  // Whether what was shown is there; always, without a ref.
  Found<bool> check_shown(const UiTree& tree);
  Found<bool> check_front(const UiTree& tree);
  Found<bool> note_stale(std::string_view why, const UiTree& tree);
  Task<void> press(Point at, bool is_long);

  // Ends the plan as the app does: no step of it is told.
  std::unexpected<Error> give_up(std::string why, std::string_view code = {});
  Task<void> pause(std::chrono::milliseconds time);
  Result<void> check_time();
  Task<Seen> see();
  Envelope abandoned() const;

  // The first screen, of as many as `retry` allows, on which there is what `look_for` finds.
  template <class LookFor>
  auto on_a_screen(ShellRetry retry, LookFor look_for)
      -> Task<typename std::invoke_result_t<LookFor, const SeenScreen&>::value_type> {
    for (int attempt = 1;; ++attempt) {
      CO_TRY(const Seen seen, co_await see());
      if (!seen) co_return give_up(seen.error(), kNoTree);
      auto found = look_for(*seen);
      if (found) co_return *std::move(found);
      const WhyNot& why = found.error();
      const bool is_final = why.code == kAmbiguous || attempt >= retry.max_attempts;
      if (is_final) co_return give_up(why.why, why.code);
      CO_TRY_VOID(co_await pause(retry.pause(attempt)));
    }
  }

  static constexpr std::string_view kNoTree = "SNAPSHOT_EXTRACTION_FAILED";

  ShellHand* hand_;
  const Execution* execution_;
  const ShownNode* shown_;
  Tell tell_;
  Secrets* secrets_;
  const Action* last_ = nullptr;
  struct GivenUp {
    std::string why;
    std::string code;
  };
  std::optional<GivenUp> given_up_;
  std::optional<Error> stale_;
};

}  // namespace clawperator
