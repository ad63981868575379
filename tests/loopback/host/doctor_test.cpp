#include "runtime/host/doctor/doctor.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "adbproto/client/key_store.hpp"
#include "adbproto/wire/errc.hpp"
#include "base/system/environment.hpp"
#include "runtime/android/errc.hpp"
#include "runtime/device/errc.hpp"
#include "runtime/device/resolver/resolver.hpp"
#include "runtime/engine/errc.hpp"
#include "runtime/host/doctor/questions.hpp"
#include "runtime/host/errc.hpp"
#include "simdroid/device/phone.hpp"
#include "simdroid/simulation.hpp"
#include "support/device_bench.hpp"
#include "support/manual_time.hpp"
#include "support/print_result.hpp"

using namespace adbproto::testing;
using namespace clawperator;
using namespace adbproto;
using nlohmann::json;

namespace {

constexpr const char* kOperator = "com.clawperator.operator";

Task<bool> stopped(simdroid::Simulation* simulation) {
  co_await simulation->stop();
  co_return true;
}

using Ids = std::vector<std::string>;
const Ids kHost{"host.adb.server", "host.adb.keys", "host.usb.access", "device.discovery"};
const Ids kApp{"device.capability", "readiness.apk.presence"};
const Ids kSettings{"readiness.settings.dev_options", "readiness.settings.usb_debugging"};

Ids operator+(Ids left, const Ids& right) {
  left.insert(left.end(), right.begin(), right.end());
  return left;
}

// A simulated phone that is dialled, in a home of its own; no USB.
struct Bench : DeviceBench {
  explicit Bench(const std::string& app_version = "0.5.3",
                 simdroid::Profile profile = simdroid::Profile::zero) {
    simdroid::SimOptions made;
    made.port = 0;
    made.profile = profile;
    made.operator_version = app_version;
    simulation = *simdroid::Simulation::create(loop.executor(), made);
    address = "127.0.0.1:" + std::to_string(*simulation->listen());
    options.target = DeviceBench::options();
    options.target.transport = Transport::tcp;
    options.target.device = address;
    options.operator_package = kOperator;
    options.broadcast_action = "app.clawperator.operator.ACTION_AGENT_COMMAND";
    options.versions = {"0.9.0", "0.5.3"};
  }
  ~Bench() { loop.run(stopped(simulation.get())).value(); }
  Bench(const Bench&) = delete;
  Bench& operator=(const Bench&) = delete;

  simdroid::Phone& phone() { return simulation->phone(); }
  void fault(std::string_view name, std::string value = {}) {
    REQUIRE(phone().faults.set(name, std::move(value)));
  }
  void set_global(const std::string& name, const std::string& value) {
    (*phone().settings.table("global"))[name] = value;
  }
  Report run() {
    Report report;
    REQUIRE(loop.run(run_doctor(options, &report)));
    return report;
  }

  Variable more[2] = {{"XDG_CACHE_HOME", home.file("cache")},
                      {"XDG_RUNTIME_DIR", home.path().string()}};
  std::unique_ptr<simdroid::Simulation> simulation;
  std::string address;
  DoctorOptions options;
};

// Time is moved by hand: what a phone takes, and nothing else, counts.
struct OwnTime {
  ManualTime time;
};
struct TimedBench : OwnTime, Bench {
  explicit TimedBench(simdroid::Profile profile = simdroid::Profile::zero)
      : Bench("0.5.3", profile) {}
  template <class T>
  std::chrono::milliseconds duration_of(Task<T> task) {
    const auto start = adbproto::Clock::now();
    REQUIRE(time.run(loop, std::move(task), std::chrono::milliseconds(1)));
    return std::chrono::duration_cast<std::chrono::milliseconds>(adbproto::Clock::now() - start);
  }
  Report run() {
    Report report;
    REQUIRE(time.run(loop, run_doctor(options, &report), std::chrono::milliseconds(20)));
    return report;
  }
};

// As a command does it: finds the device, shakes hands.
Task<ExecuteResult> only_handshake(DoctorOptions options) {
  CO_TRY(auto device, co_await resolve_device(options.target));
  co_return co_await execute_on({std::shared_ptr(std::move(device)), options.target,
                                 options.operator_package, options.broadcast_action, nullptr},
                                handshake_execution());
}

Ids ids(const Report& report) {
  Ids found;
  for (const Check& check : report.checks) found.push_back(check.id);
  return found;
}

const Check& last(const Report& report) { return report.checks.back(); }

}  // namespace

