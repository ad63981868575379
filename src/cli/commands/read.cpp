#include "cli/commands/commands.hpp"
#include "cli/drafts.hpp"
#include "cli/ref.hpp"
#include "cli/selector.hpp"
#include "runtime/contract/json_text.hpp"

namespace clawperator::cli {
namespace {

constexpr auto kOptions =
    join(kSelectorOptions, kContainerOptions, kRefOption,
         std::array{Option{"--all", "", Arity::none, "", "every match, as a JSON array"}});

}  // namespace

Result<Draft> draft_read(const Invocation& invocation) {
  const Arguments& arguments = invocation.arguments;
  const bool all = arguments.has("--all");
  if (all && invocation.globals.output == OutputMode::pretty) {
    return validation_error("read --all requires JSON output.\nLeave out --output pretty.");
  }
  TRY(const auto matcher, require_matcher(arguments, SelectorFamily::node, "read"));
  TRY(const auto container, read_matcher(arguments, SelectorFamily::container));
  JsonObject params;
  params.json("matcher", matcher);
  if (all) params.boolean("all", true);
  if (container) params.json("container", *container);
  const std::string id = invocation.stamp.long_id("read");
  return Draft{
      single_action({id, id, "clawperator-action", 30000, true}, "read", "read_text", params.str()),
      invocation.globals.timeout_ms};
}

constinit const Command kRead = {
    "read",
    "read-text read_text",
    "<selector> | --ref <hash@n> [--all] [container flags]",
    "Read the text of a node",
    "",
    "read --id android:id/title\n"
    "read --role text --all --container-id com.android.settings:id/recycler_view\n",
    Reach::device,
    kOptions,
    run_with_ref<draft_read>};

}  // namespace clawperator::cli
