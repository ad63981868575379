#include "runtime/engine/post_process.hpp"

#include <algorithm>
#include <ranges>

#include "runtime/contract/advice.hpp"
#include "runtime/ui/hierarchy.hpp"

namespace clawperator {
namespace {

constexpr std::string_view kSnapshot = "snapshot_ui";
constexpr std::string_view kScreenshot = "take_screenshot";
constexpr std::string_view kClose = "close_app";
constexpr std::string_view kExtractionFailed = "SNAPSHOT_EXTRACTION_FAILED";
constexpr std::string_view kNoHierarchy =
    "The device reported a snapshot, but its log held no whole UI hierarchy for it. ";
constexpr std::string_view kLostLines =
    "The device's log lost lines of the UI hierarchy. Take the snapshot again; if it happens "
    "often, "
    "choose a larger buffer in Developer options, Logger buffer sizes.";
constexpr std::string_view kCutLine =
    "The device's log cut a line of the UI hierarchy: one entry holds 4068 bytes of UTF-8, and a "
    "text on the screen is longer. Scroll it away or close it, then take the snapshot again.";
constexpr std::string_view kTooLong = "The UI hierarchy is longer than 32 MiB.";
constexpr std::string_view kEmptySnapshot =
    "The Operator app reported a snapshot without a UI hierarchy. Take it again.";
constexpr std::string_view kUnreadable =
    " Lines of it may have been lost in the device's log: take the snapshot again.";
constexpr std::string_view kSettleWarning =
    "snapshot captured without a preceding sleep step; UI may not have settled - consider adding a "
    "sleep step between click and snapshot_ui";

constexpr std::string_view kHostCloses = "UNSUPPORTED_RUNTIME_CLOSE";
constexpr std::string_view kHostCaptures = "UNSUPPORTED_RUNTIME_SCREENSHOT";

bool is_left_to_the_host(const StepResult& step) {
  const std::string* code = code_of(step);
  return code && ((step.action_type == kClose && *code == kHostCloses) ||
                  (step.action_type == kScreenshot && *code == kHostCaptures));
}

void fail_step(StepResult& step, std::string_view error, std::string_view message) {
  step.success = false;
  erase_data(step.data, "errorCode");
  set_data(step.data, "error", std::string(error));
  set_data(step.data, "message", std::string(message));
}

bool follows_click(const Execution& execution, const std::string& step_id) {
  const auto at = std::ranges::find(execution.actions, step_id, &Action::id);
  if (at == execution.actions.end() || at == execution.actions.begin()) return false;
  const ActionType before = std::prev(at)->type();
  return before == ActionType::click || before == ActionType::scroll_and_click;
}

bool is_successful_snapshot(const StepResult& step) {
  return step.action_type == kSnapshot && step.success;
}

bool holds_hierarchy(const StepResult& step) {
  return is_successful_snapshot(step) && find_data(step.data, "text");
}

// The app numbers the children of a node upwards. A lower number means that lines between two nodes
// were lost; a tree without any index proves nothing.
bool children_go_upwards(const UiTree& tree, std::string_view xml) {
  if (xml.find(" index=\"") == xml.npos) return true;
  return std::ranges::all_of(tree.nodes, [&](const UiNode& node) {
    const auto index = [&](std::size_t child) { return tree.nodes[child].index; };
    return std::ranges::adjacent_find(node.children, std::ranges::greater_equal(), index) ==
           node.children.end();
  });
}

// The app writes no text between two tags: such text is the rest of a line whose beginning was
// lost.
bool holds_tags_only(std::string_view xml) {
  bool in_tag = false;
  char quote = '\0';
  for (const char c : xml) {
    if (quote != '\0') {
      if (c == quote) quote = '\0';
    } else if (in_tag) {
      if (c == '"' || c == '\'') quote = c;
      in_tag = c != '>';
    } else if (c == '<') {
      in_tag = true;
    } else if (c != ' ' && c != '\n' && c != '\r' && c != '\t') {
      return false;
    }
  }
  return true;
}

std::string find_problem(const Hierarchy& hierarchy) {
  switch (hierarchy.flaw) {
    case Flaw::lost: return std::string(kLostLines);
    case Flaw::cut: return std::string(kCutLine);
    case Flaw::too_long: return std::string(kTooLong);
    case Flaw::none: break;
  }
  if (hierarchy.text.empty() && !hierarchy.by_log) return std::string(kEmptySnapshot);
  if (hierarchy.text.empty()) return std::string(kNoHierarchy) + missing_hierarchy_hint();
  const auto tree = parse_hierarchy(hierarchy.text);
  if (!hierarchy.by_log) return tree ? "" : tree.error().message() + ".";
  if (!tree) return tree.error().message() + "." + std::string(kUnreadable);
  const bool whole = holds_tags_only(hierarchy.text) && children_go_upwards(*tree, hierarchy.text);
  return whole ? "" : std::string(kLostLines);
}

// Why the hierarchy cannot be used; empty when it can. Checked once.
const std::string& problem_of(Hierarchy& hierarchy) {
  if (!hierarchy.problem) hierarchy.problem = find_problem(hierarchy);
  return *hierarchy.problem;
}

}  // namespace

void take_over_host_steps(Envelope& envelope, const Execution& execution) {
  const auto& steps = envelope.step_results;
  const bool is_whole = !steps.empty() && steps.size() == execution.actions.size();
  if (envelope.status != EnvelopeStatus::failed || !is_whole) return;
  const auto failed = [](const StepResult& step) { return !step.success; };
  const auto mine = [](const StepResult& step) {
    return step.success || is_left_to_the_host(step);
  };
  const auto& code = envelope.error_code;
  const bool by_code = !code || *code == kHostCloses || *code == kHostCaptures;
  if (!by_code || !std::ranges::any_of(steps, failed) || !std::ranges::all_of(steps, mine)) return;
  envelope.status = EnvelopeStatus::success;
  envelope.error.reset();
  envelope.error_code.reset();
}

void settle_closed_apps(Envelope& envelope, const Execution& execution) {
  for (StepResult& step : envelope.step_results) {
    if (step.action_type != kClose || step.success || !is_left_to_the_host(step)) continue;
    const auto action = std::ranges::find(execution.actions, step.id, &Action::id);
    const auto* close = action == execution.actions.end() ? nullptr : action->as<CloseApp>();
    if (!close) continue;
    step.success = true;
    step.data = {{"application_id", close->application_id.value_or("")}};
  }
}

StepResult* snapshot_step(Envelope& envelope) {
  const auto found = std::ranges::find_if(envelope.step_results, holds_hierarchy);
  return found == envelope.step_results.end() ? nullptr : &*found;
}

const std::string* snapshot_text(const Envelope& envelope) {
  const auto found = std::ranges::find_if(envelope.step_results, holds_hierarchy);
  return found == envelope.step_results.end() ? nullptr : find_data(found->data, "text");
}

std::size_t successful_snapshots(const Envelope& envelope) {
  return static_cast<std::size_t>(
      std::ranges::count_if(envelope.step_results, is_successful_snapshot));
}

void judge_hierarchies(std::vector<Hierarchy>& hierarchies) {
  std::ranges::for_each(hierarchies, problem_of);
}

namespace {

// The step that a failed command ended at may have logged a hierarchy. The envelope has that step,
// or ends before it where the time was over.
bool may_have_drawn(const Envelope& envelope, const Execution& plan) {
  if (envelope.status != EnvelopeStatus::failed) return false;
  const auto& steps = envelope.step_results;
  const bool ends_early = steps.empty() || steps.back().success;
  const bool is_next = ends_early && steps.size() < plan.actions.size() &&
                       plan.actions[steps.size()].type() == ActionType::snapshot_ui;
  return is_next || std::ranges::any_of(steps, [](const StepResult& step) {
           return step.action_type == kSnapshot && !step.success;
         });
}

}  // namespace

std::vector<Hierarchy> pair_snapshots(Envelope& envelope, std::vector<Hierarchy> logged,
                                      const Execution& plan) {
  const auto has_none = [](const StepResult& step) {
    return is_successful_snapshot(step) && !find_data(step.data, "text");
  };
  const auto steps = std::ranges::count_if(envelope.step_results, has_none);
  const Flaw missing = logged.empty() ? Flaw::none : Flaw::lost;
  if (std::ssize(logged) != steps || may_have_drawn(envelope, plan)) {
    logged.assign(static_cast<std::size_t>(steps), {.flaw = missing});
  }
  auto next = logged.end() - steps;
  std::vector<Hierarchy> paired;
  for (StepResult& step : envelope.step_results) {
    if (has_none(step)) {
      paired.push_back(std::move(*next++));
    } else if (is_successful_snapshot(step)) {
      std::string text = take_data(step.data, "text");
      const Flaw flaw = text.size() > kMaxHierarchyBytes ? Flaw::too_long : Flaw::none;
      paired.push_back({.text = std::move(text), .flaw = flaw, .by_log = false});
    }
  }
  return paired;
}

std::vector<std::string> attach_snapshots(Envelope& envelope, const Execution& execution,
                                          std::vector<Hierarchy> hierarchies) {
  std::vector<std::string> warnings;
  auto next = hierarchies.begin();
  for (StepResult& step : envelope.step_results) {
    if (!is_successful_snapshot(step)) continue;
    Hierarchy& found = *next++;
    const std::string why = problem_of(found);
    if (!why.empty()) {
      erase_data(step.data, "text");
      fail_step(step, kExtractionFailed, why);
      warnings.push_back("snapshot_ui step \"" + step.id +
                         "\" UI hierarchy extraction produced no output. " + why);
      continue;
    }
    set_data(step.data, "text", std::move(found.text));
    if (follows_click(execution, step.id)) {
      set_data(step.data, "warn", std::string(kSettleWarning));
    }
  }
  return warnings;
}

bool lost_hierarchies(std::vector<Hierarchy>& hierarchies) {
  return std::ranges::any_of(hierarchies, [](Hierarchy& hierarchy) {
    const std::string& problem = problem_of(hierarchy);
    return problem == kLostLines || problem.ends_with(kUnreadable);
  });
}

std::vector<std::string> attach_screenshots(Envelope& envelope,
                                            const std::vector<SavedPicture>& pictures) {
  std::vector<std::string> warnings;
  for (StepResult& step : envelope.step_results) {
    const auto picture = std::ranges::find(pictures, step.id, &SavedPicture::step_id);
    if (step.action_type != kScreenshot || picture == pictures.end()) continue;
    const std::string* code = code_of(step);
    const bool host_captures = !code || *code == kHostCaptures;
    if (!host_captures) continue;
    if (!picture->problem.empty()) {
      fail_step(step, picture->code, picture->problem);
      warnings.push_back("screenshot step \"" + step.id + "\" failed: " + picture->problem);
      continue;
    }
    step.success = true;
    for (const char* said : {"error", "errorCode", "message"}) erase_data(step.data, said);
    set_data(step.data, "path", picture->path);
    if (picture->warning.empty()) continue;
    set_data(step.data, "warn", picture->warning);
    warnings.push_back("screenshot step \"" + step.id + "\": " + picture->warning);
  }
  return warnings;
}

namespace {

std::string_view why_no_service(ServiceListing listing) {
  switch (listing) {
    case ServiceListing::missing:
      return "The system took the accessibility permission back: the Operator's service is not "
             "among the enabled ones. A force-stop of the app does that, and so do cleaners and "
             "some updates.";
    case ServiceListing::listed:
      return "The Operator's accessibility service is switched on, but the system has not started "
             "it. After a restart unlock the phone once.";
    case ServiceListing::unknown: break;
  }
  return "The Operator's accessibility service is not running.";
}

std::string service_hint(const ServiceContext& context) {
  return std::string(why_no_service(context.listing)) + " " +
         missing_service_hint(context.operator_package, context.device_id);
}

}  // namespace

void reconcile(Envelope& envelope, const ServiceContext& context) {
  const auto failed = std::ranges::find(envelope.step_results, false, &StepResult::success);
  if (failed != envelope.step_results.end() && envelope.status == EnvelopeStatus::success) {
    envelope.status = EnvelopeStatus::failed;
    envelope.error = "Step " + failed->id + " (" + failed->action_type + ") failed";
    if (const std::string* code = code_of(*failed)) *envelope.error += ": " + *code;
    const std::string* typed = find_data(failed->data, "errorCode");
    if (typed) envelope.error_code = *typed;
  }
  if (envelope.status == EnvelopeStatus::failed && envelope.error_code == kServiceUnavailable) {
    envelope.hint = service_hint(context);
  }
}

const std::string* code_of(const StepResult& step) {
  const std::string* code = find_data(step.data, "errorCode");
  return code ? code : find_data(step.data, "error");
}

}  // namespace clawperator
