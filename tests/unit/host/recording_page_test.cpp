#include "runtime/host/recording/page.hpp"

#include <catch2/catch.hpp>

#include "runtime/host/recording/page_parts.hpp"
#include "runtime/ui/hierarchy.hpp"

using namespace clawperator;

namespace {

std::string node(const std::string& attributes, const std::string& inner = "") {
  return "<node class=\"android.view.View\" " + attributes + ">" + inner + "</node>";
}

UiTree tree_of(const std::string& nodes) {
  return parse_hierarchy("<hierarchy rotation=\"0\">" + nodes + "</hierarchy>").value();
}

bool has(const std::string& text, std::string_view part) { return text.find(part) != text.npos; }

}  // namespace

TEST_CASE("page: foreign text stays text") {
  CHECK(escape_html("<a href=\"x\" title='y'>&amp;") ==
        "&lt;a href=&quot;x&quot; title=&#39;y&#39;&gt;&amp;amp;");
  CHECK(escape_html("line\n\ttab") == "line\n\ttab");
  CHECK(escape_html("Zürich 日本 👍") == "Zürich 日本 👍");
}

TEST_CASE("page: controls and turned directions are shown as what they are, unwanted") {
  const std::string box = "\xef\xbf\xbd";
  CHECK(escape_html(std::string("\0\x1b\x7f\r", 4)) == box + box + box + box);
  CHECK(escape_html("\u009b\u202e\u2066\u2069") == box + box + box + box);
  CHECK(escape_html("\u2014\u200d") == "\u2014\u200d");
  CHECK(escape_html("\xe2\x80") == box + box);
}

TEST_CASE("page: what fills a place is not filled again") {
  const std::array<Place, 2> places{{{"a", "{{b}}"}, {"b", "x"}}};
  CHECK(fill_places("<{{a}}|{{b}}|{{c}}|{{", places) == "<{{b}}|x||{{");
}

