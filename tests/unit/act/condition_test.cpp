#include "runtime/act/condition.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "runtime/ui/hierarchy.hpp"

using namespace clawperator;
using namespace clawperator::act;

namespace {

// A row with two texts, and a title of the same app.
UiTree orders() {
  const std::string open = "<node index=\"0\" package=\"a.b\" enabled=\"true\" ";
  return *parse_hierarchy(
      "<hierarchy rotation=\"0\">" + open +
      "class=\"android.view.View\" resource-id=\"a.b:id/row\" bounds=\"[0,0][90,90]\">" + open +
      "class=\"android.widget.TextView\" text=\"Parcel 7\" bounds=\"[0,0][90,40]\"/>" + open +
      "class=\"android.widget.TextView\" content-desc=\"Delivered\" bounds=\"[0,40][90,90]\"/>" +
      "</node>" + open +
      "class=\"android.widget.TextView\" resource-id=\"a.b:id/title\" text=\"Orders\" "
      "bounds=\"[0,90][90,120]\"/></hierarchy>");
}

Condition one(std::string_view json) {
  auto read = read_conditions(Json::array({Json::parse(json)}), "any", false);
  REQUIRE(read);
  return read->list.front();
}

bool met(std::string_view json, WaitScreen now = {}) {
  const UiTree screen = orders();
  now.tree = &screen;
  return is_met(one(json), now);
}

}  // namespace

TEST_CASE("condition: a node is there, or gone, or contains a text somewhere in it") {
  CHECK(met(R"({"selector":{"text":"Orders"}})"));
  CHECK_FALSE(met(R"({"selector":{"text":"orders"}})"));
  CHECK(met(R"({"selector":{"textContains":"Ord","resourceId":"a.b:id/title"}})"));
  CHECK(met(R"({"selector":{"text":"Absent"},"gone":true})"));
  CHECK_FALSE(met(R"({"selector":{"text":"Orders"},"gone":true})"));
  CHECK(met(R"({"selector":{"text":"Orders"},"gone":false})"));
  CHECK(met(R"({"selector":{"id":"row"},"contains":"Deliv"})"));
  CHECK(met(R"({"selector":{"id":"row"},"contains":"Parcel"})"));
  CHECK_FALSE(met(R"({"selector":{"id":"row"},"contains":"Orders"})"));
  CHECK(met(R"({"selector":{"id":"row"},"contains":"Orders","gone":true})"));
}

TEST_CASE("condition: an id is that of this screen, unless ids are exact") {
  const WaitScreen exact{.has_exact_ids = true};
  CHECK(met(R"({"selector":{"id":"title"}})"));
  CHECK_FALSE(met(R"({"selector":{"id":"title"}})", exact));
  CHECK(met(R"({"selector":{"id":"a.b:id/title"}})", exact));
}

TEST_CASE("condition: the app in front, the keyboard, and a still screen") {
  CHECK(met(R"({"package":"a.b"})"));
  CHECK_FALSE(met(R"({"package":"a"})"));
  CHECK(met(R"({"keyboard":"hidden"})"));
  CHECK_FALSE(met(R"({"keyboard":"shown"})"));
  CHECK(met(R"({"keyboard":"shown"})", {.has_keyboard = true}));
  CHECK_FALSE(met(R"({"keyboard":"hidden"})", {.has_keyboard = true}));
  CHECK(met(R"({"still":true})", {.is_still = true}));
  CHECK_FALSE(met(R"({"still":true})"));
}
