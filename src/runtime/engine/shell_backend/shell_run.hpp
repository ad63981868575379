#pragma once
// A plan carried out step by step over the device's shell. Its envelope equals the Operator app's:
// the same steps, the same data, the same errors.

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
  using OnStage = std::function<void(const Stage&)>;

  // All must outlive the run. `shown`: the fields of the plan's node as they were shown, null
  // without a ref. `on_stage` is called when a step begins and ends; text typed into a password
  // field is added to `secrets`.
  ShellRun(ShellHand* hand, const Execution* execution, const ShownNode* shown, OnStage on_stage,
           Secrets* secrets)
      : hand_(hand),
        execution_(execution),
        shown_(shown),
        on_stage_(std::move(on_stage)),
        secrets_(secrets) {}

  // An error is one of the device or of the link to it; a failure that the app would report is in
  // the envelope. The caller takes the pictures.
  Task<Envelope> run();

  // The step that was under way last.
  [[nodiscard]] const Action* last() const { return last_; }
  // Why the plan ended because of the shown node; nullopt where it did not.
  [[nodiscard]] const std::optional<Error>& stale() const { return stale_; }

 private:
  // The end of a step that scrolls until something happens.
  struct Scrolling {
    std::string end;  // as the app names it
    int scrolls = 0;
    std::string container;
  };

  Task<StepResult> step();
  // One overload for each kind of action. The last three are never reached: check_shell_can refuses
  // both recordings before, and the contract refuses a caller's doctor_ping.
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

  // For the step that is under way.
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
  // Whether the shown node is there; always true without a ref.
  Found<bool> check_shown(const UiTree& tree);
  Found<bool> check_front(const UiTree& tree);
  Found<bool> note_stale(std::string_view why, const UiTree& tree);
  Task<void> press(Point at, bool is_long);

  // Ends the plan as the app does: without a result of any step.
  std::unexpected<Error> give_up(std::string why, std::string_view code = {});
  Task<void> pause(std::chrono::milliseconds time);
  Result<void> check_time();
  Task<Seen> see();
  Envelope abandoned() const;

  // Reads up to as many screens as `retry` allows, until `look_for` finds something.
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
  OnStage on_stage_;
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
