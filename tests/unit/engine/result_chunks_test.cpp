#include "runtime/engine/result_chunks.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "base/json_document.hpp"
#include "runtime/contract/errc.hpp"
#include "support/collector_bench.hpp"
#include "support/result_records.hpp"

using namespace clawperator;
using namespace clawperator::testing;

namespace {

Json json_of(const std::string& record) { return Json::parse(record.substr(record.find('{'))); }

// What the reader makes of these records, in this order.
Result<std::string> read(const std::vector<std::string>& records) {
  ResultChunks chunks;
  for (const std::string& record : records) TRY_VOID(chunks.add(json_of(record)));
  if (!chunks.is_whole()) return fail(errc::limit, "not whole");
  return chunks.take_line();
}

std::string with(std::string record, const char* name, const Json& value) {
  Json json = json_of(record);
  json[name] = value;
  return "[Clawperator-Result-Chunk] " + json.dump();
}

}  // namespace

TEST_CASE("chunks: the published vector", "[engine][today]") {
  // operator-today: 2827 x make 3001 bytes, 3 records of 1024, 1024, 953 bytes, this digest.
  const std::string line =
      R"([Clawperator-Result] {"commandId":"c1","taskId":"t1","status":"success","stepResults":[)"
      R"({"id":"a1","actionType":"snapshot_ui","success":true,"data":{"text":")" +
      std::string(2827, 'x') + R"("}}],"error":null})";
  REQUIRE(line.size() == 3001);
  const auto records = result_records(line, "c1", "t1");
  REQUIRE(records.size() == 3);
  CHECK(json_of(records[0])["sha256"] ==
        "95444a5ef0d0edffedae29126d5f8a975d48f61ba01705589cbd54d7aa946af7");
  CHECK(json_of(records[0])["data"].get<std::string>().size() == 1368);
  CHECK(json_of(records[2])["data"].get<std::string>().size() == 1272);
  const auto whole = read(records);
  REQUIRE(whole);
  CHECK((*whole == line));
}

TEST_CASE("chunks: a character may be cut in two", "[engine][today]") {
  for (std::size_t shift = 0; shift < 4; ++shift) {
    const std::string line = envelope(kId, std::string(shift, 'x') + repeated("🦀", 2000));
    const auto whole = read(result_records(line, kId, "t"));
    REQUIRE(whole);
    CHECK((*whole == line));
  }
}

TEST_CASE("chunks: what a log and an app can do to records", "[engine][today]") {
  const std::string line = envelope(kId, repeated("abcdefgh", 600));
  const auto all = result_records(line, kId, "t");
  REQUIRE(all.size() == 5);
  const std::string bad_data = with(all[1], "data", Json(std::string(1366, 'A') + "=="));
  struct Row {
    const char* name;
    std::vector<std::string> records;
    const char* problem;  // nullptr: the result is whole
    bool lost = false;
  };
  const auto row = GENERATE_COPY(values<Row>({
      {"all", all, nullptr},
      {"one twice", {all[0], all[1], all[1], all[2], all[3], all[4]}, nullptr},
      {"an earlier one again", {all[0], all[1], all[0], all[2], all[3], all[4]}, nullptr},
      {"the last one twice", {all[0], all[1], all[2], all[3], all[4], all[4]}, nullptr},
      {"one twice, the second time otherwise", {all[0], all[1], bad_data}, "other data"},
      {"the first one missing", {all[1], all[2]}, "lost record 1", true},
      {"one in the middle missing", {all[0], all[1], all[3]}, "lost record 3", true},
      {"two swapped", {all[0], all[2], all[1]}, "lost record 2", true},
      {"other data in one", {all[0], bad_data, all[2], all[3], all[4]}, "sha256"},
      {"another digest in all of them",
       {with(all[0], "sha256", std::string(64, '0'))},
       "not whole"},
      {"another digest later", {all[0], with(all[1], "sha256", std::string(64, '0'))}, "another"},
      {"another task later", {all[0], with(all[1], "taskId", "u")}, "another"},
      {"another count later", {all[0], with(all[1], "count", 6)}, "another"},
      {"a count that does not fit", {with(all[0], "count", 4)}, "do not fit"},
      {"no bytes", {with(with(all[0], "byteLength", 0), "count", 0)}, "do not fit"},
      {"more than 64 MiB", {with(all[0], "byteLength", (64 << 20) + 1)}, "64 MiB"},
      {"no index", {with(all[0], "index", nullptr)}, "index"},
      {"half an index", {with(all[0], "index", 0.5)}, "index"},
      {"an index below zero", {with(all[0], "index", -1)}, "index"},
      {"no base64", {with(all[0], "data", "%%%%")}, "data"},
      {"too short", {with(all[0], "data", "QUFB")}, "as long"},
      {"no task", {with(all[0], "taskId", "")}, "taskId"},
      {"no digest", {with(all[0], "sha256", "ABC")}, "sha256"},
      {"an index behind the last one",
       {all[0], all[1], all[2], all[3], all[4], with(all[4], "index", 5)},
       "as long"},
  }));
  INFO(row.name);
  ResultChunks chunks;
  Result<void> added;
  for (const std::string& record : row.records) {
    if (added) added = chunks.add(json_of(record));
  }
  if (!row.problem) {
    REQUIRE(added);
    REQUIRE(chunks.is_whole());
    CHECK((chunks.take_line() == line));
    return;
  }
  CHECK(chunks.is_lost() == row.lost);
  if (std::string_view(row.problem) == "not whole") {
    CHECK_FALSE(chunks.is_whole());
    return;
  }
  REQUIRE_FALSE(added);
  CHECK(added.error().code() == errc::result_envelope_malformed);
  CHECK_THAT(added.error().members(), Catch::Contains(row.problem));
}

