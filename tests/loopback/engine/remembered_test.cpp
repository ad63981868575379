// Where this boot was seen with the Operator before, the broadcast does not wait for the package
// manager; what that finds later still counts.

#include "runtime/engine/engine.hpp"

#include <algorithm>
#include <ranges>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "base/system/errc.hpp"
#include "runtime/device/lock.hpp"
#include "runtime/engine/errc.hpp"
#include "support/engine_bench.hpp"
#include "support/print_result.hpp"

using namespace adbproto::testing;
using namespace clawperator;
using namespace clawperator::testing;
using namespace std::chrono_literals;
using namespace adbproto;
using nlohmann::json;

namespace {

constexpr const char* kPackages = "shell,v2,raw:cmd package 'list'";
constexpr const char* kBroadcastService = "shell,v2,raw:cmd activity 'broadcast'";
constexpr std::string_view kHere = "package:com.clawperator.operator\n";
constexpr std::string_view kVariant = "package:com.clawperator.operator.dev\n";
const std::string kStarted = "[Clawperator-Command] start commandId=c-1 taskId=t-1";

json members_of_error(const Result<ExecuteResult>& result) {
  REQUIRE_FALSE(result);
  return json::parse(result.error().members());
}

// A service that begins when the test says so.
struct Gate {
  explicit Gate(Loop& loop) : changed(loop.executor()) {}

  FakeService before(FakeService service) {
    return [this, service](ByteStreamPtr stream, const std::string& name) {
      return wait(this, service, std::move(stream), name);
    };
  }
  void open() {
    is_open = true;
    changed.notify_all();
  }
  static Task<void> wait(Gate* gate, FakeService service, ByteStreamPtr stream, std::string name) {
    while (!gate->is_open) co_await gate->changed.wait();
    co_return co_await service(std::move(stream), std::move(name));
  }

  bool is_open = false;
  Signal changed;
};

// One command came through in this boot.
struct Remembered {
  Remembered() {
    at.answers(result_line(step("a1", "click")));
    REQUIRE(at.run(kClick));
    begun = at.phone.commands().size();
  }

  void packages(FakeService service) {
    at.phone.prepare = [service = std::move(service)](FakeDevice& device) {
      device.serve(kPackages, service);
    };
  }
  // The package manager answers when the app has been sent something and `then` was done.
  void packages_after_broadcast(std::string_view listing, std::function<void()> then = [] {}) {
    packages(gate.before(prints(listing)));
    at.phone.on_broadcast = [this, then](const std::string&) {
      then();
      gate.open();
    };
  }
  [[nodiscard]] std::ptrdiff_t broadcasts() const {
    const auto& commands = at.phone.commands();
    return std::count_if(commands.begin() + static_cast<std::ptrdiff_t>(begun), commands.end(),
                         [](const auto& words) { return words.at(1) == "broadcast"; });
  }
  [[nodiscard]] bool device_is_free() const {
    return DeviceLock::acquire("SERIAL1-boot-1", "phone-1", "c-2").has_value();
  }

  EngineBench at;
  Gate gate{at.loop};
  std::size_t begun = 0;
};

}  // namespace

namespace {

// What an execution on phone-1 asks to have opened early, and the log that it opened.
struct EarlyLog {
  std::optional<adbproto::EarlyOpen> asked;
  std::string opened;
};
EarlyLog click_early(Remembered& of, adbproto::RouteFacts facts, ExecuteRequest request) {
  std::shared_ptr<const std::vector<std::string>> opened;
  of.at.phone.prepare = [&](FakeDevice& device) {
    device.set_facts(facts);
    opened = device.opened();
  };
  EarlyLog log;
  const ResolveDevice resolve = [&](TargetOptions target) {
    log.asked = target.early;
    return of.at.phone.resolve()(std::move(target));
  };
  REQUIRE(of.at.time.run(of.at.loop, execute(std::move(request), nullptr, resolve), 20ms));
  for (const std::string& service : *opened) {
    if (service.starts_with("shell,v2,raw:read B")) log.opened = service;
  }
  return log;
}

}  // namespace

TEST_CASE("remembered: of a phone that lets everybody in the log may be opened early",
          "[loopback]") {
  Remembered of;
  const bool delayed = GENERATE(false, true);
  const adbproto::RouteFacts open{.delayed_ack = delayed, .agreed_at_once = true};
  ExecuteRequest request = EngineBench::request(kClick);
  request.target.device = "phone-1";
  CHECK_FALSE(click_early(of, open, request).asked);  // nothing is known of that yet
  const EarlyLog second = click_early(of, open, request);
  REQUIRE(second.asked);
  CHECK(second.asked->service == second.opened);
  CHECK(second.asked->delayed_ack == delayed);
  SECTION("not where no phone was named") {
    request.target.device.reset();
    CHECK_FALSE(click_early(of, open, request).asked);
  }
  SECTION("nor once it has asked for a key") {
    CHECK(click_early(of, {}, request).asked);
    CHECK_FALSE(click_early(of, open, request).asked);
  }
}

