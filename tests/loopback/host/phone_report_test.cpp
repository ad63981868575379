#include "runtime/host/phone_report/query.hpp"

#include <algorithm>
#include <catch2/catch.hpp>

#include "runtime/host/phone_report/answers.hpp"
#include "runtime/host/phone_report/facts.hpp"
#include "support/fake_device.hpp"
#include "support/manual_time.hpp"
#include "support/phone_report_file.hpp"
#include "support/print_result.hpp"
#include "support/sim_phone.hpp"

using namespace adbproto::testing;
using namespace clawperator;

namespace {

const std::string kReported = "com.clawperator.operator";

ReportRequest request(Consent consent = Consent::none) {
  return {kReported, "clawperator 0.0.1", consent};
}

struct ReportAt {
  ManualTime time;
  Loop loop;
  FakeDevice device{loop, {"shell_v2", "cmd", "abb"}, "SECRET0SERIAL"};

  PhoneReport ask() {
    auto report = time.run(loop, query_phone(&device, request()));
    REQUIRE(report);
    return *std::move(report);
  }
};

Task<void> flood(adbproto::ByteStreamPtr stream) {
  const std::string piece =
      adbproto::testing::shell_output(std::string(60'000, 'x')).substr(0, 60'005);
  for (int i = 0; i < 2000; ++i) {
    CO_TRY_VOID(co_await stream->write_all(as_bytes(piece)));
  }
  co_return ok();
}

FakeService flooding() {
  return
      [](adbproto::ByteStreamPtr stream, const std::string&) { return flood(std::move(stream)); };
}

// A phone that answers as one that was recorded.
void serve(FakeDevice* device, const PhoneReport& report) {
  for (const PhoneAnswer& answer : report.answers) {
    if (answer.ended == clawperator::Ended::refused) continue;
    if (answer.ended == clawperator::Ended::late && answer.bytes == 0) {
      device->serve(answer.service, hangs());
      continue;
    }
    device->serve(answer.service, prints(answer.out, answer.err, answer.status.value_or(0)));
  }
}

}  // namespace

TEST_CASE(
    "phone report: a phone that answers nothing, garbage, without end or never gets an honest "
    "entry for every question",
    "[loopback]") {
  struct Row {
    const char* name;
    FakeService answer;
    clawperator::Ended ended;
  };
  const auto row = GENERATE(values<Row>({
      {"nothing", prints(""), clawperator::Ended::whole},
      {"garbage", prints("\x01\x02\xff\xfe{]"), clawperator::Ended::whole},
      {"without end", flooding(), clawperator::Ended::endless},
      {"never", hangs(), clawperator::Ended::late},
  }));
  INFO(row.name);
  ReportAt at;
  at.device.serve("shell,v2,raw:", row.answer).serve("abb:", row.answer);
  const PhoneReport report = at.ask();
  const auto questions = phone_questions(kReported, Consent::none);
  REQUIRE(report.answers.size() == questions.size());
  for (const PhoneAnswer& answer : report.answers) {
    INFO(answer.id);
    const bool header = answer.id == "screen.capture" && answer.bytes >= 16;
    CHECK((header || answer.ended == row.ended));
    CHECK(answer.out.size() <= 4096);
    CHECK(answer.bytes < 5'000'000);
  }
  // Nothing good is read out of it.
  const std::vector<std::string> good{
      "mksh", "a bar separates alternatives", "kept", "listed", "granted", "connected", "none"};
  const std::vector<Reading> readings = read_answers(report);
  CHECK_FALSE(readings.empty());
  for (const Reading& reading : readings) {
    INFO(reading.name << ": " << reading.value);
    CHECK(std::ranges::find(good, reading.value) == good.end());
    CHECK(reading.value.size() <= 300);
  }
  CHECK(parse_phone_report(to_json(report)).has_value());
  // Nor is it judged, whichever release it would be.
  PhoneReport named = report;
  for (PhoneAnswer& answer : named.answers) {
    if (answer.id != "versions") continue;
    answer.ended = clawperator::Ended::whole;
    answer.out = "build.version.sdk=36\n";
  }
  for (const Finding& finding : judge_facts(named)) {
    INFO(finding.id << ": " << finding.saw);
    CHECK((finding.verdict == Verdict::open || finding.id == "log.binary"));
  }
}

TEST_CASE("phone report: a phone that refuses everything is a report", "[loopback]") {
  ReportAt at;
  for (const PhoneAnswer& answer : at.ask().answers)
    CHECK(answer.ended == clawperator::Ended::refused);
}

TEST_CASE("phone report: a link that breaks is reported in every answer", "[loopback]") {
  ReportAt at;
  at.device.fails("shell,v2,raw:", {errc::io, "reset"});
  at.device.fails("abb:", {errc::io, "reset"});
  for (const PhoneAnswer& answer : at.ask().answers) {
    CHECK(answer.ended == clawperator::Ended::broken);
    CHECK(answer.err == "reset");
  }
}

TEST_CASE("phone report: the serial number is in no answer", "[loopback]") {
  ReportAt at;
  at.device.serve("shell,v2,raw:", prints("SECRET0SERIAL and PRODUCT0SERIAL\n"));
  at.device.serve("shell,v2,raw:getprop ro.serialno", prints("PRODUCT0SERIAL\n"));
  const std::string text = to_json(at.ask());
  CHECK_THAT(text, !Catch::Contains("SECRET0SERIAL"));
  CHECK_THAT(text, !Catch::Contains("PRODUCT0SERIAL"));
}

TEST_CASE("phone report: a recorded phone, asked again, is read the same", "[loopback]") {
  SimDevice sim;
  const auto first = sim.run(query_phone(sim.device(), request(Consent::settings)));
  REQUIRE(first);
  CHECK(first->answers.size() == phone_questions(kReported, Consent::settings).size());
  ManualTime time;
  Loop loop;
  adbproto::FeatureSet features;
  for (const std::string& name : first->features) features.add(name);
  FakeDevice recorded(loop, features);
  serve(&recorded, *first);
  const auto again = time.run(loop, query_phone(&recorded, request(Consent::settings)));
  REQUIRE(again);
  // What was not kept of an answer cannot be played.
  const std::vector<std::string> unkept{"log.binary", "log.text", "screen.capture"};
  for (const Reading& reading : read_answers(*first)) {
    if (std::ranges::find(unkept, reading.name) != unkept.end()) continue;
    INFO(reading.name);
    const auto readings = read_answers(*again);
    const auto at = std::ranges::find(readings, reading.name, &Reading::name);
    REQUIRE(at != readings.end());
    CHECK(at->value == reading.value);
  }
}