TEST_CASE("doctor: a healthy device passes every check in the published order", "[loopback]") {
  Bench at;
  const Report report = at.run();
  CHECK(ids(report) == kHost + kApp + Ids{"readiness.version.compatibility"} + kSettings +
                           Ids{"readiness.handshake"});
  CHECK(std::ranges::all_of(report.checks,
                            [](const Check& check) { return check.status == CheckStatus::pass; }));
  CHECK(report.device_id == at.address);
  CHECK(json::parse(report.find("device.capability")->evidence)["sdk"] == "34");
  CHECK(json::parse(report.find("readiness.version.compatibility")->evidence)["apkVersion"] ==
        "0.5.3");
  CHECK(next_actions(report).back() == "Try: clawperator snapshot --device " + at.address);
}

TEST_CASE("doctor: the handshake is one broadcast of doctor_ping, and nothing else acts",
          "[loopback]") {
  Bench at;
  const Report report = at.run();
  CHECK(json::parse(report.find("readiness.handshake")->evidence)["usb_debugging_enabled"] ==
        "true");
  CHECK(at.phone().counters.all().at("broadcast") == 1);
}

TEST_CASE("doctor: each fault of the app ends the report where it is published", "[loopback]") {
  struct Row {
    const char* fault;
    const char* value;
    const char* id;
    CheckStatus status;
    Errc code;
    Ids ids;
  };
  const Ids no_app = kHost + kApp + kSettings;
  const Ids all = kHost + kApp + Ids{"readiness.version.compatibility"} + kSettings +
                  Ids{"readiness.handshake"};
  const auto row = GENERATE_COPY(values<Row>({
      {"package-missing", "", "readiness.apk.presence", CheckStatus::fail,
       errc::operator_not_installed, no_app},
      {"package-variant", "", "readiness.apk.presence", CheckStatus::warn,
       errc::operator_variant_mismatch, no_app},
      {"accessibility-off", "", "readiness.handshake", CheckStatus::fail,
       errc::device_accessibility_not_running, all},
      {"broadcast-refused", "", "readiness.handshake", CheckStatus::fail, errc::broadcast_failed,
       all},
      {"logcat-refused", "", "readiness.handshake", CheckStatus::fail, errc::logcat_unavailable,
       all},
      {"service-refused", "shell,v2,raw:getprop", "device.capability", CheckStatus::fail,
       errc::device_shell_unavailable, all},
      {"service-refused", "shell,v2,raw:dumpsys", "readiness.version.compatibility",
       CheckStatus::fail, errc::apk_version_unreadable,
       kHost + kApp + Ids{"readiness.version.compatibility"}},
  }));
  INFO(row.fault << " " << row.value);
  Bench at;
  at.fault(row.fault, row.value);
  const Report report = at.run();
  CHECK(ids(report) == row.ids);
  const Check* check = report.find(row.id);
  REQUIRE(check);
  CHECK(check->status == row.status);
  CHECK(check->code == row.code);
  CHECK(critical_ok(report) == (row.status != CheckStatus::fail));
  CHECK_FALSE(next_actions(report).empty());
}

TEST_CASE("doctor: settings that cannot be read on any way are warnings", "[loopback]") {
  Bench at;
  for (const char* way : {"abb:settings", "shell,v2,raw:cmd settings", "shell,v2,raw:settings"}) {
    at.fault("service-refused", way);
  }
  const Report report = at.run();
  CHECK(report.find("readiness.settings.dev_options")->code == errc::device_dev_options_disabled);
  const Check* debugging = report.find("readiness.settings.usb_debugging");
  CHECK(debugging->status == CheckStatus::warn);
  CHECK(debugging->code == errc::device_usb_debugging_disabled);
  CHECK_FALSE(debugging->detail.empty());
  CHECK(critical_ok(report));
}

