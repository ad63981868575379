#include "runtime/engine/post_process.hpp"

#include <algorithm>
#include <ranges>

#include "runtime/engine/preflight.hpp"
#include "runtime/ui/hierarchy.hpp"

namespace clawperator {
namespace {

constexpr std::string_view kSnapshot = "snapshot_ui";
constexpr std::string_view kScreenshot = "take_screenshot";
constexpr std::string_view kExtractionFailed = "SNAPSHOT_EXTRACTION_FAILED";
constexpr std::string_view kCaptureFailed = "SCREENSHOT_CAPTURE_FAILED";
constexpr std::string_view kExtractionMessage =
    "The device reported a snapshot, but its log held no whole UI hierarchy for it. Check that the "
    "Operator APK and clawperator are compatible (clawperator version --check-compat) and that the "
    "device's log is not dropping lines.";
constexpr std::string_view kSettleWarning =
    "Taken right after a click: the screen may not have settled. Put a sleep or wait_for_node "
    "between the click and snapshot_ui.";

void fail_step(StepResult& step, std::string_view error, std::string_view message) {
  step.success = false;
  set_data(step.data, "error", std::string(error));
  set_data(step.data, "message", std::string(message));
}

bool follows_click(const Execution& execution, const std::string& step_id) {
  const auto at = std::ranges::find(execution.actions, step_id, &Action::id);
  if (at == execution.actions.end() || at == execution.actions.begin()) return false;
  const ActionType before = std::prev(at)->type;
  return before == ActionType::click || before == ActionType::scroll_and_click;
}

bool is_successful_snapshot(const StepResult& step) {
  return step.action_type == kSnapshot && step.success;
}

}  // namespace

void settle_closed_apps(Envelope& envelope, const Execution& execution) {
  for (StepResult& step : envelope.step_results) {
    const std::string* error = find_data(step.data, "error");
    if (step.action_type != "close_app" || step.success || !error ||
        *error != "UNSUPPORTED_RUNTIME_CLOSE") {
      continue;
    }
    const auto action = std::ranges::find(execution.actions, step.id, &Action::id);
    if (action == execution.actions.end() || action->type != ActionType::close_app) continue;
    step.success = true;
    step.data = {{"application_id", action->application_id.value_or("")}};
  }
}

std::size_t successful_snapshots(const Envelope& envelope) {
  return static_cast<std::size_t>(
      std::ranges::count_if(envelope.step_results, is_successful_snapshot));
}

std::vector<std::string> attach_snapshots(Envelope& envelope, const Execution& execution,
                                          std::vector<std::string> hierarchies) {
  for (StepResult& step : envelope.step_results | std::views::reverse) {
    if (!is_successful_snapshot(step) || hierarchies.empty()) continue;
    set_data(step.data, "text", std::move(hierarchies.back()));
    hierarchies.pop_back();
  }
  std::vector<std::string> warnings;
  for (StepResult& step : envelope.step_results) {
    if (!is_successful_snapshot(step)) continue;
    const std::string* text = find_data(step.data, "text");
    const auto tree = text ? parse_hierarchy(*text) : parse_hierarchy("");
    if (!tree) {
      erase_data(step.data, "text");
      fail_step(step, kExtractionFailed, kExtractionMessage);
      warnings.push_back("snapshot_ui step \"" + step.id +
                         "\" UI hierarchy extraction produced no output." +
                         (text ? " " + tree.error().message() : ""));
    } else if (follows_click(execution, step.id)) {
      set_data(step.data, "warn", std::string(kSettleWarning));
    }
  }
  return warnings;
}

std::vector<std::string> attach_screenshots(Envelope& envelope,
                                            const std::vector<SavedPicture>& pictures) {
  std::vector<std::string> warnings;
  for (StepResult& step : envelope.step_results) {
    const auto picture = std::ranges::find(pictures, step.id, &SavedPicture::step_id);
    if (step.action_type != kScreenshot || picture == pictures.end()) continue;
    const std::string* error = find_data(step.data, "error");
    const bool host_captures = !error || *error == "UNSUPPORTED_RUNTIME_SCREENSHOT";
    if (!host_captures) continue;
    if (!picture->problem.empty()) {
      fail_step(step, kCaptureFailed, picture->problem);
      warnings.push_back("screenshot step \"" + step.id + "\" failed: " + picture->problem);
      continue;
    }
    step.success = true;
    erase_data(step.data, "error");
    erase_data(step.data, "message");
    set_data(step.data, "path", picture->path);
    if (picture->warning.empty()) continue;
    set_data(step.data, "warn", picture->warning);
    warnings.push_back("screenshot step \"" + step.id + "\": " + picture->warning);
  }
  return warnings;
}

void reconcile(Envelope& envelope, const std::string& device_id,
               const std::string& operator_package) {
  const auto failed = std::ranges::find(envelope.step_results, false, &StepResult::success);
  if (failed != envelope.step_results.end()) {
    envelope.status = EnvelopeStatus::failed;
    std::string text = "Step " + failed->id + " (" + failed->action_type + ") failed";
    if (const std::string* error = find_data(failed->data, "error")) text += ": " + *error;
    envelope.error = std::move(text);
    envelope.hint.reset();
  } else if (!envelope.step_results.empty()) {
    envelope.status = EnvelopeStatus::success;
    envelope.error.reset();
    envelope.error_code.reset();
    envelope.hint.reset();
  }
  if (envelope.status == EnvelopeStatus::failed && envelope.error_code == "SERVICE_UNAVAILABLE") {
    envelope.hint =
        "The Operator's accessibility service is not running. Run `clawperator doctor --fix" +
        target_flags(operator_package, device_id) + "`, or reinstall it with `" +
        setup_command(operator_package, device_id) + "`.";
  }
}

}  // namespace clawperator
