#include "base/js_string.hpp"
#include "cli/argument_checks.hpp"
#include "cli/commands/commands.hpp"
#include "cli/dispatch.hpp"
#include "cli/selector.hpp"
#include "cli/verbs.hpp"

namespace clawperator::cli {
namespace {

constexpr auto kReadOptions =
    join(kSelectorOptions, kContainerOptions, kRefOption, kStrictOption, kPatienceOption,
         std::array{Option{"--all", "", Arity::none, "", "read every match, as a JSON array"}});

constexpr auto kReadValueOptions =
    join(kPatienceOption,
         std::array{
             Option{"--label", "--text --label-text", Arity::one, "<text>",
                    "the label's whole text", "", OnMissing::command},
             Option{"--label-id", "--id --resource-id", Arity::one, "<resource-id>",
                    "the label's resource id", "", OnMissing::command},
             Option{"--label-desc", "--desc --content-desc", Arity::one, "<text>",
                    "the label's content description", "", OnMissing::command},
             Option{"--all", "", Arity::none, "", "read every match, as a JSON array"},
             Option{"--validate-only", "", Arity::none, "", "print the execution and do nothing"},
             Option{"--dry-run", "", Arity::none, "", "print the plan and do nothing"},
         });

struct LabelFlag {
  std::string_view flag;
  std::optional<std::string> NodeMatcher::* field;
};

constexpr LabelFlag kLabelFlags[] = {{"--label", &NodeMatcher::text_equals},
                                     {"--label-id", &NodeMatcher::resource_id},
                                     {"--label-desc", &NodeMatcher::description_equals}};

Result<act::Selector> read_label(const Arguments& arguments) {
  act::Selector label;
  bool empty = true;
  for (const auto& [flag, field] : kLabelFlags) {
    const Given* given = arguments.find(flag);
    if (!given) continue;
    TRY_VOID(check_given_once(arguments, flag));
    if (given->missing_value) return validation_error(given->spelling + " requires a value");
    const std::string& value = given->values.front();
    if (value.empty()) continue;
    if (is_blank(value)) {
      return validation_error("read-value " + given->spelling + " value must not be empty");
    }
    label.fields.*field = value;
    empty = false;
  }
  if (empty) {
    return missing_argument("read-value requires a label selector.",
                            "read-value --label <text> | --label-id <id> | --label-desc <text>");
  }
  return label;
}

}  // namespace

Result<ReadText> read_from(const Invocation& invocation) {
  const Arguments& arguments = invocation.arguments;
  TRY(const bool has_ref, read_ref(arguments, SelectorFamily::node));
  const bool all = arguments.has("--all");
  if (all && invocation.globals.output == OutputMode::pretty) {
    return validation_error("read --all requires JSON output.\nLeave out --output pretty.");
  }
  ReadText read{.matcher = Selector()};
  if (all) read.all = true;
  if (!has_ref) {
    TRY(read.matcher, require_selector(arguments, SelectorFamily::node, "read"));
  }
  TRY(read.container, read_selector(arguments, SelectorFamily::container));
  TRY(read.strict, read_strict(arguments));
  return read;
}

constinit const Command kRead = {
    .name = "read",
    .synonyms = "read-text read_text",
    .usage = "<selector> | --ref <hash@n> [--all] [container flags]",
    .summary = "Read the text of a node",
    .examples =
        "read --id android:id/title\n"
        "read --role text --all --container-id com.android.settings:id/recycler_view\n",
    .options = kReadOptions,
    .run = run_verb<read_from>};

Result<ReadValue> read_value_from(const Invocation& invocation) {
  const bool all = invocation.arguments.has("--all");
  if (all && invocation.globals.output == OutputMode::pretty) {
    return validation_error("read-value --all requires JSON output.\nLeave out --output pretty.");
  }
  ReadValue read;
  TRY(read.label_matcher, read_label(invocation.arguments));
  if (all) read.all = true;
  return read;
}

constinit const Command kReadValue = {.name = "read-value",
                                      .synonyms = "read-kv read-key-value-pair read_key_value_pair",
                                      .usage =
                                          "--label <text> | --label-id <id> | --label-desc <text> "
                                          "[--all] [--validate-only | --dry-run]",
                                      .summary = "Read the value beside a label",
                                      .examples = "read-value --label \"Android version\"\n",
                                      .options = kReadValueOptions,
                                      .run = run_verb<read_value_from>};

}  // namespace clawperator::cli
