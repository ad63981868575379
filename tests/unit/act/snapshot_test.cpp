#include "runtime/act/snapshot.hpp"

#include <catch2/catch.hpp>

#include "runtime/ui/describe.hpp"
#include "runtime/ui/diff.hpp"
#include "runtime/ui/errc.hpp"
#include "runtime/ui/hierarchy.hpp"
#include "support/temp_folder.hpp"

using namespace clawperator;
using namespace clawperator::act;
using namespace adbproto;

namespace {

std::string screen(const std::string& text) {
  return "<?xml version='1.0' encoding='UTF-8' standalone='yes' ?><hierarchy rotation=\"0\">"
         "<node index=\"0\" text=\"" +
         text +
         "\" resource-id=\"a:id/b\" "
         "class=\"android.widget.TextView\" package=\"a\" content-desc=\"\" checkable=\"false\" "
         "checked=\"false\" clickable=\"true\" enabled=\"true\" focusable=\"false\" "
         "focused=\"false\" scrollable=\"false\" long-clickable=\"false\" password=\"false\" "
         "selected=\"false\" bounds=\"[0,0][10,20]\" /></hierarchy>";
}

Envelope envelope_of(const std::string& xml) {
  Envelope envelope;
  envelope.status = EnvelopeStatus::success;
  envelope.step_results = {
      {"o", "open_app", true, {}},
      {"snap", "snapshot_ui", true, {{"actual_format", "hierarchy_xml"}, {"text", xml}}}};
  return envelope;
}

const std::string& data(const Envelope& envelope, std::string_view key) {
  static const std::string kNone = "(none)";
  const auto* value = find_data(envelope.step_results[1].data, key);
  return value ? *value : kNone;
}

std::string hash_of(const std::string& xml) { return parse_hierarchy(xml)->hash; }

struct OwnStore {
  adbproto::testing::TempFolder folder;
  SnapshotStore store{folder.path()};
};

Result<std::string> render(Envelope& envelope, const SnapshotRequest& request,
                           const NaturalSize& natural, const SnapshotStore& store) {
  return render_step(envelope.step_results.at(1), request, natural, store);
}

}  // namespace

TEST_CASE("snapshot: each format replaces the text and says what stands there") {
  const OwnStore own;
  struct Row {
    TreeFormat format;
    const char* name;
    const char* part;
  };
  const auto row = GENERATE(values<Row>({{TreeFormat::xml, "hierarchy_xml", "<hierarchy"},
                                         {TreeFormat::compact, "compact", "@1 \"Hello\""},
                                         {TreeFormat::nodes, "nodes", "\"text\":\"Hello\""}}));
  Envelope envelope = envelope_of(screen("Hello"));
  REQUIRE(render(envelope, {row.format, std::nullopt}, std::nullopt, own.store));
  CHECK(data(envelope, "actual_format") == row.name);
  CHECK(data(envelope, "text").find(row.part) != std::string::npos);
  CHECK(data(envelope, "tree_hash") == hash_of(screen("Hello")));
  CHECK(data(envelope, "since") == "(none)");
  CHECK(own.store.find(hash_of(screen("Hello"))) == screen("Hello"));
}

TEST_CASE("snapshot: a comparison answers unchanged, a diff, or the whole tree") {
  const OwnStore own;
  const Since since{*parse_hierarchy(screen("Hello"))};

  Envelope same = envelope_of(screen("Hello"));
  REQUIRE(render(same, {TreeFormat::compact, since}, std::nullopt, own.store));
  CHECK(data(same, "text") == "unchanged");
  CHECK(data(same, "since") == "unchanged");

  Envelope other = envelope_of(screen("Bye"));
  REQUIRE(render(other, {TreeFormat::compact, since}, std::nullopt, own.store));
  CHECK(data(other, "since") == "whole");  // which is shorter here
  CHECK(data(other, "actual_format") == "compact");
  CHECK(data(other, "text").find("\"Bye\"") != std::string::npos);

  Envelope whole = envelope_of(screen("Bye"));
  REQUIRE(render(whole, {TreeFormat::compact, Since{}}, std::nullopt, own.store));
  CHECK(data(whole, "since") == "unknown");
  CHECK(data(whole, "actual_format") == "compact");
  CHECK(data(whole, "text").find("\"Bye\"") != std::string::npos);
}

TEST_CASE("snapshot: an envelope without a hierarchy is left alone") {
  Envelope failed = envelope_of("");
  failed.step_results[1].success = false;
  const Envelope before = failed;
  const OwnStore own;
  REQUIRE(render(failed, {TreeFormat::nodes, std::nullopt}, std::nullopt, own.store));
  CHECK(failed == before);
}

TEST_CASE("snapshot: the tree of an envelope is kept; without one the device's error is reported") {
  const OwnStore own;
  const auto tree = observe(envelope_of(screen("Hello")), own.store);
  REQUIRE(tree);
  CHECK(own.store.find(tree->hash) == screen("Hello"));

  Envelope failed;
  CHECK(observe(failed, own.store).error().message() == "the device gave no hierarchy");
  failed.error = "the service is off";
  CHECK(observe(failed, own.store).error().code() == errc::snapshot_extraction_failed);
  CHECK(observe(failed, own.store).error().message() == "the service is off");
}

TEST_CASE("snapshot: the device's size is turned as the screen is") {
  const OwnStore own;
  std::string turned = screen("Hello");
  turned.replace(turned.find("rotation=\"0\""), 12, "rotation=\"3\"");
  CHECK(observe(screen("Hello"), ScreenSize{30, 40}, own.store)->screen == ScreenSize{30, 40});
  CHECK(observe(turned, ScreenSize{30, 40}, own.store)->screen == ScreenSize{40, 30});
}

TEST_CASE("snapshot: a difference is never longer than the tree", "[D11]") {
  const OwnStore own;
  const UiTree before = *parse_hierarchy(screen("Hello"));
  Envelope envelope = envelope_of(screen("Bye"));
  REQUIRE(render(envelope, {TreeFormat::compact, Since{before}}, std::nullopt, own.store));
  const UiTree now = *parse_hierarchy(screen("Bye"));
  const bool diff_is_shorter = diff_text(before, now).size() < to_compact(now).size();
  CHECK(data(envelope, "text") == (diff_is_shorter ? diff_text(before, now) : to_compact(now)));
}

TEST_CASE("snapshot: a tree that the caller has read is named by its hash", "[D2]") {
  const OwnStore own;
  const UiTree before = *parse_hierarchy(screen("Hello"));
  const std::string hash = hash_of(screen("Bye"));
  for (const bool is_last : {true, false}) {
    SnapshotRequest request{TreeFormat::compact, Since{before}};
    request.shown = {before.hash, "0123456789ab", hash};
    if (is_last) request.shown = {hash, before.hash};
    Envelope envelope = envelope_of(screen("Bye"));
    REQUIRE(render(envelope, request, std::nullopt, own.store));
    CHECK(data(envelope, "since") == "shown");
    CHECK(data(envelope, "text") ==
          (is_last ? "as last shown: hash " : "as shown before, with the refs of then: hash ") +
              hash);
    CHECK(own.store.find(hash) == screen("Bye"));  // its refs can be used
  }
}
