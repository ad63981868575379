#include "cli/snapshot_text.hpp"

#include <unistd.h>

#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "cli/snapshot_store.hpp"
#include "runtime/contract/json_text.hpp"
#include "runtime/ui/hierarchy.hpp"

using namespace clawperator;
using namespace clawperator::cli;
using namespace adbproto;
namespace fs = std::filesystem;

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

// The store's folder is the user's; these tests have one of their own.
struct OwnCache {
  fs::path path = fs::temp_directory_path() / ("clawperator-cache-" + std::to_string(getpid()));
  OwnCache() { setenv("XDG_CACHE_HOME", path.c_str(), 1); }
  ~OwnCache() { fs::remove_all(path); }
};

}  // namespace

TEST_CASE("snapshot text: each format replaces the text and says what stands there") {
  const OwnCache cache;
  struct Row {
    TreeFormat format;
    const char* name;
    const char* part;
  };
  const auto row = GENERATE(values<Row>({{TreeFormat::xml, "hierarchy_xml", "<hierarchy"},
                                         {TreeFormat::compact, "compact", "@1 \"Hello\""},
                                         {TreeFormat::json, "json", "\"text\":\"Hello\""}}));
  Envelope envelope = envelope_of(screen("Hello"));
  REQUIRE(render_snapshot(envelope, row.format, std::nullopt));
  CHECK(data(envelope, "actual_format") == row.name);
  CHECK(data(envelope, "text").find(row.part) != std::string::npos);
  CHECK(data(envelope, "tree_hash") == hash_of(screen("Hello")));
  CHECK(data(envelope, "since") == "(none)");
  CHECK(SnapshotStore().find(hash_of(screen("Hello"))) == screen("Hello"));
}

TEST_CASE("snapshot text: --since answers unchanged, a diff, or the whole tree") {
  const OwnCache cache;
  SnapshotStore().keep(hash_of(screen("Hello")), screen("Hello"));
  const auto since = read_since(hash_of(screen("Hello")));
  REQUIRE(since);

  Envelope same = envelope_of(screen("Hello"));
  REQUIRE(render_snapshot(same, TreeFormat::compact, *since));
  CHECK(data(same, "text") == "unchanged");
  CHECK(data(same, "since") == "unchanged");

  Envelope other = envelope_of(screen("Bye"));
  REQUIRE(render_snapshot(other, TreeFormat::compact, *since));
  CHECK(data(other, "since") == "diff");
  CHECK(data(other, "actual_format") == "diff");
  CHECK(data(other, "text").find("\"Bye\"") != std::string::npos);

  const auto unknown = read_since("0123456789ab");
  REQUIRE(unknown);
  Envelope whole = envelope_of(screen("Bye"));
  REQUIRE(render_snapshot(whole, TreeFormat::compact, *unknown));
  CHECK(data(whole, "since") == "unknown");
  CHECK(data(whole, "actual_format") == "compact");
  CHECK(data(whole, "text").find("\"Bye\"") != std::string::npos);
}

TEST_CASE("snapshot text: --since reads XML files and what snapshot printed") {
  const OwnCache cache;
  fs::create_directories(cache.path);
  const auto file = [&](const std::string& text) {
    const fs::path path = cache.path / "before";
    std::ofstream(path) << text;
    return path.string();
  };
  const std::string wrapper =
      "{\"envelope\":" + to_json(envelope_of(screen("Hello"))) + ",\"deviceId\":\"x\"}";
  for (const std::string& text : {screen("Hello"), wrapper + "\n"}) {
    const auto since = read_since(file(text));
    REQUIRE(since);
    REQUIRE(since->tree);
    CHECK(since->tree->hash == hash_of(screen("Hello")));
  }
}

TEST_CASE("snapshot text: a file that is neither is refused") {
  const OwnCache cache;
  fs::create_directories(cache.path);
  const auto text = GENERATE(as<std::string>{}, "", "hello", "{}", "{\"envelope\":3}",
                             "{\"envelope\":{\"stepResults\":[1,{\"data\":{\"text\":5}}]}}");
  const fs::path path = cache.path / "bad";
  std::ofstream(path) << text;
  const auto since = read_since(path.string());
  REQUIRE_FALSE(since);
  CHECK(since.error().code() == errc::file_unreadable);
  CHECK_FALSE(read_since((cache.path / "nothing").string()));
}

TEST_CASE("snapshot text: an envelope without a hierarchy is left alone") {
  Envelope failed = envelope_of("");
  failed.step_results[1].success = false;
  const Envelope before = failed;
  REQUIRE(render_snapshot(failed, TreeFormat::json, std::nullopt));
  CHECK(failed == before);
}
