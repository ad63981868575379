#include "runtime/contract/action_read.hpp"

#include "base/text.hpp"
#include "runtime/contract/action_row.hpp"
#include "runtime/contract/js_regex.hpp"

namespace clawperator {
namespace {

using namespace rows;

constexpr std::array kReadTextParams{
    kMatcher<ReadText>,
    use<ReadText, &ReadText::container>("container", "search only inside this node"),
    use<ReadText, &ReadText::all>("all", "every match, as a JSON array"),
    use<ReadText, &ReadText::validator>("validator",
                                        "what the text must be: temperature, version or regex"),
    use<ReadText, &ReadText::validator_pattern>("validatorPattern",
                                                "the regular expression of validator regex"),
    kRetry<ReadText>,
    kStrict<ReadText>};
constexpr std::array kReadValueParams{
    use<ReadValue, &ReadValue::label_matcher>("labelMatcher", "the node of the label", Need::given),
    use<ReadValue, &ReadValue::all>("all", "every pair, as a JSON array"),
    use<ReadValue, &ReadValue::retry>("retry")};

void check_read_text(const ReadText& read, const Rules& rules) {
  rules.choice("validator", read.validator);
  if (ascii_lower(read.validator.value_or("")) != "regex") return;
  if (is_blank_or_absent(read.validator_pattern))
    rules.refuse("validatorPattern", " with validator='regex' requires params.validatorPattern");
  else if (!is_js_regex(*read.validator_pattern))
    rules.refuse("validatorPattern", " params.validatorPattern is not a valid regex pattern");
}

}  // namespace

constinit const ActionRow ReadText::kRow{
    .name = "read_text",
    .aliases = "read",
    .summary = "Read the text of a node.",
    .params = kReadTextParams,
    .check = check<ReadText, check_read_text>,
    .own = {.manner = Manner::direct, .name = "read", .step = "read", .source = kActs},
    .only_looks = true};

constinit const ActionRow ReadValue::kRow{
    .name = "read_key_value_pair",
    .summary = "Read the value beside a label.",
    .params = kReadValueParams,
    .own = {.manner = Manner::direct, .name = "read-value", .step = "read-value", .source = kActs},
    .only_looks = true};

}  // namespace clawperator
