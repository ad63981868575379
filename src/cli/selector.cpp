#include "cli/selector.hpp"

#include "base/js_string.hpp"
#include "base/number.hpp"
#include "base/system/environment.hpp"
#include "cli/argument_checks.hpp"
#include "cli/dispatch.hpp"
#include "cli/errc.hpp"
#include "cli/settings.hpp"
#include "runtime/act/snapshot.hpp"

namespace clawperator::cli {
namespace {

using Field = std::optional<std::string> NodeMatcher::*;

struct MatcherFlag {
  std::string_view end;  // behind "-" or "--container"
  Field field;           // null for the flag that gives the whole object
};

constexpr MatcherFlag kFlags[] = {
    {"-text", &NodeMatcher::text_equals},
    {"-text-contains", &NodeMatcher::text_contains},
    {"-id", &NodeMatcher::resource_id},
    {"-desc", &NodeMatcher::description_equals},
    {"-desc-contains", &NodeMatcher::description_contains},
    {"-role", &NodeMatcher::role},
    {"-selector", nullptr},
};

struct GivenFlag {
  Field field;
  const Given* given;
};

using GivenFlags = std::vector<GivenFlag>;

Result<GivenFlags> given_flags(const Arguments& arguments, SelectorFamily family) {
  const std::string begin = family == SelectorFamily::container ? "--container" : "-";
  GivenFlags all;
  for (const MatcherFlag& flag : kFlags) {
    // There --text is the text to type.
    if (family == SelectorFamily::node_without_text && flag.end == "-text") continue;
    const Given* given = arguments.find(begin + std::string(flag.end));
    if (given) all.push_back({flag.field, given});
  }
  for (const auto& [field, given] : all) {
    if (arguments.repeated(given->option->name)) {
      return validation_error(given->spelling + " must not appear more than once");
    }
  }
  for (const auto& [field, given] : all) {
    if (given->missing_value) return validation_error(given->spelling + " requires a value");
  }
  return all;
}

Result<act::Selector> whole_selector(const Given& given) {
  const std::string& text = given.values.front();
  if (is_blank(text)) return validation_error(given.spelling + " value must not be blank");
  return act::read_selector(text, given.spelling);
}

Result<act::Selector> simple_selector(const GivenFlags& flags) {
  act::Selector selector;
  for (const auto& [field, given] : flags) {
    const std::string& value = given->values.front();
    if (is_blank(value)) return validation_error(given->spelling + " value must not be blank");
    selector.fields.*field = value;
  }
  return selector;
}

constexpr std::string_view kSelectorHelp =
    "  --text-contains <text>   part of its text\n"
    "  --id <resource-id>       its resource id\n"
    "  --desc <text>            its content description\n"
    "  --desc-contains <text>   part of its content description\n"
    "  --role <role>            its role\n"
    "  --selector <json>        a whole matcher object\n";

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
  const auto named = named_device(invocation.globals);
  auto whole = act::whole_ref(snapshot_store(), *ref, named);
  if (!whole) return;  // which is told in its turn
  invocation.arguments.set_value("--ref", std::move(whole->text));
  if (!named) invocation.globals.target.device = std::move(whole->serial);
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

Result<std::optional<act::Selector>> read_selector(const Arguments& arguments,
                                                   SelectorFamily family) {
  TRY(const GivenFlags flags, given_flags(arguments, family));
  if (flags.empty()) return std::nullopt;
  const bool has_whole = !flags.back().field;
  if (has_whole && flags.size() > 1) {
    return validation_error(family == SelectorFamily::container
                                ? "use --container-selector OR the --container-* flags, not both"
                                : "use --selector OR the simple flags, not both");
  }
  return has_whole ? whole_selector(*flags.back().given) : simple_selector(flags);
}

Result<act::Selector> require_selector(const Arguments& arguments, SelectorFamily family,
                                       std::string_view command) {
  TRY(auto selector, read_selector(arguments, family));
  if (!selector) return std::unexpected(missing_selector(command, family));
  return *std::move(selector);
}

Result<std::optional<int>> read_tries(const Arguments& arguments) {
  return whole_option(arguments, "--tries", 1, 10);
}

Result<bool> read_strict(const Arguments& arguments) {
  if (!arguments.has("--strict")) return false;
  for (const char* other : {"--coordinate", "--nth", "--all"}) {
    if (!arguments.has(other)) continue;
    return fail(errc::usage, std::string("use --strict OR ") + other + ", not both");
  }
  return true;
}

Error missing_selector(std::string_view command, SelectorFamily family) {
  const std::string name(command);
  const bool with_text = family == SelectorFamily::node;
  const std::string call = "  clawperator " + name + (with_text ? "" : " \"hello\"");
  std::string message = name + " requires a selector.\n\nSelector flags (they are ANDed):\n";
  if (with_text) message += "  --text <text>            the node's whole text\n";
  message += kSelectorHelp;
  if (is_one_of(command, "click type read")) {
    message += "  --ref <hash@n>           a node of an earlier snapshot\n";
  }
  if (command == "click") message += "  --coordinate <x> <y>     a point of the screen\n";
  message += "\nExamples:\n" + call + (with_text ? " --text \"Wi-Fi\"\n" : " --role textfield\n");
  message += call + " --id com.android.settings:id/search_action_bar\n";
  return {errc::missing_selector, std::move(message)};
}

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

Result<std::optional<act::RefNode>> read_ref_node(const Invocation& invocation,
                                                  SelectorFamily family) {
  if (!invocation.arguments.has("--ref")) return std::nullopt;
  TRY(const std::string ref, checked_ref(invocation.arguments, family));
  return act::find_unique(snapshot_store(), ref, RefUse::text);
}

std::optional<std::string> seen_tree(const Invocation& invocation) {
  const act::SnapshotStore store = snapshot_store();
  const std::string* ref = invocation.arguments.value("--ref");
  if (ref) return store.find(ref->substr(0, ref->find('@')));
  const auto shown = store.last_shown(named_device(invocation.globals));
  return shown ? store.find(shown->hash) : std::nullopt;
}

Result<std::optional<act::NthPlace>> look_for_nth(Invocation* invocation,
                                                  const act::Selector* selector) {
  const std::string* text = invocation->arguments.value("--nth");
  if (!text) return std::nullopt;
  const auto nth = whole_number<int>(*text);
  if (!nth || *nth < 1 || *nth > act::kMostNth) {
    return fail(errc::usage, "--nth must be a whole number from 1 on");
  }
  if (!selector || invocation->arguments.has("--ref")) {
    return fail(errc::usage, "--nth counts the nodes of a selector");
  }
  TRY(const Look now, look(invocation));
  auto found =
      act::find_nth(now.screen, act::wanted_node(act::WaitForNode{*selector, std::nullopt}),
                    static_cast<std::size_t>(*nth));
  if (!found) now.keep();  // the error tells refs of what is there instead
  return found;
}

}  // namespace clawperator::cli
