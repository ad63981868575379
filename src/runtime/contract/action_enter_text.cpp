#include "runtime/contract/action_enter_text.hpp"

#include "runtime/contract/action_row.hpp"

namespace clawperator {
namespace {

using namespace rows;

constexpr std::array kEnterTextParams{
    kMatcher<EnterText>,
    use<EnterText, &EnterText::text>("text", "the new text; 1 to 512 characters", Need::ruled),
    use<EnterText, &EnterText::submit>("submit", "press Enter afterwards"),
    use<EnterText, &EnterText::clear>("clear", "accepted; the text is always replaced"),
    use<EnterText, &EnterText::secret>(
        "secret",
        "hide the text in every answer, event, log and file; a known password field does so by "
        "itself"),
    kRetry<EnterText>,
    kStrict<EnterText>,
    use<EnterText, &EnterText::container>("container")};

void check_enter_text(const EnterText& enter, const Rules& rules) {
  const bool empties = enter.text && enter.clear == true;
  if (enter.text.value_or("").empty() && !empties)
    rules.refuse("text", " requires non-empty params.text");
}

}  // namespace

constinit const ActionRow EnterText::kRow{
    .name = "enter_text",
    .aliases = "type_text text_entry input_text",
    .summary = "Replace the text of a field.",
    .params = kEnterTextParams,
    .check = check<EnterText, check_enter_text>,
    .own = {.manner = Manner::direct, .name = "type", .step = "type", .source = kActs}};

}  // namespace clawperator
