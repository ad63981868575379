#include "runtime/host/verbs/notifications.hpp"

#include <catch2/catch.hpp>

using namespace clawperator;

namespace {

// As Android 13 prints it, cut down.
const std::string kNew =
    "Current Notification Manager state:\n"
    "  Notification List:\n"
    "    NotificationRecord(0x0f3a1b2c: pkg=com.chat user=UserHandle{0} id=12 tag=a b "
    "importance=4 key=0|com.chat|12|a b|10123: Notification(channel=m shortcut=null "
    "contentView=null vibrate=null sound=null defaults=0x0 flags=0x10 color=0x0 vis=PRIVATE))\n"
    "      uid=10123 userId=0\n"
    "      flags=0x10\n"
    "      key=0|com.chat|12|a b|10123\n"
    "      tickerText=null\n"
    "      actions={\n"
    "          [0] \"Reply\" -> PendingIntent{1: x}\n"
    "          [1] \"Mark \"read\"\" -> null\n"
    "        }\n"
    "      extras={\n"
    "          android.title=String (Ann (work))\n"
    "          android.textLines=CharSequence[] (2)\n"
    "            [0] one\n"
    "            [1] two\n"
    "          android.subText=null\n"
    "          android.text=SpannableString (first (1)\n"
    "\n"
    "  Notification List:\n"
    "    NotificationRecord but not quite\n"
    "last)\n"
    "          android.bigText=String (first (1)\n"
    "and more)\n"
    "          android.showWhen=Boolean (true)\n"
    "      }\n"
    "      stats=SingleNotificationStats{}\n"
    "    NotificationRecord(0x0d31001a: pkg=android user=UserHandle{-1} id=26 tag=null "
    "importance=2 key=-1|android|26|null|1000: Notification(channel=D flags=ONGOING_EVENT|x "
    "color=0xff))\n"
    "      key=-1|android|26|null|1000\n"
    "      extras={\n"
    "          android.title=String (USB debugging connected)\n"
    "          android.text=String ()\n"
    "      }\n"
    "  \n"
    "  Enqueued Notification List:\n"
    "    NotificationRecord(0x1: pkg=com.enqueued user=UserHandle{0} id=1 tag=null importance=3 "
    "key=0|com.enqueued|1|null|1: Notification())\n";

std::vector<Notification> parsed(std::string_view text) {
  const auto all = parse_notifications(text);
  REQUIRE(all);
  return *all;
}

}  // namespace

TEST_CASE("notifications: records with texts of several lines, actions and flags", "[host]") {
  const auto all = parsed(kNew);
  REQUIRE(all.size() == 2);
  CHECK(all[0] == Notification{.package = "com.chat",
                               .key = "0|com.chat|12|a b|10123",
                               .id = 12,
                               .tag = "a b",
                               .importance = 4,
                               .title = "Ann (work)",
                               .text = "first (1)\n\n  Notification List:\n    NotificationRecord "
                                       "but not quite\nlast",
                               .big_text = "first (1)\nand more",
                               .ongoing = false,
                               .actions = {"Reply", "Mark \"read\""}});
  CHECK(all[1].package == "android");
  CHECK(all[1].ongoing);
  CHECK(all[1].text == "");
  CHECK(notifications_json({all[1]}) ==
        R"([{"package":"android","title":"USB debugging connected","text":"",)"
        R"("key":"-1|android|26|null|1000","id":26,"importance":2,"ongoing":true,"actions":[]}])");
}

TEST_CASE("notifications: as Android 7 indents them, with line ends of a terminal", "[host]") {
  const auto all = parsed(
      "Current Notification Manager state:\r\n"
      "  Notification List:\r\n"
      "    NotificationRecord(0x0f: pkg=a.b user=UserHandle{0} id=-7 tag=null importance=3 "
      "key=0|a.b|-7|null|10001: Notification(pri=0 flags=0x62 color=0x0 vis=PRIVATE))\r\n"
      "      uid=10001 userId=0\r\n"
      "      extras={\r\n"
      "        android.title=String (T)\r\n"
      "        android.text=null\r\n"
      "      }\r\n"
      "      stats=x\r\n"
      "  \r\n");
  REQUIRE(all.size() == 1);
  CHECK(all[0].id == -7);
  CHECK(all[0].title == "T");
  CHECK_FALSE(all[0].text);
  CHECK(all[0].ongoing);
}

TEST_CASE("notifications: none, and what is no list", "[host]") {
  const std::string below = "\n    All notification listeners (0) enabled for current profiles:\n";
  CHECK(parsed("Current Notification Manager state:\n" + below).empty());
  CHECK(parsed("Current Notification Manager state:\n  Notification List:\n" + below).empty());
  for (const std::string& text : {std::string(), std::string("Can't find service: notification\n"),
                                  std::string("Current Notification Manager state:\n"),  // cut off
                                  below}) {
    INFO(text);
    CHECK_FALSE(parse_notifications(text));
  }
}

TEST_CASE("notifications: a dump that is cut off, garbled or huge", "[host]") {
  for (std::size_t size = 60; size < kNew.size(); ++size) {
    const auto all = parse_notifications(std::string_view(kNew).substr(0, size));
    CHECK((!all || all->size() <= 2));
  }
  std::string huge = "Current Notification Manager state:\n  Notification List:\n";
  const std::string record =
      "    NotificationRecord(0x1: pkg=a.b user=U id=1 tag=null importance=3 key=k: "
      "Notification(flags=0x0))\n      extras={\n          android.text=String (";
  for (int i = 0; i < 600; ++i) huge += record + std::string(100, 'x') + ")\n      }\n";
  CHECK(parsed(huge).size() == kMostNotifications);
  std::string long_text = "Current Notification Manager state:\n  Notification List:\n" + record;
  for (int i = 0; i < 30000; ++i) long_text += "\u00e9";
  const auto one = parsed(long_text + ")\n");
  REQUIRE(one.size() == 1);
  CHECK(one[0].text->size() == kMostNotificationText);
  CHECK(one[0].text->ends_with("\u00e9"));
}