TEST_CASE("doctor: settings are read where abb does not serve them", "[loopback]") {
  Bench at;
  at.fault("service-refused", "abb:settings");
  CHECK(at.run().find("readiness.settings.usb_debugging")->status == CheckStatus::pass);
}

TEST_CASE("doctor: a device whose services are all refused still gets its settings checked",
          "[loopback]") {
  Bench at;
  at.fault("service-refused", "shell");
  at.fault("service-refused", "abb");
  const Report report = at.run();
  CHECK(ids(report) == kHost + kApp + kSettings);
  CHECK(report.find("device.capability")->code == errc::device_shell_unavailable);
  CHECK(report.find("readiness.apk.presence")->code == errc::device_shell_unavailable);
}

TEST_CASE("doctor: an app of another version ends the report", "[loopback]") {
  struct Row {
    const char* version;
    Errc code;
  };
  const auto row = GENERATE(values<Row>({{"0.4.0", errc::version_incompatible},
                                         {"0.5.2", errc::version_incompatible},
                                         {"five", errc::apk_version_invalid}}));
  Bench at(row.version);
  const Report report = at.run();
  CHECK(ids(report) == kHost + kApp + Ids{"readiness.version.compatibility"});
  CHECK(last(report).code == row.code);
  CHECK_FALSE(critical_ok(report));
}

TEST_CASE("doctor: a silent app is waited for seven seconds, not longer", "[loopback]") {
  TimedBench at;
  at.fault("envelope-none");
  const Report report = at.run();
  CHECK(last(report).code == errc::result_envelope_timeout);
  CHECK_THAT(last(report).detail, Catch::Contains("7000ms"));
  CHECK(at.time.elapsed() < std::chrono::seconds(8));
}

TEST_CASE("doctor: on a phone all checks take less than two handshakes", "[loopback]") {
  TimedBench at(simdroid::Profile::phone);
  const auto handshake = at.duration_of(only_handshake(at.options));
  Report report;
  const auto doctor = at.duration_of(run_doctor(at.options, &report));
  INFO("handshake " << handshake.count() << " ms, doctor " << doctor.count() << " ms");
  CHECK(doctor <= 2 * handshake);
}

TEST_CASE("doctor --fix: settings are switched on, and the check runs again", "[loopback]") {
  Bench at;
  at.options.repairing = Repairing::yes;
  at.set_global("adb_enabled", "0");
  at.set_global("development_settings_enabled", "0");
  const Report report = at.run();
  CHECK(critical_ok(report));
  REQUIRE(report.repairs.size() == 2);
  const Repair& first = report.repairs.front();
  CHECK(first.action == "settings put global development_settings_enabled 1");
  CHECK(first.before.code == errc::device_dev_options_disabled);
  CHECK(first.after.status == CheckStatus::pass);
  CHECK(report.find("readiness.settings.usb_debugging")->status == CheckStatus::pass);
  CHECK(at.phone().settings.get("global", "adb_enabled") == "1");
}

TEST_CASE("doctor: without --fix nothing is changed", "[loopback]") {
  Bench at;
  at.set_global("adb_enabled", "0");
  const Report report = at.run();
  CHECK(report.find("readiness.settings.usb_debugging")->code ==
        errc::device_usb_debugging_disabled);
  CHECK(report.repairs.empty());
  CHECK(at.phone().settings.get("global", "adb_enabled") == "0");
  CHECK(critical_ok(report));
}

TEST_CASE("doctor --fix: a dropped accessibility grant is restored and proved by a handshake",
          "[loopback]") {
  Bench at;
  at.options.repairing = Repairing::yes;
  simdroid::Settings::Table& secure = *at.phone().settings.table("secure");
  const std::string other = "com.android.settings/com.android.settings.Service";
  secure["enabled_accessibility_services"] = other;
  at.phone().accessibility.reset();
  const Report report = at.run();
  CHECK(last(report).id == "readiness.handshake");
  CHECK(last(report).status == CheckStatus::pass);
  REQUIRE(report.repairs.size() == 1);
  CHECK(report.repairs.front().before.code == errc::device_accessibility_not_running);
  CHECK(report.repairs.front().ok());
  CHECK_THAT(secure["enabled_accessibility_services"],
             Catch::StartsWith(other + ":com.clawperator.operator/"));
}

