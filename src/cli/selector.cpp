#include "cli/selector.hpp"

#include "base/js_string.hpp"
#include "cli/argument_checks.hpp"
#include "cli/grammar/errc.hpp"

namespace clawperator::cli {
namespace {

using Field = std::optional<std::string> NodeMatcher::*;

struct MatcherFlag {
  std::string_view end;  // the part after "-" or "--container"
  Field field;           // null for the flag with the whole object
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
    // In that family --text is the text to type.
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

Result<std::optional<bool>> read_strict(const Arguments& arguments) {
  if (!arguments.has("--strict")) return std::nullopt;
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

Result<bool> read_ref(const Arguments& arguments, SelectorFamily family) {
  if (!arguments.has("--ref")) return false;
  if (!arguments.value("--ref")) return validation_error("--ref requires a value");
  TRY(const auto selector, read_selector(arguments, family));
  if (selector || arguments.has("--coordinate")) {
    return validation_error("use --ref OR a selector, not both");
  }
  return true;
}

}  // namespace clawperator::cli