TEST_CASE("remembered: the broadcast does not wait for the package manager", "[loopback]") {
  Remembered of;
  of.packages(hangs());
  CHECK(of.at.run(kClick));
  CHECK(of.broadcasts() == 1);
}

TEST_CASE("remembered: what is not the same app in the same boot is waited for", "[loopback]") {
  Remembered of;
  of.packages(hangs());
  ExecuteRequest request = EngineBench::request(kClick);
  SECTION("another variant") { request.operator_package = "com.clawperator.operator.dev"; }
  SECTION("another boot") { of.at.phone.log_header = "boot-2|SERIAL1|34|1700000000.000000000\n"; }
  SECTION("an unknown boot") { of.at.phone.log_header = "|SERIAL1|34|1700000000.000000000\n"; }
  SECTION("a plan that stops an app first") {
    request = EngineBench::request(
        R"({"id":"a1","type":"close_app","params":{"applicationId":"com.android.settings"}})");
  }
  const auto result = of.at.run(std::move(request));
  REQUIRE_FALSE(result);
  CHECK(result.error().code() == errc::deadline_exceeded);
  CHECK(of.at.phone.commands().size() == of.begun);  // nothing was run
}

TEST_CASE("remembered: an Operator that is gone ends the execution at once, as sent",
          "[loopback]") {
  Remembered of;
  of.packages_after_broadcast("");
  const auto before = of.at.time.elapsed();
  const auto result = of.at.run(kClick);
  const json more = members_of_error(result);
  CHECK(result.error().code() == errc::operator_not_installed);
  CHECK(more["details"]["dispatchAttempted"] == true);
  CHECK(more["details"]["executionPosition"] == "unknown");
  CHECK(more["details"]["checkId"] == "readiness.apk.presence");
  CHECK(more["details"].contains("installCommand"));
  CHECK(more["broadcastDispatchStatus"] == "sent");
  CHECK(of.at.time.elapsed() - before < 1s);
  CHECK(of.broadcasts() == 1);
  CHECK(of.device_is_free());  // no command is at work there
  of.packages(prints(""));
  CHECK_FALSE(members_of_error(of.at.run(kClick))["details"].contains("dispatchAttempted"));
  CHECK(of.broadcasts() == 1);  // the next one asks first
}

TEST_CASE("remembered: an answer that is there before the dispatch changes nothing of that",
          "[loopback]") {
  Remembered of;
  of.at.phone.on_broadcast = [](const std::string&) {};
  of.packages(prints(""));
  const auto result = of.at.run(kClick);
  CHECK(members_of_error(result)["details"]["dispatchAttempted"] == true);
  CHECK(result.error().code() == errc::operator_not_installed);
}

TEST_CASE("remembered: where only the other variant is left, the error names it", "[loopback]") {
  Remembered of;
  of.packages_after_broadcast(kVariant);
  const auto result = of.at.run(kClick);
  CHECK(members_of_error(result)["details"]["dispatchAttempted"] == true);
  CHECK(result.error().code() == errc::operator_variant_mismatch);
  CHECK(of.at.warnings.size() == 1);
  CHECK(of.broadcasts() == 1);
}

TEST_CASE("remembered: an app that answers is there, whatever the package manager says",
          "[loopback]") {
  Remembered of;
  const std::string answer = result_line(step("a1", "click"));
  SECTION("the envelope first") {
    of.packages_after_broadcast("", [&] { of.at.phone.log(answer); });
    CHECK(of.at.run(kClick));
  }
  SECTION("a sign of life first") {
    of.packages_after_broadcast("", [&] { of.at.phone.log(kStarted); });
    auto run = of.at.loop.start(of.at.execute(EngineBench::request(kClick)));
    of.at.time.advance(of.at.loop, 1500ms);
    CHECK_FALSE(run->done());
    of.at.phone.log(answer);
    CHECK(of.at.time.finish(of.at.loop, run));
  }
  CHECK(of.broadcasts() == 1);
}

