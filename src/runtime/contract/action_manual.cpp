#include "runtime/contract/action_manual.hpp"

#include <algorithm>

namespace clawperator {
namespace {

constexpr bool kRequired = true;
constexpr bool kOptional = false;

constexpr ParamUse kMatcher{"matcher", kRequired, "the node; all fields that are given must hold"};
constexpr ParamUse kRetry{"retry", kOptional,
                          "{maxAttempts, initialDelayMs, maxDelayMs, backoffMultiplier, "
                          "jitterRatio}; the app tries five times by itself"};
constexpr ParamUse kContainer{"container", kOptional,
                              "the node that is scrolled; default the first"};
constexpr ParamUse kDirection{"direction", kOptional, "down, up, left or right; default down"};
constexpr ParamUse kDistance{"distanceRatio", kOptional, "of the container, 0 to 1; default 0.7"};
constexpr ParamUse kSettle{"settleDelayMs", kOptional, "after each swipe, 0 to 10000; default 250"};
constexpr ParamUse kChild{
    "findFirstScrollableChild", kOptional,
    "a container that does not scroll: the first inside that does; default true"};
constexpr ParamUse kStrict{"strict", kOptional,
                           "act only where one node alone fits; needs app 0.10"};
constexpr ParamUse kClickType{"clickType", kOptional, "default, long_click or focus"};

constexpr std::array kPackage{ParamUse{"applicationId", kRequired, "the package"}};
constexpr std::array kUri{ParamUse{"uri", kRequired, "a web address or a deep link"}};
constexpr std::array kSession{ParamUse{"sessionId", kOptional, "the recording's name"}};
constexpr std::array kWait{kMatcher, ParamUse{"timeoutMs", kOptional, "how long"}, kRetry, kStrict};
constexpr std::array kClick{
    ParamUse{"matcher", kOptional, "the node, or"},
    ParamUse{"coordinate", kOptional, "{\"x\",\"y\"}: a point of the screen; one of the two"},
    kClickType, kRetry, kStrict};
constexpr std::array kScrollAndClick{
    kMatcher,
    kContainer,
    kDirection,
    ParamUse{"maxSwipes", kOptional, "1 to 50; default 10"},
    kDistance,
    kSettle,
    kChild,
    kClickType,
    ParamUse{"clickAfter", kOptional, "default true"},
    ParamUse{"scrollRetry", kOptional, "as retry, of the scrolling"},
    ParamUse{"clickRetry", kOptional, "as retry, of the click"},
    kStrict};
constexpr std::array kScroll{kContainer, kDirection, kDistance, kSettle, kChild, kRetry, kStrict};
constexpr std::array kScrollUntil{
    ParamUse{"matcher", kOptional, "the node that is looked for; without one, the end"},
    kContainer,
    kDirection,
    kDistance,
    kSettle,
    ParamUse{"maxScrolls", kOptional, "1 to 200; default 20"},
    ParamUse{"maxDurationMs", kOptional, "0 to 120000; default 10000"},
    ParamUse{"noPositionChangeThreshold", kOptional,
             "swipes without a change that are the end, 1 to 20; default 3"},
    kChild,
    kClickType,
    ParamUse{"clickAfter", kOptional, "click the node once it is there; needs matcher"},
    kStrict};
constexpr std::array kRead{
    kMatcher,
    ParamUse{"container", kOptional, "only inside of this node"},
    ParamUse{"all", kOptional, "every match, as a JSON array"},
    ParamUse{"validator", kOptional, "temperature, version or regex: what the text must be"},
    ParamUse{"validatorPattern", kOptional, "of validator regex"},
    kRetry,
    kStrict};
constexpr std::array kEnter{
    kMatcher,
    ParamUse{"text", kRequired, "replaces what is in the field; 1 to 512 characters"},
    ParamUse{"submit", kOptional, "press Enter afterwards"},
    ParamUse{"clear", kOptional, "accepted: the text is replaced anyway"},
    ParamUse{"secret", kOptional,
             "the text stands in no answer, event, log or file; of a field that is known to be one "
             "for passwords it never does"},
    kRetry,
    kStrict};
constexpr std::array kPath{
    ParamUse{"path", kOptional, "a file of this computer; of `serve`'s, one below `--files`"}};
constexpr std::array kDuration{ParamUse{"durationMs", kRequired, "0 to 120000"}};
constexpr std::array kKey{ParamUse{"key", kRequired, "back, home or recents"}};
constexpr std::array kNavigation{
    ParamUse{"timeoutMs", kRequired, "more than 0, at most 30000"},
    ParamUse{"expectedPackage", kOptional, "the app that comes to the front, and/or"},
    ParamUse{"expectedNode", kOptional, "a node that is there then; one of the two"}};
constexpr std::array kPair{ParamUse{"labelMatcher", kRequired, "the node of the label"},
                           ParamUse{"all", kOptional, "every pair, as a JSON array"}};

constexpr auto kPages = std::to_array<ActionPage>({
    {ActionType::open_app, "Bring an app to the front.", kPackage},
    {ActionType::open_uri, "Open a URI with the app that is for it.", kUri},
    {ActionType::close_app, "Force-stop an app, before the plan runs.", kPackage},
    {ActionType::start_recording, "Begin to record what a person does.", kSession},
    {ActionType::stop_recording, "End that.", kSession},
    {ActionType::wait_for_node, "Wait until a node is there.", kWait},
    {ActionType::click, "Click a node or a point.", kClick},
    {ActionType::scroll_and_click, "Scroll until a node is there, and click it.", kScrollAndClick},
    {ActionType::scroll, "Swipe once in a container.", kScroll},
    {ActionType::scroll_until, "Scroll until a node is there, or to the end.", kScrollUntil},
    {ActionType::read_text, "Read the text of a node.", kRead},
    {ActionType::enter_text, "Put text into a field.", kEnter},
    {ActionType::snapshot_ui, "Read the screen as a tree.", {}},
    {ActionType::take_screenshot, "Take a picture of the screen.", kPath},
    {ActionType::sleep, "Wait.", kDuration},
    {ActionType::press_key, "Press a system key.", kKey},
    {ActionType::wait_for_navigation, "Wait until an app is in front, or a node is there.",
     kNavigation},
    {ActionType::read_key_value_pair, "Read the value beside a label.", kPair},
});

constexpr std::string_view name_of(ParamKind kind) {
  constexpr std::array<std::string_view, 6> kNames{"text",    "number",     "boolean",
                                                   "matcher", "coordinate", "object"};
  return kNames[static_cast<std::size_t>(kind)];
}

}  // namespace

std::span<const ActionPage> action_manual() { return kPages; }

std::string_view param_kind_name(std::string_view param) { return name_of(param_row(param).kind); }

}  // namespace clawperator
