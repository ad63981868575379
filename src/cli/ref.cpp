#include "cli/ref.hpp"

#include "base/number.hpp"
#include "cli/settings.hpp"
#include "cli/target_argument.hpp"
#include "runtime/act/ref.hpp"
#include "runtime/act/snapshot.hpp"
#include "runtime/contract/errc.hpp"
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

std::optional<std::string> named_device(const Globals& globals) {
  return globals.target.device ? globals.target.device : environment_variable("ANDROID_SERIAL");
}

void complete_ref(Invocation& invocation) {
  const std::string* ref = invocation.arguments.value("--ref");
  if (!ref || !ref->starts_with('@')) return;
  auto whole = act::whole_ref(snapshot_store(), *ref, named_device(invocation.globals));
  if (!whole) return;  // which is told in its turn
  invocation.arguments.set_value("--ref", std::move(whole->text));
  invocation.globals.target.device = std::move(whole->device);
}

void complete_id(Invocation& invocation, std::string_view flag) {
  const std::string* id = invocation.arguments.value(flag);
  if (!id || id->empty() || id->find('/') != id->npos) return;
  const auto tree = act::tree_shown_last(snapshot_store(), named_device(invocation.globals));
  if (!tree) return;
  if (auto whole = act::whole_id(*tree, *id)) {
    invocation.arguments.set_value(flag, *std::move(whole));
  }
}

}  // namespace

Invocation with_whole_names(Invocation invocation) {
  complete_ref(invocation);
  complete_id(invocation, "--id");
  complete_id(invocation, "--container-id");
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

Result<std::optional<act::NthPlace>> look_for_nth(const Invocation& invocation,
                                                  const act::Selector* selector) {
  const std::string* text = invocation.arguments.value("--nth");
  if (!text) return std::nullopt;
  const auto nth = whole_number<int>(*text);
  if (!nth || *nth < 1 || *nth > act::kMostNth) {
    return fail(errc::usage, "--nth must be a whole number from 1 on");
  }
  if (!selector || invocation.arguments.has("--ref")) {
    return fail(errc::usage, "--nth counts the nodes of a selector");
  }
  TRY(const UiTree now, look(invocation));
  return act::find_nth(now, act::wanted_node(act::WaitForNode{*selector, std::nullopt}),
                       static_cast<std::size_t>(*nth));
}

Result<void> check_ref_is_fresh(const Invocation& invocation, const act::Place& place) {
  TRY(const UiTree now, look(invocation));
  return act::check_fresh(*invocation.arguments.value("--ref"), place, now);
}

}  // namespace clawperator::cli