TEST_CASE("doctor --fix: a repair that does not help is reported with both states", "[loopback]") {
  TimedBench at;
  at.options.repairing = Repairing::yes;
  at.fault("accessibility-off");
  const Report report = at.run();
  CHECK(last(report).code == errc::device_accessibility_not_running);
  REQUIRE(report.repairs.size() == 1);
  CHECK_FALSE(report.repairs.front().ok());
  CHECK(report.repairs.front().after.code == errc::device_accessibility_not_running);
  CHECK_FALSE(critical_ok(report));
  CHECK_THAT(at.phone().settings.get("secure", "enabled_accessibility_services"),
             Catch::Contains(kOperator));
}

TEST_CASE("doctor --fix: a silent app is opened once, and asked again", "[loopback][R18]") {
  TimedBench at;
  at.options.repairing = Repairing::yes;
  at.fault("envelope-none");
  const Report report = at.run();
  REQUIRE(report.repairs.size() == 1);
  CHECK(report.repairs.front().action == "open the Operator app");
  CHECK(report.repairs.front().before.code == errc::result_envelope_timeout);
  CHECK_FALSE(report.repairs.front().error);
  CHECK_FALSE(report.repairs.front().ok());
}

TEST_CASE("doctor --full: elsewhere the build is skipped, the smoke test is not", "[loopback]") {
  Bench at;
  at.options.scope = clawperator::DoctorScope::full_check;
  at.options.folder = at.home.path();
  const Report report = at.run();
  CHECK(ids(report) == Ids{"host.adb.server", "host.adb.keys", "host.usb.access",
                           "host.java.version", "build.android.assemble", "device.discovery",
                           "build.android.install", "build.android.launch"} +
                           kApp + Ids{"readiness.version.compatibility"} + kSettings +
                           Ids{"readiness.handshake", "readiness.smoke"});
  CHECK(critical_ok(report));
  const Check* java = report.find("host.java.version");
  CHECK_THAT(java->summary, Catch::StartsWith("Skipped: "));
  CHECK(json::parse(java->evidence)["skipped"] == true);
  CHECK(at.phone().ui().foreground_package() == "com.android.settings");
}

TEST_CASE("doctor: without any way to a device the report ends after the host", "[loopback]") {
  Bench at;
  at.server.stop();
  at.options.target.device.reset();
  at.options.target.transport = Transport::automatic;
  const Report report = at.run();
  CHECK(ids(report) == Ids{"host.adb.server", "host.adb.keys", "host.usb.access"});
  CHECK(report.checks.front().code == errc::adb_server_failed);
  CHECK(report.checks.front().status == CheckStatus::fail);
  CHECK_FALSE(critical_ok(report));
}

TEST_CASE("doctor --fix: a missing key is made and checked again", "[loopback]") {
  Bench at;
  at.server.stop();
  at.options.target.device.reset();
  at.options.target.transport = Transport::automatic;
  at.options.repairing = Repairing::yes;
  const Report report = at.run();
  REQUIRE(report.repairs.size() == 1);  // no adb is there that could be started
  CHECK(report.repairs[0].before.code == errc::adb_keys_unusable);
  CHECK(report.repairs[0].ok());
  CHECK(std::filesystem::exists(at.home.path() / ".android/adbkey"));
  CHECK(report.find("host.adb.keys")->status == CheckStatus::pass);
}

TEST_CASE("doctor: a look at the keys makes none", "[loopback]") {
  Bench at;
  CHECK(at.run().find("host.adb.keys")->status == CheckStatus::pass);
  CHECK_FALSE(std::filesystem::exists(at.home.path() / ".android"));
  write_text(at.home.path() / ".android/adbkey", "no key");
  const Report report = at.run();
  CHECK(report.find("host.adb.keys")->status == CheckStatus::warn);
  CHECK(report.find("host.adb.keys")->code == errc::adb_keys_unusable);
  CHECK(critical_ok(report));
  CHECK(file_text(at.home.path() / ".android/adbkey") == "no key");
}

