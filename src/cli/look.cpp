#include "cli/look.hpp"

#include "cli/dispatch.hpp"
#include "cli/drafts.hpp"
#include "cli/snapshot_store.hpp"
#include "cli/snapshot_text.hpp"
#include "runtime/contract/errc.hpp"
#include "runtime/ui/hierarchy.hpp"

namespace clawperator::cli {

Result<UiTree> look_at_screen(const Invocation& invocation) {
  Invocation look = invocation;
  look.stamp = Stamp::now();
  TRY(const Draft draft, draft_snapshot(look));
  TRY(auto execution, judge(draft));
  TRY(const ExecuteResult result, dispatch(look, request_for(look, std::move(execution))));
  const std::string* xml = snapshot_text(result.envelope);
  if (!xml) {
    return fail(errc::snapshot_extraction_failed,
                result.envelope.error.value_or("the device gave no hierarchy"));
  }
  TRY(UiTree tree, parse_hierarchy(*xml));
  SnapshotStore().keep(tree.hash, *xml);
  return tree;
}

}  // namespace clawperator::cli