TEST_CASE("chunks: 64 MiB announced reserve nothing", "[engine][today]") {
  const std::string line(1024, 'x');
  std::string record = result_records(line + line, kId, "t")[0];
  record = with(with(record, "byteLength", 64 << 20), "count", 65536);
  ResultChunks chunks;
  REQUIRE(chunks.add(json_of(record)));
  CHECK(chunks.held() == 1024);
  CHECK(chunks.count() == 65536);
}

TEST_CASE("collector: a result in records is the envelope", "[engine][today]") {
  const bool renamed = GENERATE(false, true);
  std::string text = envelope(kId, repeated("界", 3000));
  if (renamed) text.replace(0, std::string("[Clawperator-").size(), "[Androperator-");
  Collected at;
  const auto records = result_records(text, kId, "t");
  for (const std::string& record : records) {
    CHECK_FALSE(at.collector.envelope());
    at.log(record);
    at.log(result_records(envelope("cmd-8", repeated("y", 3000)), "cmd-8", "t")[0]);
    at.log("[Clawperator-Result-Chunk] {\"commandId\":\"cmd-8\", cut");
  }
  CHECK((at.text() == repeated("界", 3000)));
  CHECK(at.collector.correlated() == std::vector<std::string>{std::string(kStart)});
  for (const std::string& record : records) at.log(record);  // a second delivery changes nothing
  CHECK((at.text() == repeated("界", 3000)));
}

TEST_CASE("collector: records of another result than they say", "[engine][today]") {
  struct Row {
    const char* name;
    std::string line;
    const char* problem;
  };
  const auto row = GENERATE(values<Row>({
      {"another command's", envelope("cmd-8", repeated("y", 3000)), "another command"},
      {"no result", "[Clawperator-Event] " + repeated("y", 3000), "something else"},
      {"no JSON", "[Clawperator-Result] " + repeated("y", 3000), ""},
  }));
  INFO(row.name);
  Collected at;
  Result<void> added;
  for (const std::string& record : result_records(row.line, kId, "t")) {
    if (added) added = at.collector.add(line(record));
  }
  REQUIRE_FALSE(added);
  CHECK(added.error().code() == errc::result_envelope_malformed);
  CHECK_THAT(added.error().members(), Catch::Contains(row.problem));
}

TEST_CASE("collector: records name the task of the result that they make up", "[engine][today]") {
  Collected at;
  Result<void> added;
  for (const std::string& record : result_records(envelope(kId, repeated("y", 3000)), kId, "u")) {
    if (added) added = at.collector.add(line(record));
  }
  REQUIRE_FALSE(added);
  CHECK_THAT(added.error().members(), Catch::Contains("taskId"));
}

TEST_CASE("collector: the app's word that all was written shows what the log lost",
          "[engine][today]") {
  const std::string written =
      R"([Clawperator-Publication] {"commandId":"cmd-7","taskId":"t","event":"writes_completed"})";
  const std::string started =
      R"([Clawperator-Publication] {"commandId":"cmd-7","taskId":"t","event":"started"})";
  const auto records = result_records(envelope(kId, repeated("y", 3000)), kId, "t");
  const std::size_t kept = GENERATE(0u, 1u, 2u);
  Collected at;
  at.log(started);
  for (std::size_t i = 0; i < kept; ++i) at.log(records[i]);
  CHECK_FALSE(at.collector.is_lost());
  const auto added = at.collector.add(line(written));
  REQUIRE_FALSE(added);
  CHECK(at.collector.is_lost());
  CHECK_THAT(added.error().message(), Catch::Contains("ran the command"));
  CHECK_THAT(added.error().members(), Catch::Contains(R"("receipt":"lost")"));

  Collected whole;
  whole.log(started);
  for (const std::string& record : records) whole.log(record);
  whole.log(written);
  CHECK(whole.collector.envelope().has_value());
}

TEST_CASE("collector: a large result in records is left unread, too", "[engine][today]") {
  Collected at;
  at.collector.leave_results_above(1000);
  for (const std::string& record : result_records(envelope(kId, repeated("y", 3000)), kId, "t")) {
    at.log(record);
  }
  REQUIRE(at.collector.unread());
  CHECK(at.collector.held() >= 3000);
  REQUIRE(at.collector.finish_unread(parse_envelope(*at.collector.unread())));
  CHECK((at.text() == repeated("y", 3000)));
}