TEST_CASE("doctor: the server's devices decide what is discovered", "[loopback]") {
  struct Row {
    const char* name;
    std::vector<std::string> lines;
    std::optional<std::string> asked;
    Errc code;
  };
  const auto row = GENERATE(values<Row>({
      {"none", {}, {}, errc::no_devices},
      {"locked", {"S1 unauthorized"}, {}, errc::device_unauthorized},
      {"silent", {"S1 offline"}, {}, errc::device_offline},
      {"several", {"S1 device", "S2 device"}, {}, errc::multiple_devices_device_id_required},
      {"another", {"S1 device", "S2 device"}, "S3", errc::device_not_found},
  }));
  INFO(row.name);
  Bench at;
  at.server_lists(row.lines);
  at.server.answers("host:version", FakeServer::text("0029"));
  at.server.answers("host:host-features", FakeServer::text("shell_v2,libusb"));
  at.options.target.transport = Transport::automatic;
  at.options.target.device = row.asked;
  const Report report = at.run();
  CHECK(ids(report) == kHost);
  CHECK(last(report).code == row.code);
  CHECK(json::parse(report.checks.front().evidence)["version"] == 41);
  CHECK(json::parse(report.checks.front().evidence)["backend"] == "libusb");
  const bool several = row.code == errc::multiple_devices_device_id_required;
  CHECK(critical_ok(report) == several);
  if (several) CHECK(json::parse(last(report).evidence) == json({{"devices", {"S1", "S2"}}}));
}

TEST_CASE("doctor: a phone on USB that may not be opened is what is wrong", "[loopback]") {
  Bench at;
  at.server.stop();
  at.options.target.device.reset();
  at.options.target.transport = Transport::automatic;
  at.usb.plug("usb:1-1", "S1", nullptr);
  at.usb.refuses("usb:1-1", Error(errc::usb_busy, "usb:1-1 is held by adb (pid 7)"));
  const Report report = at.run();
  const Check* usb = report.find("host.usb.access");
  REQUIRE(usb);
  CHECK(usb->status == CheckStatus::fail);
  CHECK(usb->code == errc::usb_busy);
  CHECK(json::parse(usb->evidence)["phones"][0]["holder"] == "usb:1-1 is held by adb (pid 7)");
}

TEST_CASE("doctor: the process that holds a phone is reported beside a reached device, too",
          "[loopback]") {
  Bench at;
  at.usb.plug("usb:1-1", "S1", nullptr);
  at.usb.refuses("usb:1-1", Error(errc::usb_busy, "usb:1-1 is held by adb (pid 7)"));
  const Report report = at.run();
  CHECK(report.device_id == at.address);
  const Check* usb = report.find("host.usb.access");
  REQUIRE(usb);
  CHECK(usb->status == CheckStatus::warn);
  CHECK(json::parse(usb->evidence)["phones"][0]["holder"] == "usb:1-1 is held by adb (pid 7)");
}

TEST_CASE("doctor: the phone on USB that is checked is not tried a second time", "[loopback]") {
  Bench at;
  at.options.target.transport = Transport::usb;
  at.options.target.device = "S1";
  FakeAdbd phone(at.loop);
  at.usb.plug("usb:1-1", "S1", &phone);
  const Report report = at.run();
  CHECK(report.find("host.usb.access")->status == CheckStatus::pass);
  CHECK(at.usb.opens() == 1);
}

TEST_CASE("doctor: without libusb a phone on USB is not called free", "[loopback]") {
  Bench at;
  at.server.stop();
  at.options.target = at.DeviceBench::options();
  at.usb.plug("usb:1-1", "S1", nullptr);
  at.usb.cannot_open(Error(errc::unsupported, "libusb cannot be loaded"));
  const Report report = at.run();
  const Check* usb = report.find("host.usb.access");
  REQUIRE(usb);
  CHECK(usb->status == CheckStatus::fail);
  CHECK(usb->detail == "libusb cannot be loaded");
}

TEST_CASE("doctor: an address that is none is the caller's error", "[loopback]") {
  Bench at;
  at.options.target.transport = Transport::automatic;
  at.options.target.adb_server = "tcp:localhost:99999999";
  Report report;
  const auto done = at.loop.run(run_doctor(at.options, &report));
  REQUIRE_FALSE(done);
  CHECK(done.error().code() == errc::invalid_argument);
}
