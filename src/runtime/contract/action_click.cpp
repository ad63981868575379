#include "runtime/contract/action_click.hpp"

#include "base/text.hpp"
#include "runtime/contract/action_row.hpp"

namespace clawperator {
namespace {

using namespace rows;

constexpr std::array kClickParams{
    use<Click, &Click::matcher>("matcher", "the node; or coordinate"),
    use<Click, &Click::coordinate>("coordinate",
                                   "{\"x\",\"y\"}: a point of the screen; one of the two"),
    kClickType<Click>,
    kRetry<Click>,
    kStrict<Click>,
    use<Click, &Click::container>("container")};

void check_click(const Click& click, const Rules& rules) {
  if (!click.matcher && !click.coordinate)
    rules.refuse(" requires params.matcher or params.coordinate");
  if (click.matcher && click.coordinate)
    rules.refuse(" params.matcher and params.coordinate are mutually exclusive");
  rules.choice("clickType", click.click_type);
  if (click.coordinate && ascii_lower(click.click_type.value_or("")) == "focus")
    rules.refuse("clickType", " params.coordinate does not support clickType='focus'");
  if (click.coordinate && click.strict == true)
    rules.refuse("strict", " params.coordinate does not support strict");
}

}  // namespace

constinit const ActionRow Click::kRow{
    .name = "click",
    .aliases = "tap press long_press",
    .summary = "Click a node or a point.",
    .params = kClickParams,
    .check = check<Click, check_click>,
    .own = {.manner = Manner::direct, .name = "click", .step = "click", .source = kActs}};

}  // namespace clawperator