TEST_CASE("page: spans and times in words") {
  CHECK(span_in_words(0) == "0.0 s");
  CHECK(span_in_words(449) == "0.4 s");
  CHECK(span_in_words(59'900) == "59.9 s");
  CHECK(span_in_words(65'000) == "1 min 05 s");
  CHECK(span_in_words(7'380'000) == "2 h 03 min");
  CHECK(span_in_words(-1500) == "-1.5 s");
  CHECK(span_in_words(1e300) == "1e+300 ms");
  CHECK(time_in_words(1767225600000) == "2026-01-01 00:00:00 UTC");
  CHECK(time_in_words(951'782'399'999) == "2000-02-28 23:59:59 UTC");
  CHECK(time_in_words(-1) == "1969-12-31 23:59:59 UTC");
  CHECK(time_in_words(1e300) == "1e+300");
}

TEST_CASE("page: the touched node is the one that agrees most") {
  const UiTree tree =
      tree_of(node("bounds=\"[0,0][100,100]\"",
                   node("bounds=\"[0,0][50,50]\" clickable=\"true\" resource-id=\"a\"",
                        node("bounds=\"[0,0][50,50]\" text=\"inner\"")) +
                       node("bounds=\"[50,50][100,100]\" text=\"other\"")));
  RecordedEvent event;
  event.kind = RecordedKind::click;
  event.bounds = {0, 0, 50, 50};
  event.resource_id = "a";
  CHECK(find_touched(tree, event) == 1);
  event.resource_id.reset();
  event.text = "inner";
  CHECK(find_touched(tree, event) == 2);
  event.bounds = {1, 1, 50, 50};
  CHECK(find_touched(tree, event) == kNoNode);
}

TEST_CASE("page: the tree marks the row of the touched node, or of the nearest above it") {
  const UiTree tree =
      tree_of(node("bounds=\"[0,0][100,100]\" clickable=\"true\" content-desc=\"<b>\"",
                   node("bounds=\"[0,0][50,50]\"") + node("bounds=\"[0,50][50,90]\" text=\"x\"")));
  const std::string marked = tree_html(tree, 1);
  CHECK(has(marked, "<mark>└─ @1 "));
  CHECK(has(marked, "&lt;b&gt;"));
  CHECK_FALSE(has(marked, "<b>"));
  CHECK_FALSE(has(tree_html(tree, kNoNode), "<mark>"));
}

TEST_CASE("page: a drawing has the screen's size and never leaves it") {
  const UiTree tree = tree_of(node("bounds=\"[0,0][1080,2400]\"",
                                   node("bounds=\"[-50,10][99999,60]\" text=\"&lt;script&gt;\"")));
  const std::string svg = screen_svg(&tree, nullptr, Bounds{-5, -5, 1'000'000, 20});
  CHECK(has(svg, "viewBox=\"0 0 1080 2400\""));
  CHECK(has(svg, "<rect class=\"node\" x=\"0\" y=\"10\" width=\"1080\" height=\"50\""));
  CHECK(has(svg, "<rect class=\"touched\" x=\"0\" y=\"0\" width=\"1080\" height=\"20\""));
  CHECK(has(svg, "&lt;script&gt;"));
  CHECK_FALSE(has(svg, "<script"));
}

TEST_CASE("page: without a picture or an area there is no drawing") {
  const UiTree flat = tree_of(node("bounds=\"[0,0][0,0]\""));
  CHECK(screen_svg(&flat, nullptr, std::nullopt).empty());
  CHECK(screen_svg(nullptr, nullptr, std::nullopt).empty());
  const RecordedPicture picture{0, "s-0.png", 30, 60, "QUJD"};
  CHECK(has(screen_svg(nullptr, &picture, std::nullopt), "href=\"data:image/png;base64,QUJD\""));
  CHECK(has(screen_svg(nullptr, &picture, std::nullopt), "viewBox=\"0 0 30 60\""));
}

TEST_CASE("page: it names no other place than its own anchors and pictures in itself") {
  const Recording recording =
      parse_recording(
          R"({"type":"recording_header","schemaVersion":1,"sessionId":"https://x.example","startedAt":0,"operatorPackage":"o"})"
          "\n"
          R"({"ts":1,"seq":0,"type":"window_change","packageName":"p","snapshot":null})")
          .value();
  const std::string page = recording_page(recording, {}, Snapshots::include);
  CHECK(has(page, "default-src 'none'; img-src data:; style-src 'sha256-"));
  CHECK_FALSE(has(page, "<script"));
  CHECK_FALSE(has(page, "src=\""));
  CHECK_FALSE(has(page, "{{"));
  CHECK_FALSE(has(page, " style="));
  CHECK_FALSE(has(page, "href=\"http"));
  CHECK_FALSE(has(std::string(kPageStyle), "url("));
  CHECK_FALSE(has(std::string(kPageStyle), "@import"));
}

TEST_CASE("page: with the snapshots left out there are no trees") {
  const Recording recording =
      parse_recording(
          R"({"type":"recording_header","schemaVersion":1,"sessionId":"s","startedAt":0,"operatorPackage":"o"})"
          "\n"
          R"({"ts":1,"seq":0,"type":"window_change","packageName":"p","snapshot":"<hierarchy rotation=\"0\"><node text=\"secret\" bounds=\"[0,0][9,9]\"/></hierarchy>"})")
          .value();
  CHECK(has(recording_page(recording, {}, Snapshots::include), "secret"));
  CHECK_FALSE(has(recording_page(recording, {}, Snapshots::omit), "secret"));
  CHECK_FALSE(has(export_json(recording, {}, Snapshots::omit), "secret"));
}

TEST_CASE("page: a click on something without words is called by the words inside it") {
  const UiTree tree = tree_of(
      node("bounds=\"[0,0][9,9]\"",
           node("bounds=\"[0,0][5,5]\"",
                node("bounds=\"[0,0][4,4]\"") + node("bounds=\"[0,0][3,3]\" content-desc=\"in\"")) +
               node("bounds=\"[5,5][9,9]\" text=\"beside\"")));
  CHECK(text_within(tree, 1) == "in");
  CHECK(text_within(tree, 2).empty());
  CHECK(text_within(tree, kNoNode).empty());
  RecordedEvent event;
  event.kind = RecordedKind::click;
  event.resource_id = "com.x:id/row";
  CHECK(event_in_words(event, false, "in") == "Click “in”");
  CHECK(event_in_words(event, false) == "Click #row");
  event.text = "own";
  CHECK(event_in_words(event, false, "in") == "Click “own”");
}
