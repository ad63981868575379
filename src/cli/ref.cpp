#include "cli/ref.hpp"

#include "cli/drafts.hpp"
#include "cli/look.hpp"
#include "cli/snapshot_store.hpp"
#include "runtime/contract/errc.hpp"
#include "runtime/ui/hierarchy.hpp"
#include "runtime/ui/refs.hpp"

namespace clawperator::cli {
namespace {

std::unexpected<Error> stale(const std::string& ref, std::string_view why) {
  return fail(errc::stale_ref,
              "ref " + ref + " " + std::string(why) + "; take a new snapshot --format compact");
}

Result<std::string> read_ref(const Arguments& arguments, SelectorFamily family) {
  const std::string* ref = arguments.value("--ref");
  if (!ref) return validation_error("--ref requires a value");
  TRY(const auto matcher, read_matcher(arguments, family));
  if (matcher || arguments.has("--coordinate")) {
    return validation_error("use --ref OR a selector, not both");
  }
  return *ref;
}

Result<UiTree> held_tree(const std::string& ref) {
  TRY(const ObservationRef parsed, parse_ref(ref));
  if (parsed.hash.empty()) {
    return fail(errc::usage, "--ref needs the hash of its snapshot: HASH" + ref);
  }
  const auto xml = SnapshotStore().find(parsed.hash);
  if (!xml) return stale(ref, "is of a snapshot that is no longer held");
  return parse_hierarchy(*xml);
}

Given as_coordinate(const Option& option, Point point) {
  return {&option, "--coordinate", {std::to_string(point.x), std::to_string(point.y)}, false};
}

}  // namespace

Result<Invocation> replace_ref(Invocation invocation, SelectorFamily family) {
  TRY(const std::string ref, read_ref(invocation.arguments, family));
  TRY(const UiTree tree, held_tree(ref));
  TRY(const std::size_t node, resolve_ref(tree, ref));
  const auto options = invocation.command->options;
  if (const auto matcher = unique_matcher(tree, node)) {
    const Option* selector = find_option(options, "--selector");
    invocation.arguments.replace("--ref", {selector, "--selector", {to_json(*matcher)}, false});
    return invocation;
  }
  const Option* coordinate = find_option(options, "--coordinate");
  if (!coordinate) return stale(ref, "names a node that no selector tells from others");
  Invocation plain = invocation;
  plain.arguments.replace("--ref", as_coordinate(*coordinate, tree.nodes[node].bounds.centre()));
  TRY(const Draft draft, draft_click(plain));
  TRY_VOID(judge(draft));  // a plan that cannot run costs no look at the screen
  TRY(const UiTree now, look_at_screen(invocation));
  if (now.hash != tree.hash) return stale(ref, "is of a screen that has changed");
  return plain;
}

}  // namespace clawperator::cli
