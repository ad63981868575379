// What can go wrong between the Operator app and the log, with results in records.
#include "simdroid/operator/operator_app.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "adbproto/wire/base64.hpp"
#include "loopback/simdroid/sim_support.hpp"

using namespace simdroid;
using simdroid::testing::SimHost;
using Json = nlohmann::ordered_json;

namespace {

constexpr const char* kSnapshot = R"({"id":"a","type":"snapshot_ui"})";
constexpr const char* kHome = R"({"id":"b","type":"press_key","params":{"key":"home"}})";

void broadcast(SimHost& sim, const std::string& actions, const std::string& id = "c1",
               const std::string& names = "clawperator", int timeout_ms = 5000) {
  const auto ran = sim.shell(
      "am broadcast -a app." + names + ".operator.ACTION_AGENT_COMMAND -p com." + names +
      ".operator --es payload '{\"commandId\":\"" + id +
      "\",\"taskId\":\"t1\",\"source\":\"s\",\"timeoutMs\":" + std::to_string(timeout_ms) +
      ",\"actions\":[" + actions + "]}'");
  REQUIRE(ran.status == 0);
}

void begin_fault(SimHost& sim, const std::string& words) {
  const auto done = sim.shell("simctl fault " + words);
  INFO(done.err);
  REQUIRE(done.status == 0);
}

struct Entry {
  int pid;
  std::string message;
};

// The app's entries whose message begins with this.
std::vector<Entry> entries(SimHost& sim, std::string_view prefix) {
  std::vector<Entry> found;
  const LogBuffer& log = sim.phone().log;
  for (auto at = log.first(); at < log.end(); ++at) {
    if (log.at(at).message.starts_with(prefix)) {
      found.push_back({log.at(at).pid, log.at(at).message});
    }
  }
  return found;
}

std::vector<Json> records(SimHost& sim) {
  std::vector<Json> found;
  for (const Entry& entry : entries(sim, "[Clawperator-Result-Chunk] ")) {
    found.push_back(Json::parse(entry.message.substr(entry.message.find(' '))));
  }
  return found;
}

std::vector<int> indices(SimHost& sim) {
  std::vector<int> found;
  for (const Json& record : records(sim)) found.push_back(record["index"]);
  return found;
}

Json envelope(SimHost& sim) {
  const auto found = entries(sim, "[Clawperator-Result] ");
  REQUIRE(found.size() == 1);
  return Json::parse(found[0].message.substr(found[0].message.find(' ')));
}

}  // namespace

TEST_CASE("simdroid operator: a long result is records between two lines") {
  SimHost sim;
  broadcast(sim, kSnapshot);
  const auto all = records(sim);
  REQUIRE(all.size() > 3);
  std::string line;
  for (std::size_t i = 0; i < all.size(); ++i) {
    CHECK(all[i]["index"] == i);
    CHECK(all[i]["count"] == all.size());
    const auto bytes = adbproto::decode_base64(all[i]["data"].get<std::string>()).value();
    line += adbproto::as_text(bytes);
  }
  CHECK(line.size() == all[0]["byteLength"]);
  CHECK(line.starts_with(R"([Clawperator-Result] {"commandId":"c1")"));
  CHECK(entries(sim, "[Clawperator-Result] ").empty());
  CHECK(entries(sim, "[Clawperator-Publication] ").size() == 2);
}

TEST_CASE("simdroid operator: a refusal by the receiver is one line with nothing around it") {
  SimHost sim;
  begin_fault(sim, "accessibility-off");
  broadcast(sim, kSnapshot);
  CHECK(envelope(sim)["errorCode"] == "SERVICE_UNAVAILABLE");
  CHECK(entries(sim, "[Clawperator-Publication] ").empty());
}

TEST_CASE("simdroid operator: records are lost, repeated, swapped") {
  SimHost sim;
  broadcast(sim, kSnapshot);
  const auto whole = indices(sim);
  const std::size_t middle = whole.size() / 2;
  sim.shell("logcat -c");
  auto wanted = whole;
  const auto at = [&](std::size_t i) { return wanted.begin() + static_cast<std::ptrdiff_t>(i); };
  SECTION("last") {
    begin_fault(sim, "piece-lost");
    wanted.pop_back();
  }
  SECTION("first") {
    begin_fault(sim, "piece-lost first");
    wanted.erase(at(0));
  }
  SECTION("middle") {
    begin_fault(sim, "piece-lost middle");
    wanted.erase(at(middle));
  }
  SECTION("all") {
    begin_fault(sim, "piece-lost all");
    wanted.clear();
  }
  SECTION("repeated") {
    begin_fault(sim, "piece-repeated");
    wanted.insert(at(middle), static_cast<int>(middle));
  }
  SECTION("swapped") {
    begin_fault(sim, "pieces-swapped");
    std::swap(wanted[middle - 1], wanted[middle]);
  }
  broadcast(sim, kSnapshot);
  CHECK(indices(sim) == wanted);
  CHECK(entries(sim, "[Clawperator-Publication] ").size() == 2);
}

