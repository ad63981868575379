#include "simdroid/device/notifications.hpp"

#include <algorithm>
#include <cstdio>

namespace simdroid {
namespace {

constexpr int kNamesFlags = 34;
constexpr int kIndentsMore = 28;

std::string key_of(const PostedNotification& each) {
  return "0|" + each.package + "|" + std::to_string(each.id) + "|null|" +
         (each.package == "android" ? "1000" : "10118");
}

std::string flags_of(const PostedNotification& each, int sdk) {
  if (sdk >= kNamesFlags) return each.ongoing ? "ONGOING_EVENT" : "AUTO_CANCEL";
  return each.ongoing ? "0x2" : "0x10";
}

std::string extra(std::string_view name, std::string_view text, bool redact) {
  return std::string(name) + "=String " +
         (redact ? "[length=" + std::to_string(text.size()) + "]" : "(" + std::string(text) + ")") +
         "\n";
}

std::string record_text(const PostedNotification& each, int sdk, bool redact) {
  const std::string inner = "      ";
  const std::string deeper = sdk >= kIndentsMore ? "          " : "        ";
  char head[64];
  std::snprintf(head, sizeof head, "    NotificationRecord(0x%08x: pkg=", 0x0d310000 + each.id);
  std::string text = head + each.package + " user=UserHandle{" +
                     (each.package == "android" ? "-1" : "0") + "} id=" + std::to_string(each.id) +
                     " tag=null importance=3 key=" + key_of(each) +
                     ": Notification(channel=MAIN shortcut=null contentView=null vibrate=null "
                     "sound=null defaults=0x0 flags=" +
                     flags_of(each, sdk) + " color=0x00000000 vis=PRIVATE))\n";
  text += inner + "uid=10118 userId=0\n" + inner + "opPkg=" + each.package + "\n" + inner +
          "flags=" + flags_of(each, sdk) + "\n" + inner + "pri=0\n" + inner +
          "key=" + key_of(each) + "\n" + inner + "tickerText=null\n";
  if (!each.actions.empty()) {
    text += inner + "actions={\n";
    for (std::size_t i = 0; i < each.actions.size(); ++i) {
      text += deeper + "[" + std::to_string(i) + "] \"" + each.actions[i] +
              "\" -> PendingIntent{8f2: PendingIntentRecord{1 " + each.package +
              " startActivity}}\n";
    }
    text += deeper.substr(2) + "}\n";
  }
  text += inner + "extras={\n" + deeper + extra("android.title", each.title, redact) + deeper +
          "android.reduced.images=Boolean (true)\n" + deeper + "android.subText=null\n" + deeper +
          extra("android.text", each.text, redact) + deeper +
          "android.people.list=ArrayList ([])\n" + inner + "}\n" + inner +
          "stats=SingleNotificationStats{posttimeElapsedMs=1}\n" + inner + "mImportance=DEFAULT\n";
  return text;
}

NodeSpec node(std::string_view class_name, std::string_view id, int height) {
  NodeSpec made;
  made.class_name = class_name;
  made.resource_id = id;
  made.height = height;
  made.flow = Flow::column;
  return made;
}

NodeSpec label(std::string_view id, std::string text) {
  constexpr int kLabelHeight = 60;
  NodeSpec made = node("android.widget.TextView", id, kLabelHeight);
  made.text = std::move(text);
  made.text_scale = 3;
  return made;
}

int number_nodes(NodeSpec* spec, int next) {
  spec->number = next++;
  for (NodeSpec& child : spec->children) next = number_nodes(&child, next);
  return next;
}

}  // namespace

std::vector<PostedNotification> first_notifications() {
  return {{"android", 26, "USB debugging connected", "Tap to turn off USB debugging", true, {}}};
}

std::string notification_list(const std::vector<PostedNotification>& all, int sdk, bool redact) {
  if (all.empty()) return "";
  std::string text = "  Notification List:\n";
  for (const PostedNotification& each : all) text += record_text(each, sdk, redact);
  return text + "  \n";
}

Screen shade_screen(const std::vector<PostedNotification>& all) {
  constexpr int kStatusBar = 130;
  constexpr int kFooter = 170;
  NodeSpec list =
      node("android.view.ViewGroup", "com.android.systemui:id/notification_stack_scroller", kWrap);
  list.scrollable = true;
  list.weight = 1;
  for (const PostedNotification& each : all) {
    NodeSpec row = node("android.widget.FrameLayout",
                        "com.android.systemui:id/expandableNotificationRow", kWrap);
    row.children = {label("android:id/app_name_text", each.package),
                    label("android:id/title", each.title), label("android:id/text", each.text)};
    list.children.push_back(std::move(row));
  }
  if (!std::ranges::all_of(all, &PostedNotification::ongoing)) {
    NodeSpec button =
        node("android.widget.Button", "com.android.systemui:id/dismiss_text", kFooter);
    button.text = "Clear all";
    button.text_scale = 3;
    button.clickable = button.focusable = true;
    button.on_click = "clear-all";
    list.children.push_back(std::move(button));
  }
  Screen shade{.name = "shade",
               .activity = "com.android.systemui.Shade",
               .package = std::string(kSystemUiPackage),
               .title = "Notification shade.",
               .kind = ScreenKind::activity,
               .root = node("android.widget.FrameLayout",
                            "com.android.systemui:id/notification_panel", kFill)};
  shade.root.children = {node("android.widget.FrameLayout", "", kStatusBar), std::move(list)};
  number_nodes(&shade.root, 0);
  return shade;
}

}  // namespace simdroid
