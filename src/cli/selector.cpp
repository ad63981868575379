#include "cli/selector.hpp"

#include <nlohmann/json.hpp>
#include <vector>

#include "runtime/contract/errc.hpp"
#include "runtime/contract/js_string.hpp"
#include "runtime/contract/json_text.hpp"

namespace clawperator::cli {
namespace {

struct MatcherFlag {
  std::string_view flag;
  std::string_view field;  // empty for the flag that gives the whole object
};

constexpr MatcherFlag kNodeFlags[] = {
    {"--text", "textEquals"},
    {"--text-contains", "textContains"},
    {"--id", "resourceId"},
    {"--desc", "contentDescEquals"},
    {"--desc-contains", "contentDescContains"},
    {"--role", "role"},
    {"--selector", ""},
};

constexpr MatcherFlag kContainerFlags[] = {
    {"--container-text", "textEquals"},
    {"--container-text-contains", "textContains"},
    {"--container-id", "resourceId"},
    {"--container-desc", "contentDescEquals"},
    {"--container-desc-contains", "contentDescContains"},
    {"--container-role", "role"},
    {"--container-selector", ""},
};

constexpr MatcherFlag kLabelFlags[] = {
    {"--label", "textEquals"}, {"--label-id", "resourceId"}, {"--label-desc", "contentDescEquals"}};

std::span<const MatcherFlag> flags_of(SelectorFamily family) {
  switch (family) {
    case SelectorFamily::node: return kNodeFlags;
    case SelectorFamily::node_without_text: return std::span(kNodeFlags).subspan(1);
    case SelectorFamily::container: return kContainerFlags;
    case SelectorFamily::label: return kLabelFlags;
  }
  return {};
}

std::unexpected<Error> invalid(std::string message) {
  return fail(errc::execution_validation_failed, std::move(message));
}

struct GivenFlag {
  const MatcherFlag* flag;
  const Given* given;
};

using GivenFlags = std::vector<GivenFlag>;

Result<GivenFlags> given_flags(const Arguments& arguments, SelectorFamily family) {
  GivenFlags all;
  for (const MatcherFlag& flag : flags_of(family)) {
    if (const Given* given = arguments.find(flag.flag)) all.push_back({&flag, given});
  }
  for (const GivenFlag& one : all) {
    if (arguments.repeated(one.flag->flag)) {
      return invalid(one.given->spelling + " must not appear more than once");
    }
  }
  for (const GivenFlag& one : all) {
    if (one.given->missing_value) return invalid(one.given->spelling + " requires a value");
  }
  return all;
}

Result<std::string> whole_matcher(const Given& given) {
  const std::string& text = given.values.front();
  if (is_blank(text)) return invalid(given.spelling + " value must not be blank");
  const auto json = nlohmann::json::parse(text, nullptr, false);
  if (json.is_discarded()) return invalid(given.spelling + " must be valid JSON");
  if (!json.is_object()) return invalid(given.spelling + " must be a JSON object");
  return text;
}

Result<std::string> simple_matcher(const GivenFlags& flags) {
  JsonObject matcher;
  for (const auto& [flag, given] : flags) {
    if (is_blank(given->values.front())) {
      return invalid(given->spelling + " value must not be blank");
    }
    matcher.text(flag->field, given->values.front());
  }
  return matcher.str();
}

constexpr std::string_view kSelectorHelp =
    "  --text-contains <text>   part of its text\n"
    "  --id <resource-id>       its resource id\n"
    "  --desc <text>            its content description\n"
    "  --desc-contains <text>   part of its content description\n"
    "  --role <role>            its role\n"
    "  --selector <json>        a whole matcher object\n";

}  // namespace

Result<std::optional<std::string>> read_matcher(const Arguments& arguments, SelectorFamily family) {
  TRY(const GivenFlags flags, given_flags(arguments, family));
  if (flags.empty()) return std::nullopt;
  const bool has_whole = flags.back().flag->field.empty();
  if (has_whole && flags.size() > 1) {
    return invalid(family == SelectorFamily::container
                       ? "use --container-selector OR the --container-* flags, not both"
                       : "use --selector OR the simple flags, not both");
  }
  return has_whole ? whole_matcher(*flags.back().given) : simple_matcher(flags);
}

Result<std::string> require_matcher(const Arguments& arguments, SelectorFamily family,
                                    std::string_view command) {
  TRY(auto matcher, read_matcher(arguments, family));
  if (!matcher) return std::unexpected(missing_selector(command, family));
  return *std::move(matcher);
}

Error missing_selector(std::string_view command, SelectorFamily family) {
  const std::string name(command);
  const bool with_text = family == SelectorFamily::node;
  const std::string call = "  clawperator " + name + (with_text ? "" : " \"hello\"");
  std::string message = name + " requires a selector.\n\nSelector flags (they are ANDed):\n";
  if (with_text) message += "  --text <text>            the node's whole text\n";
  message += kSelectorHelp;
  if (contains_word("click type read", command)) {
    message += "  --ref <hash@n>           a node of an earlier snapshot\n";
  }
  if (command == "click") message += "  --coordinate <x> <y>     a point of the screen\n";
  message += "\nExamples:\n" + call + (with_text ? " --text \"Wi-Fi\"\n" : " --role textfield\n");
  message += call + " --id com.android.settings:id/search_action_bar\n";
  return {errc::missing_selector, std::move(message)};
}

}  // namespace clawperator::cli
