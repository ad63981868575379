#include "runtime/contract/action_scroll.hpp"

#include "runtime/contract/action_row.hpp"

namespace clawperator {
namespace {

using namespace rows;

template <class Kind>
constexpr ParamUse kContainer =
    use<Kind, &Kind::container>("container", "the node to scroll; default the first");
template <class Kind>
constexpr ParamUse kDirection =
    use<Kind, &Kind::direction>("direction", "down, up, left or right; default down");
template <class Kind>
constexpr ParamUse kDistance = use<Kind, &Kind::distance_ratio>(
    "distanceRatio", "the part of the container, 0 to 1; default 0.7");
template <class Kind>
constexpr ParamUse kSettle = use<Kind, &Kind::settle_delay_ms>(
    "settleDelayMs", "the wait after each swipe, 0 to 10000; default 250");
template <class Kind>
constexpr ParamUse kChild = use<Kind, &Kind::find_first_scrollable_child>(
    "findFirstScrollableChild",
    "if the container does not scroll, use the first node in it that does; default true");

constexpr std::array kScrollParams{kContainer<Scroll>, kDirection<Scroll>, kDistance<Scroll>,
                                   kSettle<Scroll>,    kChild<Scroll>,     kRetry<Scroll>,
                                   kStrict<Scroll>};
constexpr std::array kScrollUntilParams{
    use<ScrollUntil, &ScrollUntil::matcher>("matcher",
                                            "the node to find; without it, scroll to the end"),
    kContainer<ScrollUntil>,
    kDirection<ScrollUntil>,
    kDistance<ScrollUntil>,
    kSettle<ScrollUntil>,
    use<ScrollUntil, &ScrollUntil::max_scrolls>("maxScrolls", "1 to 200; default 20"),
    use<ScrollUntil, &ScrollUntil::max_duration_ms>("maxDurationMs", "0 to 120000; default 10000"),
    use<ScrollUntil, &ScrollUntil::no_position_change_threshold>(
        "noPositionChangeThreshold",
        "how many swipes without a change mean the end, 1 to 20; default 3"),
    kChild<ScrollUntil>,
    kClickType<ScrollUntil>,
    use<ScrollUntil, &ScrollUntil::click_after>("clickAfter",
                                                "click the node when it is found; needs matcher"),
    kStrict<ScrollUntil>,
    use<ScrollUntil, &ScrollUntil::retry>("retry")};
constexpr std::array kScrollAndClickParams{
    kMatcher<ScrollAndClick>,
    kContainer<ScrollAndClick>,
    kDirection<ScrollAndClick>,
    use<ScrollAndClick, &ScrollAndClick::max_swipes>("maxSwipes", "1 to 50; default 10"),
    kDistance<ScrollAndClick>,
    kSettle<ScrollAndClick>,
    kChild<ScrollAndClick>,
    kClickType<ScrollAndClick>,
    use<ScrollAndClick, &ScrollAndClick::click_after>(
        "clickAfter", "click the node when it is found; default true"),
    use<ScrollAndClick, &ScrollAndClick::scroll_retry>("scrollRetry", "retry for the scrolling"),
    use<ScrollAndClick, &ScrollAndClick::click_retry>("clickRetry", "retry for the click"),
    kStrict<ScrollAndClick>,
    use<ScrollAndClick, &ScrollAndClick::no_position_change_threshold>("noPositionChangeThreshold"),
    use<ScrollAndClick, &ScrollAndClick::retry>("retry")};

// Without a direction the device scrolls down.
void check_scroll(const Scroll& scroll, const Rules& rules) {
  rules.choice("direction", scroll.direction);
  rules.within("distanceRatio", scroll.distance_ratio, {0, 1, "[0.0, 1.0]"});
  rules.within("settleDelayMs", scroll.settle_delay_ms, {0, 10000, "[0, 10000]"});
}

void check_scroll_until(const ScrollUntil& scroll, const Rules& rules) {
  if (scroll.click_after == true && !scroll.matcher)
    rules.refuse("matcher", " params.clickAfter=true requires params.matcher");
  check_scroll(scroll, rules);
  rules.choice("clickType", scroll.click_type);
  rules.whole_within("maxScrolls", scroll.max_scrolls, {1, 200, "[1, 200]"});
  rules.within("maxDurationMs", scroll.max_duration_ms, {0, 120000, "[0, 120000]"});
  rules.whole_within("noPositionChangeThreshold", scroll.no_position_change_threshold,
                     {1, 20, "[1, 20]"});
}

void check_scroll_and_click(const ScrollAndClick& scroll, const Rules& rules) {
  rules.choice("direction", scroll.direction);
  rules.choice("clickType", scroll.click_type);
}

}  // namespace

constinit const ActionRow Scroll::kRow{.name = "scroll",
                                       .summary = "Swipe once in a container.",
                                       .params = kScrollParams,
                                       .check = check<Scroll, check_scroll>,
                                       .own = {Manner::plain, "scroll", "a1", "cli-action-scroll"}};

constinit const ActionRow ScrollUntil::kRow{
    .name = "scroll_until",
    .summary = "Scroll until a node is there, or to the end.",
    .params = kScrollUntilParams,
    .check = check<ScrollUntil, check_scroll_until>,
    .own = {Manner::plain, "scroll-until"}};

constinit const ActionRow ScrollAndClick::kRow{
    .name = "scroll_and_click",
    .summary = "Scroll until a node is there, and click it.",
    .params = kScrollAndClickParams,
    .check = check<ScrollAndClick, check_scroll_and_click>,
    .own = {Manner::plain, "scroll-until"}};

}  // namespace clawperator
