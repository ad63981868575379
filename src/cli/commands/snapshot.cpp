#include "cli/afterwards.hpp"
#include "cli/commands/commands.hpp"
#include "cli/dispatch.hpp"
#include "cli/settings.hpp"
#include "cli/since.hpp"
#include "cli/verbs.hpp"
#include "runtime/engine/post_process.hpp"
#include "runtime/ui/describe.hpp"

namespace clawperator::cli {
namespace {

constexpr std::array kSnapshotOptions{
    Option{"--format", "", Arity::one, "<xml|compact|json>", "how the tree is written; default xml",
           "xml compact json"},
    Option{"--since", "", Arity::one, "<file|hash>", "only what changed since that snapshot"},
};

bool wants_people_tree(const Invocation& invocation) {
  return invocation.globals.output == OutputMode::pretty && !invocation.arguments.has("--format") &&
         !invocation.arguments.has("--since");
}

// The header line of the renderings that have one.
bool shows_screen_size(const Invocation& invocation) {
  const auto format = tree_format(invocation);
  return wants_people_tree(invocation) || format == act::TreeFormat::compact ||
         (invocation.arguments.has("--since") && format != act::TreeFormat::json);
}

// The tree on drawn branches; what cannot be read as it came; empty when there is none.
std::string snapshot_for_people(const ExecuteResult& result, const Result<UiTree>& tree) {
  if (tree) return to_pretty(*tree);
  const std::string* xml = snapshot_text(result.envelope);
  return xml ? *xml : "";
}

Result<Answer> run_snapshot(const Invocation& invocation) {
  const Arguments& arguments = invocation.arguments;
  TRY(auto execution, execution_for(invocation, act::Snapshot{}));
  const auto format = tree_format(invocation);
  act::SnapshotRequest wanted{.format = format.value_or(act::TreeFormat::xml),
                              .since = std::nullopt};
  if (const std::string* value = arguments.value("--since")) {
    TRY(wanted.since, read_since(*value, snapshot_store()));
  }
  ExecuteRequest request = request_for(invocation, std::move(execution));
  request.ask_screen_size = shows_screen_size(invocation);
  TRY(ExecuteResult result, dispatch(invocation, std::move(request)));
  if (format || wanted.since) {
    TRY_VOID(act::render_snapshot(result.envelope, wanted, result.screen, snapshot_store()));
    note_shown(result);
    return answer_for(invocation, result);
  }
  const auto tree = observe_shown(result, result.screen);
  Answer answer = answer_for(invocation, result);
  if (!wants_people_tree(invocation)) return answer;
  if (std::string text = snapshot_for_people(result, tree); !text.empty()) answer.text = text;
  return answer;
}

}  // namespace

constinit const Command kSnapshot = {
    "snapshot",
    "snapshot-ui snapshot_ui",
    "[--format xml|compact|json] [--since <file|hash>]",
    "Read the screen as a tree of nodes",
    "The tree stands in envelope.stepResults[0].data.text. compact is the short form for models;\n"
    "its refs serve `click --ref @3`. With --format or --since the data also tells tree_hash.\n"
    "--since answers `unchanged`, what changed, or the whole tree with since=unknown. After this\n"
    "command --format means the tree's; `--format pretty` is still --output pretty.",
    "snapshot\n"
    "snapshot --format compact\n"
    "snapshot --format compact --since 1a2b3c4d5e6f\n",
    Reach::device,
    kSnapshotOptions,
    run_snapshot};

}  // namespace clawperator::cli
