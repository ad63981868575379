#include "simdroid/operator/publication.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "adbproto/crypto/sha256.hpp"
#include "adbproto/wire/base64.hpp"

using namespace simdroid;
namespace {

const OperatorNames& old_names() { return operator_names()[0]; }

std::string sample_line(std::size_t filler) {
  return R"([Clawperator-Result] {"commandId":"c1","taskId":"t1","status":"success",)"
         R"("stepResults":[{"id":"a1","actionType":"snapshot_ui","success":true,"data":{"text":")" +
         std::string(filler, 'x') + R"("}}],"error":null})";
}

std::string bytes_of(const nlohmann::ordered_json& record) {
  const auto bytes = adbproto::decode_base64(record["data"].get<std::string>()).value();
  return std::string(adbproto::as_text(bytes));
}

}  // namespace

TEST_CASE("publication: up to 3000 bytes the line itself") {
  const std::string line = sample_line(2826);
  REQUIRE(line.size() == 3000);
  CHECK(result_records(old_names(), {"c1", "t1"}, line) == std::vector{line});
}

TEST_CASE("publication: 3001 bytes are three records") {
  const std::string line = sample_line(2827);
  REQUIRE(line.size() == 3001);
  const auto records = result_records(old_names(), {"c1", "t1"}, line);
  REQUIRE(records.size() == 3);
  CHECK(records[0].starts_with(
      R"([Clawperator-Result-Chunk] {"commandId":"c1","taskId":"t1","index":0,"count":3,)"
      R"("byteLength":3001,)"
      R"("sha256":"95444a5ef0d0edffedae29126d5f8a975d48f61ba01705589cbd54d7aa946af7","data":")"));
  std::string joined;
  for (std::size_t i = 0; i < records.size(); ++i) {
    const nlohmann::ordered_json record =
        nlohmann::ordered_json::parse(records[i].substr(records[i].find(' ')));
    CHECK(record["index"] == i);
    CHECK(record["data"].get<std::string>().size() == (i < 2 ? 1368 : 1272));
    joined += bytes_of(record);
  }
  CHECK(joined == line);
}

TEST_CASE("publication: a character may lie in two records") {
  std::string line = "[Clawperator-Result] ";
  while (line.size() < 4000) line += "\xc3\xa9";
  const auto records = result_records(old_names(), {"c", "t"}, line);
  const std::string first =
      bytes_of(nlohmann::ordered_json::parse(records[0].substr(records[0].find(' '))));
  CHECK(first.size() == 1024);
  CHECK(first.back() == '\xc3');
}

TEST_CASE("publication: the new names are in prefix and digest") {
  const OperatorNames& names = operator_names()[1];
  const std::string line = names.line("Result", std::string(4000, '{'));
  const auto records = result_records(names, {"c", "t"}, line);
  CHECK(records[0].starts_with("[Androperator-Result-Chunk] {"));
  CHECK(records[0].contains(adbproto::sha256_of(line)));
}

TEST_CASE("publication: the lines around count records and bytes") {
  CHECK(publication_started(old_names(), {"c", "t"}, 3000) ==
        R"([Clawperator-Publication] {"commandId":"c","taskId":"t","event":"started",)"
        R"("byteLength":3000,"recordCount":1,"chunkCount":0,"writtenRecords":0,"elapsedMs":0})");
  CHECK(publication_completed(old_names(), {"c", "t"}, 3001, std::chrono::milliseconds(2)) ==
        R"([Clawperator-Publication] {"commandId":"c","taskId":"t","event":"writes_completed",)"
        R"("byteLength":3001,"recordCount":3,"chunkCount":3,"writtenRecords":3,"elapsedMs":2})");
}
