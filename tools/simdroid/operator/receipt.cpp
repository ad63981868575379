// The result of an action in the step's data, as the app 0.10 and newer write it.
#include <array>
#include <nlohmann/json.hpp>

#include "adbproto/crypto/sha256.hpp"
#include "simdroid/operator/action_runner.hpp"
#include "simdroid/operator/node_json.hpp"
#include "simdroid/ui/hierarchy.hpp"

namespace simdroid {
namespace {

bool has_receipt(ActionKind kind) {
  constexpr std::array kWithReceipt{ActionKind::click, ActionKind::enter_text, ActionKind::scroll,
                                    ActionKind::scroll_until, ActionKind::scroll_and_click};
  return std::ranges::find(kWithReceipt, kind) != kWithReceipt.end();
}

}  // namespace

void ActionRunner::dispatched(std::string_view method, bool accepted, std::optional<Point> at) {
  receipt_.method = method;
  receipt_.accepted = accepted;
  receipt_.coordinate = at;
}

void ActionRunner::aims_at(const View& view) {
  if (c_.can->receipts) receipt_.target = json_text(node_json(tree(), view));
}

StepData ActionRunner::receipt(const DeviceAction& action) const {
  if (!c_.can->receipts || !has_receipt(action.kind)) return {};
  StepData data;
  if (!receipt_.target.empty()) {
    data = {{"target", receipt_.target}, {"matched_target", receipt_.target}};
  }
  merge(data, {{"candidate_count", std::to_string(receipt_.candidates)},
               {"dispatch_method", std::string(receipt_.method)},
               {"dispatch_accepted", receipt_.accepted ? "true" : "false"},
               {"elapsed_ms", milliseconds_text(c_.timeline->now() - receipt_.began)}});
  if (receipt_.coordinate) data.emplace_back("coordinate", point_json(*receipt_.coordinate));
  if (!receipt_.progress.empty()) data.emplace_back("progress", receipt_.progress);
  if (!action.strict && receipt_.candidates > 1) {
    data.emplace_back("selection_warning", std::to_string(receipt_.candidates) +
                                               " nodes match the selector; the first was taken");
  }
  return data;
}

std::string ActionRunner::signature() const {
  if (!c_.can->receipts) return {};
  constexpr std::size_t kDigits = 16;
  return adbproto::sha256_of(hierarchy_xml(*c_.world)).substr(0, kDigits);
}

std::string ActionRunner::progress_json(const std::string& before) const {
  const std::string after = signature();
  const bool comparable = c_.facts->scrolls_comparable;
  const char* reason = !comparable       ? "not_comparable"
                       : before == after ? "signature_unchanged"
                                         : "signature_changed";
  return json_text({{"beforeSignature", before},
                    {"afterSignature", after},
                    {"comparable", comparable},
                    {"reason", reason}});
}

}  // namespace simdroid
