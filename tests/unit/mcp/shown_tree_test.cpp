#include "runtime/mcp/acting.hpp"

#include <catch2/catch.hpp>

#include "runtime/ui/describe.hpp"
#include "runtime/ui/diff.hpp"
#include "runtime/ui/errc.hpp"
#include "support/temp_folder.hpp"
#include "unit/ui/widget.hpp"

using namespace clawperator;
using namespace clawperator::mcp;
using test::Widget;

namespace {

// Rows of an app; `first` is what the first of them says.
std::vector<Widget> screen(const std::string& first, int rows) {
  Widget root{.children = {}};
  for (int i = 0; i < rows; ++i) {
    root.children.push_back({.class_name = "android.widget.TextView",
                             .text = i == 0 ? first : "row " + std::to_string(i),
                             .bounds = {0, 10 * i, 100, 10 * i + 10}});
  }
  return {root};
}

Envelope envelope_of(const std::vector<Widget>& windows) {
  Envelope envelope;
  envelope.status = EnvelopeStatus::success;
  envelope.step_results = {
      {.id = "a1",
       .action_type = "snapshot_ui",
       .success = true,
       .data = {{"actual_format", "hierarchy_xml"}, {"text", test::to_xml(windows)}}}};
  return envelope;
}

struct Shown {
  adbproto::testing::TempFolder folder;
  act::SnapshotStore store{folder.path()};

  ShownTree show(const std::vector<Widget>& windows, const ShowRequest& wanted = {}) {
    const auto tree = show_tree(store, envelope_of(windows), wanted);
    REQUIRE(tree);
    return *tree;
  }
};

ShowRequest since(const ShownTree& tree) { return {.showing = Showing::diff, .since = tree.hash}; }

}  // namespace

TEST_CASE("mcp tree: it is compact, whole, or what changed since another one") {
  Shown shown;
  const auto before = screen("one", 9), after = screen("two", 9);
  const ShownTree first = shown.show(before);
  CHECK(first.text == to_compact(test::tree_of(before)));
  CHECK(first.hash == test::tree_of(before).hash);
  CHECK(shown.show(after, {.showing = Showing::full}).text == test::to_xml(after));
  const ShownTree second = shown.show(after, since(first));
  CHECK(second.text == diff_text(test::tree_of(before), test::tree_of(after)));
  CHECK(second.hash == test::tree_of(after).hash);
  CHECK(shown.show(after, since(second)).text == "unchanged");
}

TEST_CASE(
    "mcp tree: a diff without a beginning, or from what is no longer held, is the whole tree") {
  Shown shown;
  const auto windows = screen("one", 9);
  const std::string whole = to_compact(test::tree_of(windows));
  CHECK(shown.show(windows, {.showing = Showing::diff}).text == whole);
  CHECK(shown.show(windows, {.showing = Showing::diff, .since = "ffffffffffff"}).text == whole);
}

TEST_CASE("mcp tree: a diff is never longer than the whole tree") {
  Shown shown;
  const ShownTree first = shown.show(screen("one", 2));
  const auto other = screen("another word", 1);
  CHECK(diff_text(test::tree_of(screen("one", 2)), test::tree_of(other)).size() >
        to_compact(test::tree_of(other)).size());
  CHECK(shown.show(other, since(first)).text == to_compact(test::tree_of(other)));
}

TEST_CASE("mcp tree: an execution without a snapshot has no tree") {
  const adbproto::testing::TempFolder folder;
  const auto text = show_tree(act::SnapshotStore(folder.path()), Envelope{}, {});
  REQUIRE_FALSE(text);
  CHECK(text.error().code() == errc::snapshot_extraction_failed);
}

TEST_CASE("mcp tree: a text is cut after a whole line, and says how many are missing") {
  CHECK(cut_lines("one\ntwo\n", 8) == "one\ntwo\n");
  CHECK(cut_lines("one\ntwo\nthree", 8) == "one\ntwo\n(1 more lines were left out: max_bytes)");
  CHECK(cut_lines("one\ntwo\nthree\n", 5) == "one\n(2 more lines were left out: max_bytes)");
  CHECK(cut_lines("one line that is long", 5) == "(1 more lines were left out: max_bytes)");
}