TEST_CASE("simdroid operator: records report contradictions") {
  SimHost sim;
  SECTION("hash") {
    broadcast(sim, kSnapshot);
    const Json right = records(sim)[0]["sha256"];
    sim.shell("logcat -c");
    begin_fault(sim, "piece-hash-wrong");
    broadcast(sim, kSnapshot);
    CHECK(records(sim)[0]["sha256"] != right);
    CHECK(records(sim)[0]["sha256"] == records(sim)[1]["sha256"]);
  }
  SECTION("size") {
    begin_fault(sim, "piece-announces");
    broadcast(sim, kHome);
    REQUIRE(records(sim).size() == 1);
    CHECK(records(sim)[0]["byteLength"] == 67108864);
    CHECK(records(sim)[0]["count"] == 65536);
    CHECK(records(sim)[0]["commandId"] == "c1");
  }
  SECTION("others between") {
    begin_fault(sim, "pieces-foreign");
    broadcast(sim, kSnapshot);
    const auto all = records(sim);
    CHECK(all[0]["commandId"] == "somebody-else");
    CHECK(all[1]["commandId"] == "c1");
    CHECK(all[2]["commandId"] == "somebody-else");
  }
}

TEST_CASE("simdroid operator: an envelope is altered") {
  SimHost sim;
  const std::string two =
      std::string(kHome) + R"(,{"id":"z","type":"press_key","params":{"key":"back"}})";
  SECTION("steps") {
    begin_fault(sim, "envelope-altered");
    broadcast(sim, two);
    CHECK(envelope(sim)["stepResults"].size() == 1);
  }
  SECTION("ids") {
    begin_fault(sim, "envelope-altered ids");
    broadcast(sim, two);
    CHECK(envelope(sim)["stepResults"][0]["id"] == "b-other");
  }
  SECTION("types") {
    begin_fault(sim, "envelope-altered types");
    broadcast(sim, two);
    CHECK(envelope(sim)["stepResults"][0]["actionType"] == "sleep");
  }
  SECTION("task") {
    begin_fault(sim, "envelope-altered task");
    broadcast(sim, two);
    CHECK(envelope(sim)["taskId"] == "another-task");
  }
}

TEST_CASE("simdroid operator: the app restarts under a command") {
  SimHost sim;
  begin_fault(sim, "app-restarts");
  broadcast(sim, kHome);
  const int before = entries(sim, "[Clawperator-Command] start")[0].pid;
  const int after = entries(sim, "[Clawperator-Result] ")[0].pid;
  CHECK(before != after);
  CHECK(sim.shell("pidof com.clawperator.operator").out == std::to_string(after) + "\n");
}

TEST_CASE("simdroid operator: another app forges the envelope") {
  SimHost sim;
  begin_fault(sim, "envelope-forged");
  broadcast(sim, kHome);
  const auto found = entries(sim, "[Clawperator-Result] ");
  REQUIRE(found.size() == 2);
  CHECK(found[0].pid != found[1].pid);
  CHECK(found[1].pid == entries(sim, "[Clawperator-Command] start")[0].pid);
  CHECK(found[0].message.contains(R"("commandId":"c1","taskId":"t1","status":"success")"));
}

TEST_CASE("simdroid operator: an envelope comes during the next command") {
  SimHost sim;
  begin_fault(sim, "envelope-held");
  broadcast(sim, kHome, "c1");
  CHECK(entries(sim, "[Clawperator-Result] ").empty());
  broadcast(sim, kHome, "c2");
  const auto found = entries(sim, "[Clawperator-Result] ");
  REQUIRE(found.size() == 2);
  CHECK(found[0].message.contains(R"("commandId":"c1")"));
  CHECK(found[1].message.contains(R"("commandId":"c2")"));
}

TEST_CASE("simdroid operator: another host's command is first") {
  SimHost sim;
  begin_fault(sim, "foreign-command 60000");
  broadcast(sim, kHome);
  CHECK(entries(sim, "[Clawperator-Command] start commandId=another-host-1 ").size() == 1);
  CHECK(entries(sim, "[Clawperator-Command] queued commandId=c1 ").size() == 1);
  CHECK(entries(sim, "[Clawperator-Command] start commandId=c1 ").empty());
}

TEST_CASE("simdroid operator: which app is installed") {
  SimOptions options;
  SECTION("none") {
    options.operator_version = "none";
    SimHost sim(options);
    CHECK(sim.shell("pm list packages perator.operator").out.empty());
    CHECK(sim.shell("settings get secure enabled_accessibility_services").out == "null\n");
  }
  SECTION("both") {
    options.operator_version = "0.12.5,1.0.0";
    SimHost sim(options);
    CHECK(sim.shell("pm list packages --show-versioncode perator.operator").out ==
          "package:com.androperator.operator versionCode:10000900\n"
          "package:com.clawperator.operator versionCode:1205900\n");
    broadcast(sim, kHome, "n1", "androperator");
    CHECK(entries(sim, "[Androperator-Result] ").size() == 1);
    CHECK(entries(sim, "[Clawperator-Result] ").empty());
    broadcast(sim, kHome, "o1");
    CHECK(entries(sim, "[Clawperator-Result] ").size() == 1);
    CHECK(entries(sim, "[Clawperator-Command] start")[0].pid !=
          entries(sim, "[Androperator-Command] start")[0].pid);
  }
  SECTION("the old names do not reach the new app") {
    options.operator_version = "1.0.0";
    SimHost sim(options);
    broadcast(sim, kHome);
    CHECK(entries(sim, "[Androperator-Command] ").empty());
  }
}