TEST_CASE("remembered: a question that fails says nothing of the command", "[loopback]") {
  const auto failure = GENERATE(Error(errc::refused, "closed"), Error(errc::io, "reset"),
                                Error(errc::refused, "device 'phone-1' not found"));
  Remembered of;
  of.at.phone.prepare = [&](FakeDevice& device) {
    for (const char* rung : {"cmd", "am", "pm"}) {
      device.fails("shell,v2,raw:" + std::string(rung) + " package", failure);
      device.fails("shell,v2,raw:" + std::string(rung) + " 'list'", failure);
    }
  };
  CHECK(of.at.run(kClick));
  of.at.phone.on_broadcast = [](const std::string&) {};
  const auto silent = of.at.run(kClick);
  REQUIRE_FALSE(silent);
  CHECK(silent.error().code() == errc::result_envelope_timeout);
  CHECK_FALSE(of.device_is_free());  // the app may be at work
}

TEST_CASE("remembered: a broadcast that the device refuses is explained by an absent app",
          "[loopback]") {
  Remembered of;
  of.at.phone.after_broadcast = prints("", "Error: no such package", 1);
  Errc code = errc::broadcast_failed;
  SECTION("gone") {
    of.packages_after_broadcast("");
    code = errc::operator_not_installed;
  }
  SECTION("there") { of.packages_after_broadcast(kHere); }
  SECTION("unknown") {
    of.packages(hangs());
    of.at.phone.on_broadcast = [](const std::string&) {};
  }
  const auto before = of.at.time.elapsed();
  const auto result = of.at.run(kClick);
  REQUIRE_FALSE(result);
  CHECK(result.error().code() == code);
  CHECK(of.at.time.elapsed() - before < 2s);
  CHECK(of.broadcasts() == 1);
}

namespace {

constexpr std::string_view kOther = "package:com.androperator.operator versionCode:10000900\n";
constexpr std::string_view kOld = "package:com.clawperator.operator versionCode:905900\n";
constexpr std::string_view kBoth =
    "package:com.clawperator.operator\npackage:com.androperator.operator\n";

// The action and the package of the last broadcast.
std::pair<std::string, std::string> broadcast_of(const EngineBench& at) {
  for (const auto& words : std::views::reverse(at.phone.commands())) {
    if (words.at(1) != "broadcast") continue;
    const auto after = [&](std::string_view option) {
      const auto found = std::ranges::find(words, option);
      return found == words.end() ? std::string() : *std::next(found);
    };
    return {after("-a"), after("-p")};
  }
  return {};
}

ExecuteRequest nothing_named(std::string_view actions) {
  ExecuteRequest request = EngineBench::request(actions);
  request.operator_package.reset();
  request.broadcast_action.reset();
  return request;
}

constexpr std::string_view kInContainer =
    R"({"id":"a1","type":"click","params":{"matcher":{"role":"r"},"container":{"role":"c"}}})";
constexpr std::string_view kClearing =
    R"({"id":"a1","type":"enter_text","params":{"matcher":{"role":"r"},"text":"x","clear":true}})";

}  // namespace

TEST_CASE("engine: the broadcast goes to the app that is installed, in its family's words",
          "[loopback][41]") {
  EngineBench at;
  at.answers(result_line(step("a1", "click")));
  std::string family = "clawperator";
  SECTION("the older one") {}
  SECTION("the newer one") {
    at.phone.packages = kOther;
    family = "androperator";
  }
  for (int i = 0; i < 2; ++i) {  // the second one is remembered
    REQUIRE(at.run(nothing_named(kClick)));
    CHECK(broadcast_of(at) == std::pair("app." + family + ".operator.ACTION_AGENT_COMMAND",
                                        "com." + family + ".operator"));
  }
}

TEST_CASE("engine: of two apps none is chosen, one that is named is used", "[loopback][41]") {
  EngineBench at;
  at.phone.packages = kBoth;
  at.answers(result_line(step("a1", "click")));
  const auto refused = at.run(nothing_named(kClick));
  CHECK(members_of_error(refused)["details"]["packages"].size() == 2);
  CHECK(refused.error().code() == errc::operator_ambiguous);
  CHECK(broadcast_of(at).second.empty());
  ExecuteRequest named = nothing_named(kClick);
  named.operator_package = "com.androperator.operator";
  REQUIRE(at.run(named));
  CHECK(broadcast_of(at).second == "com.androperator.operator");
  // That one was named is no choice for those that name none.
  CHECK(at.run(nothing_named(kClick)).error().code() == errc::operator_ambiguous);
}

TEST_CASE("remembered: a second app that has come warns once, then the command must name one",
          "[loopback][41]") {
  EngineBench at;
  at.answers(result_line(step("a1", "click")));
  REQUIRE(at.run(nothing_named(kClick)));
  at.phone.packages = kBoth;
  REQUIRE(at.run(nothing_named(kClick)));
  REQUIRE(at.warnings.size() == 1);
  CHECK_THAT(at.warnings.front(), Catch::Contains("com.androperator.operator"));
  CHECK(at.run(nothing_named(kClick)).error().code() == errc::operator_ambiguous);
}

