#include "cli/ref.hpp"

#include "cli/settings.hpp"
#include "cli/target_argument.hpp"
#include "runtime/act/ref.hpp"
#include "runtime/act/snapshot.hpp"
#include "runtime/device/environment.hpp"

namespace clawperator::cli {
namespace {

// The ref's text, which stands alone.
Result<std::string> checked_ref(const Arguments& arguments, SelectorFamily family) {
  const std::string* ref = arguments.value("--ref");
  if (!ref) return validation_error("--ref requires a value");
  TRY(const auto selector, read_selector(arguments, family));
  if (selector || arguments.has("--coordinate")) {
    return validation_error("use --ref OR a selector, not both");
  }
  return *ref;
}

}  // namespace

Invocation with_whole_ref(Invocation invocation) {
  const std::string* ref = invocation.arguments.value("--ref");
  if (!ref || !ref->starts_with('@')) return invocation;
  TargetOptions& target = invocation.globals.target;
  const auto named = target.device ? target.device : environment_variable("ANDROID_SERIAL");
  auto whole = act::whole_ref(snapshot_store(), *ref, named);
  if (!whole) return invocation;  // which is told in its turn
  invocation.arguments.set_value("--ref", std::move(whole->text));
  target.device = std::move(whole->device);
  return invocation;
}

Result<std::optional<act::Place>> read_ref(const Invocation& invocation, SelectorFamily family) {
  if (!invocation.arguments.has("--ref")) return std::nullopt;
  TRY(const std::string ref, checked_ref(invocation.arguments, family));
  return act::find_ref(snapshot_store(), ref);
}

Result<std::optional<act::Selector>> read_ref_selector(const Invocation& invocation,
                                                       SelectorFamily family) {
  if (!invocation.arguments.has("--ref")) return std::nullopt;
  TRY(const std::string ref, checked_ref(invocation.arguments, family));
  return act::find_unique(snapshot_store(), ref);
}

Result<void> check_ref_is_fresh(const Invocation& invocation, const act::Place& place) {
  TRY(const UiTree now, look(invocation));
  return act::check_fresh(*invocation.arguments.value("--ref"), place, now);
}

}  // namespace clawperator::cli
