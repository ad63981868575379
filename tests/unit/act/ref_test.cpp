#include "runtime/act/ref.hpp"

#include <catch2/catch.hpp>

#include "runtime/ui/errc.hpp"
#include "runtime/ui/hierarchy.hpp"
#include "support/temp_folder.hpp"

using namespace clawperator;
using namespace clawperator::act;

namespace {

// Two nodes that nothing distinguishes, and one with an id of its own.
constexpr std::string_view kScreen =
    "<?xml version='1.0' encoding='UTF-8' standalone='yes' ?><hierarchy rotation=\"0\">"
    "<node index=\"0\" text=\"Same\" class=\"android.view.View\" clickable=\"true\" "
    "bounds=\"[0,0][10,20]\" />"
    "<node index=\"1\" text=\"Same\" class=\"android.view.View\" clickable=\"true\" "
    "bounds=\"[0,20][10,40]\" />"
    "<node index=\"2\" text=\"Same\" resource-id=\"a:id/b\" class=\"android.view.View\" "
    "clickable=\"true\" bounds=\"[0,40][10,60]\" /></hierarchy>";

struct HeldScreen {
  adbproto::testing::TempFolder folder;
  SnapshotStore store{folder.path()};
  UiTree tree = *parse_hierarchy(kScreen);
  HeldScreen() { store.keep(tree.hash, kScreen); }

  [[nodiscard]] std::string ref(int number) const {
    return tree.hash + "@" + std::to_string(number);
  }
};

}  // namespace

TEST_CASE("ref: a node that something distinguishes from all others is a selector") {
  const HeldScreen screen;
  const auto target = find_ref(screen.store, screen.ref(3), RefUse::press);
  REQUIRE(target);
  CHECK(std::get<Selector>(target->place).fields.resource_id == "a:id/b");
  CHECK(std::get<Selector>(target->place).fields.text_equals == "Same");
  CHECK(target->shown.ref == screen.ref(3));
  const auto field = find_ref(screen.store, screen.ref(3), RefUse::text);
  REQUIRE(field);
  CHECK(std::get<Selector>(field->place).fields == NodeMatcher{.resource_id = "a:id/b"});
  CHECK(field->shown.matcher == NodeMatcher{.resource_id = "a:id/b"});
}

TEST_CASE("ref: any other node is its point, and is known by its place") {
  const HeldScreen screen;
  for (const RefUse use : {RefUse::press, RefUse::text}) {
    const auto target = find_ref(screen.store, screen.ref(2), use);
    REQUIRE(target);
    CHECK(std::get<Point>(target->place) == Point{5, 30});
    CHECK(find_shown(screen.tree, target->shown) == std::size_t{1});
  }
}

TEST_CASE("ref: which phones have shown its screen goes with it") {
  const HeldScreen screen;
  CHECK(find_ref(screen.store, screen.ref(3), RefUse::press)->shown.shown_by.empty());
  screen.store.note_shown("S1", "usb:1-2", screen.tree.hash);
  screen.store.note_showing("S2", "S2", screen.tree.hash);
  screen.store.note_showing("S1", "usb:1-2", screen.tree.hash);
  const std::string by = find_ref(screen.store, screen.ref(3), RefUse::press)->shown.shown_by;
  CHECK(by == showing("S1", "usb:1-2") + showing("S2", "S2"));
  for (int i = 0; i < 40; ++i) {
    screen.store.note_showing("T" + std::to_string(i), "p", screen.tree.hash);
  }
  const std::string last = screen.store.shown_by(screen.tree.hash);
  CHECK(has_shown(last, "T39", "p"));
  CHECK_FALSE(has_shown(last, "T3", "p"));
  CHECK(screen.store.shown_by("../shown/of S1").empty());
  CHECK(screen.store.shown_by("0123456789ab").empty());
}

TEST_CASE("ref: what names nothing that is held is refused") {
  const HeldScreen screen;
  struct Row {
    std::string ref;
    Errc code;
  };
  const std::string beyond = screen.ref(4);
  const auto row = GENERATE_COPY(values<Row>({{"seven", errc::usage},
                                              {"@1", errc::stale_ref},
                                              {"0123456789ab@1", errc::stale_ref},
                                              {beyond, errc::stale_ref}}));
  CAPTURE(row.ref);
  const auto place = find_ref(screen.store, row.ref, RefUse::press);
  REQUIRE_FALSE(place);
  CHECK(place.error().code() == row.code);
}

TEST_CASE("ref: the part of an id that trees show is its whole id where just one ends so") {
  const auto tree = parse_hierarchy(
      "<?xml version='1.0' encoding='UTF-8' standalone='yes' ?><hierarchy rotation=\"0\">"
      "<node index=\"0\" text=\"1\" resource-id=\"a:id/title\" bounds=\"[0,0][1,1]\" />"
      "<node index=\"1\" text=\"2\" resource-id=\"a:id/title\" bounds=\"[0,0][1,1]\" />"
      "<node index=\"2\" text=\"3\" resource-id=\"a:id/icon\" bounds=\"[0,0][1,1]\" />"
      "<node index=\"3\" text=\"4\" resource-id=\"b:id/icon\" bounds=\"[0,0][1,1]\" />"
      "<node index=\"4\" text=\"5\" resource-id=\"c:id/tag\" bounds=\"[0,0][1,1]\" />"
      "<node index=\"5\" text=\"6\" resource-id=\"tag\" bounds=\"[0,0][1,1]\" /></hierarchy>");
  REQUIRE(tree);
  CHECK(whole_id(*tree, "title") == "a:id/title");
  CHECK(whole_id(*tree, "tag") == "tag");  // Compose's test tags have no slash
  CHECK_FALSE(whole_id(*tree, "icon"));
  CHECK_FALSE(whole_id(*tree, "itle"));
  CHECK_FALSE(whole_id(*tree, "none"));
}