TEST_CASE("engine: a step that the app is too old for is not sent", "[loopback][41]") {
  EngineBench at;
  at.answers(result_line(step("a1", "click")));
  at.phone.packages = kOld;
  const auto refused = at.run(nothing_named(kInContainer));
  const json details = members_of_error(refused)["details"];
  CHECK(refused.error().code() == errc::operator_feature_missing);
  CHECK(details["operatorVersion"] == "0.9.5");
  CHECK(details["needs"] == "0.10.0");
  CHECK(broadcast_of(at).second.empty());
  SECTION("also where the version is remembered") {
    REQUIRE(at.run(nothing_named(kClick)));
    CHECK(at.run(nothing_named(kInContainer)).error().code() == errc::operator_feature_missing);
  }
  SECTION("a newer one gets it") {
    at.phone.packages = "package:com.clawperator.operator versionCode:1000900\n";
    CHECK(at.run(nothing_named(kInContainer)));
  }
}

TEST_CASE("engine: a version that was never read is waited for, and asked for in another way",
          "[loopback][41]") {
  EngineBench at;
  at.answers(result_line(step("a1", "click")));
  REQUIRE(at.run(nothing_named(kClick)));  // remembered, without a version
  std::string version = "0.12.5";
  bool sent = true;
  SECTION("new enough") {}
  SECTION("too old") {
    version = "0.9.0";
    sent = false;
  }
  SECTION("no version") {
    version = "banana";
    sent = false;
  }
  at.phone.prepare = [&](FakeDevice& device) {
    device.serve("shell,v2,raw:dumpsys package",
                 prints("Packages:\n  versionName=" + version + "\n"));
  };
  const auto result = at.run(nothing_named(kInContainer));
  CHECK(result.has_value() == sent);
  if (!sent) CHECK(result.error().code() == errc::operator_feature_missing);
}

TEST_CASE("engine: what an old app ignores without harm is sent, with a warning",
          "[loopback][41]") {
  EngineBench at;
  at.answers(result_line(step("a1", "enter_text")));
  at.phone.packages = "package:com.clawperator.operator versionCode:503900\n";
  REQUIRE(at.run(nothing_named(kClearing)));
  REQUIRE(at.warnings.size() == 1);
  CHECK_THAT(at.warnings.front(), Catch::Contains("0.7.0") && Catch::Contains("0.5.3") &&
                                      Catch::Contains("step a1 (enter_text)"));
}

TEST_CASE("remembered: a busy device gets no broadcast", "[loopback]") {
  Remembered of;
  const auto held = DeviceLock::acquire("SERIAL1-boot-1", "phone-1", "other");
  REQUIRE(held);
  const auto result = of.at.run(kClick);
  REQUIRE_FALSE(result);
  CHECK(result.error().code() == errc::execution_conflict_in_flight);
  CHECK(of.broadcasts() == 0);
}

TEST_CASE("remembered: only the broadcast's own answer says that it was sent", "[loopback]") {
  Remembered of;
  of.at.phone.prepare = [&](FakeDevice& device) {
    device.fails(kBroadcastService, Error(errc::deadline_exceeded, "opening took 5000 ms"));
    device.serve(kPackages, prints(kHere));
  };
  const std::string status = members_of_error(of.at.run(kClick))["broadcastDispatchStatus"];
  CHECK(status == "error: opening took 5000 ms");
}

TEST_CASE("remembered: a caller that stops waiting learns that the command was sent",
          "[loopback]") {
  Remembered of;
  of.at.phone.on_broadcast = [](const std::string&) {};
  of.packages(hangs());
  auto run = of.at.loop.start(of.at.execute(EngineBench::request(kClick)));
  of.at.loop.settle_with_pool();
  REQUIRE(of.broadcasts() == 1);
  run->cancel();
  const auto result = of.at.time.finish(of.at.loop, run);
  CHECK(members_of_error(result)["details"]["dispatchAttempted"] == true);
  CHECK(result.error().code() == errc::cancelled);
}

TEST_CASE("engine: the screen's size holds up no broadcast, and is there at the end",
          "[loopback]") {
  EngineBench at;
  Gate gate(at.loop);
  at.phone.prepare = [&](FakeDevice& device) {
    device.serve("shell,v2,raw:wm size", gate.before(prints("Physical size: 1080x2400\n")));
  };
  at.phone.on_broadcast = [&](const std::string&) {
    at.phone.log(result_line(step("a1", "click")));
    gate.open();
  };
  ExecuteRequest request = EngineBench::request(kClick);
  request.ask_screen_size = true;
  const auto result = at.run(std::move(request));
  REQUIRE(result);
  REQUIRE(result->screen);
  CHECK(result->screen->height == 2400);
}
