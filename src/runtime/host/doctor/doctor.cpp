#include "runtime/host/doctor/doctor.hpp"

#include "adbproto/client/key_store.hpp"
#include "base/async/parallel.hpp"
#include "base/system/environment.hpp"
#include "runtime/android/chore_commands.hpp"
#include "runtime/device/resolver/resolver.hpp"
#include "runtime/device/start_server.hpp"
#include "runtime/engine/errc.hpp"
#include "runtime/host/android_services.hpp"
#include "runtime/host/doctor/build_checks.hpp"
#include "runtime/host/doctor/questions.hpp"
#include "runtime/host/errc.hpp"
#include "runtime/host/permissions.hpp"
#include "runtime/host/phone_maker.hpp"
#include "runtime/log/event_log.hpp"

namespace clawperator {

namespace {

// After a repair: the number of checks, and the pause between them.
constexpr int kTries = 8;
// 3 s in all: Android reads its list of services some time after a change.
constexpr auto kTryPause = std::chrono::milliseconds(400);

// A command without an answer keeps the device to itself for two seconds.
constexpr auto kUntilFree = std::chrono::milliseconds(2100);

enum class GoOn { no, yes };

// What --fix does, each by our own protocol code. A repair changes one thing and fails with the
// reason; whether it helped is found out by running the check again.

// Runs `adb start-server`; a server is never ended here.
Task<void> repair_server(TargetOptions target) {
  CO_TRY(auto address, adbproto::choose_server_address(target.adb_server, environment_variable));
  co_return co_await start_adb_server(std::move(address));
}

// Makes the user's key if it is missing.
Result<void> repair_keys() {
  TRY([[maybe_unused]] const auto keys, adbproto::load_keys(environment_variable));
  return ok();
}

// Grants all that the Operator app needs, and enables its accessibility service anew if it was
// listed and did not run.
Task<void> repair_permissions(adbproto::Device* device, std::string operator_package) {
  CO_TRY(const auto grants, co_await grant_permissions(device, operator_package));
  if (grants.accessibility.already_enabled) {
    CO_TRY(const auto again, co_await enable_accessibility(device, operator_package));
    if (!again.ok) {
      co_return std::unexpected(co_await with_vendor_hint(
          device, {errc::operator_grant_failed, again.error.value_or("not enabled")}));
    }
  }
  if (!grants.ok()) {
    co_return std::unexpected(
        co_await with_vendor_hint(device, {errc::operator_grant_failed, grants.first_error()}));
  }
  co_return ok();
}

class Doctor {
 public:
  Doctor(DoctorOptions options, Report* report) : options_(std::move(options)), report_(*report) {
    subject_.operator_package =
        options_.operator_package.value_or(std::string(kReleaseOperatorPackage));
    report_.operator_package = subject_.operator_package;
    report_.fixing = options_.repairing == Repairing::yes;
  }

  // Each stage adds its checks; the first that fails critically is the last.
  Task<void> run() {
    using Stage = Task<GoOn> (Doctor::*)();
    for (const Stage stage :
         {&Doctor::check_host, &Doctor::build, &Doctor::discover, &Doctor::install,
          &Doctor::check_device, &Doctor::shake_hands, &Doctor::smoke}) {
      CO_TRY(const GoOn go_on, co_await (this->*stage)());
      if (go_on == GoOn::no) break;
    }
    write_log();
    co_return ok();
  }

 private:
  [[nodiscard]] bool full() const { return options_.scope == DoctorScope::full_check; }

  // Until it ends it is one that was interrupted.
  void begin_repair(std::string action, Check before) {
    report_.repairs.push_back(
        {.action = std::move(action),
         .error = Error(errc::cancelled, "interrupted: its result is unknown"),
         .before = before,
         .after = before});
  }

  void end_repair(const Result<void>& done, Check after) {
    Repair& repair = report_.repairs.back();
    repair.error.reset();
    if (!done) repair.error = done.error();
    repair.after = std::move(after);
  }

  GoOn add(Check check) {
    const bool ends = check.status == CheckStatus::fail && is_critical(check.id);
    report_.checks.push_back(std::move(check));
    return ends ? GoOn::no : GoOn::yes;
  }

  GoOn add(std::vector<Check> checks) {
    GoOn go_on = GoOn::yes;
    for (Check& check : checks) {
      if (add(std::move(check)) == GoOn::no) go_on = GoOn::no;
    }
    return go_on;
  }

  Task<GoOn> check_host() {
    CO_TRY(survey_, co_await survey_host(options_.target));
    if (report_.fixing) {
      CO_TRY_VOID(co_await start_missing_server());
      CO_TRY_VOID(co_await make_missing_key());
      CO_TRY_VOID(co_await offer_key());
    }
    const HostFacts& facts = survey_.facts;
    report_.device_id = survey_.device ? std::optional(facts.serial) : facts.question.serial;
    const GoOn go_on = add({check_server(facts), check_keys(facts), check_usb(facts)});
    if (auto programs = check_programs(facts)) report_.checks.push_back(*std::move(programs));
    co_return go_on;
  }

  // A server that has just been started needs a moment to find its devices.
  Task<void> start_missing_server() {
    if (!lacks_server(survey_.facts)) co_return ok();
    begin_repair("adb start-server", check_server(survey_.facts));
    const auto started = co_await repair_server(options_.target);
    for (int i = 0; started && i < kTries; ++i) {
      CO_TRY(survey_, co_await survey_host(options_.target));
      if (survey_.device || !survey_.facts.rows.empty()) break;
      co_await sleep_for(kTryPause);
    }
    end_repair(started, check_server(survey_.facts));
    co_return ok();
  }

  Task<void> make_missing_key() {
    const HostFacts& facts = survey_.facts;
    Check before = check_keys(facts);
    if (before.status == CheckStatus::pass || facts.key.is_there) co_return ok();
    begin_repair("make " + facts.key.path, std::move(before));
    const auto made = repair_keys();
    CO_TRY(survey_, co_await survey_host(options_.target));
    end_repair(made, check_keys(survey_.facts));
    co_return ok();
  }

  // Its owner has 30 s to accept the key; an adb server has offered its own already.
  Task<void> offer_key() {
    const auto row = unauthorized_row(survey_.facts);
    if (!row || row->transport == Transport::server) co_return ok();
    begin_repair("offer this computer's key to " + row->serial, check_discovery(survey_.facts));
    TargetOptions target = options_.target;
    target.device = row->serial;
    const auto device = co_await resolve_device(target);
    CO_TRY(survey_, co_await survey_host(options_.target));
    end_repair(device ? ok() : Result<void>(std::unexpected(device.error())),
               check_discovery(survey_.facts));
    co_return ok();
  }

  Task<GoOn> build() {
    if (!full()) co_return GoOn::yes;
    checkout_ = find_checkout(options_.folder);
    CO_TRY(auto checks, co_await check_build(checkout_));
    co_return add(std::move(checks));
  }

  Task<GoOn> discover() {
    Check check = check_discovery(survey_.facts);
    const bool found = survey_.device && check.status == CheckStatus::pass;
    subject_.device_id = survey_.facts.serial;
    [[maybe_unused]] const GoOn go_on = add(std::move(check));
    co_return found ? GoOn::yes : GoOn::no;
  }

  Task<GoOn> install() {
    if (!full()) co_return GoOn::yes;
    CO_TRY(auto checks, co_await check_built_app(checkout_, survey_.device.get(), subject_));
    co_return add(std::move(checks));
  }

  Task<GoOn> check_device() {
    CO_TRY(answers_, co_await query_device(survey_.device.get(), options_.operator_package,
                                           options_.versions));
    if (answers_.compatibility)
      subject_.operator_package = answers_.compatibility->operator_package;
    report_.operator_package = subject_.operator_package;
    report_.checks.push_back(check_capability(answers_, subject_));
    if (auto screen = check_screen(answers_, subject_))
      report_.checks.push_back(*std::move(screen));
    report_.checks.push_back(check_presence(answers_, subject_));
    auto version = check_version(answers_, subject_);
    const bool has_app = version.has_value();
    if (version && add(*std::move(version)) == GoOn::no) co_return GoOn::no;
    Check developer = check_developer_options(answers_, subject_);
    Check debugging = check_usb_debugging(answers_, subject_);
    if (report_.fixing) {
      CO_TRY(developer,
             co_await settled_setting(developer, "development_settings_enabled",
                                      &DeviceAnswers::developer_options, check_developer_options));
      CO_TRY(debugging,
             co_await settled_setting(debugging, "adb_enabled", &DeviceAnswers::usb_debugging,
                                      check_usb_debugging));
    }
    report_.checks.push_back(std::move(developer));
    report_.checks.push_back(std::move(debugging));
    if (has_app) co_return GoOn::yes;
    answers_.log_probe = co_await run_on_device(survey_.device.get(), log_probe_line());
    add_log_check();
    co_return GoOn::no;
  }

  // The check as it is after its repair, if it needed one.
  Task<Check> settled_setting(Check before, std::string name,
                              Result<CommandOutput> DeviceAnswers::* answer,
                              Check (*judge)(const DeviceAnswers&, const Subject&)) {
    if (before.status == CheckStatus::pass) co_return before;
    begin_repair("settings put global " + name + " 1", std::move(before));
    AndroidServices services(survey_.device.get());
    const SettingKey key{"global", std::move(name)};
    const auto done = co_await switch_on(&services, key);
    answers_.*answer = co_await read_setting(&services, key);
    end_repair(done, judge(answers_, subject_));
    co_return report_.repairs.back().after;
  }

  [[nodiscard]] Dispatch dispatch() const {
    return {survey_.device, options_.target, subject_.operator_package, options_.broadcast_action,
            options_.log};
  }

  // After the app's process has died Android takes more than a second to start a service anew; a
  // service that is still listed is pinged once more.
  Task<Check> handshake() {
    ServiceFacts facts;
    for (bool again = true;; again = false) {
      const auto result = co_await execute_on(dispatch(), handshake_execution());
      if (!result && result.error().code() == errc::cancelled) {
        co_return std::unexpected(result.error());
      }
      Check check = check_handshake(result, subject_);
      const bool down = check.code == errc::device_accessibility_not_running;
      if (!down && check.code != errc::result_envelope_timeout) co_return check;
      auto answered = co_await query_service(survey_.device.get(), subject_.operator_package);
      if (!answered && answered.error().code() == errc::cancelled) {
        co_return std::unexpected(answered.error());
      }
      if (answered) facts = *std::move(answered);
      const bool may_come = down && facts.listed == ServiceListing::listed && !facts.ui_automation;
      if (!again || !may_come) co_return check_handshake(result, subject_, facts);
      co_await sleep_for(kSettleTime);
    }
  }

  // The system starts the service a moment after it was enabled.
  Task<Check> repaired_handshake(Check before) {
    begin_repair("grant the Operator's permissions and enable its accessibility service", before);
    const auto done = co_await repair_permissions(survey_.device.get(), subject_.operator_package);
    Check after = std::move(before);
    for (int i = 0; i < kTries; ++i) {
      CO_TRY(after, co_await handshake());
      if (after.code != errc::device_accessibility_not_running) break;
      co_await sleep_for(kTryPause);
    }
    end_repair(done, after);
    co_return after;
  }

  // Makers' guards may refuse to start an app for a broadcast; for its activity they do.
  Task<Check> handshake_with_opened_app(Check before) {
    begin_repair("open the Operator app", before);
    const auto done = co_await launch_operator(survey_.device.get(), subject_.operator_package);
    if (!done && done.error().code() == errc::cancelled) co_return std::unexpected(done.error());
    Check after = std::move(before);
    if (done) {
      co_await sleep_for(kUntilFree);
      CO_TRY(after, co_await handshake());
    }
    end_repair(done, after);
    co_return after;
  }

  void add_log_check() {
    if (auto log = check_log(answers_, subject_)) report_.checks.push_back(*std::move(log));
  }

  // The phone's log may take a second to show the probe, so both run at the same time.
  Task<GoOn> shake_hands() {
    using namespace base::parallel;
    auto [shaken, log_probe] =
        co_await (handshake() && run_on_device(survey_.device.get(), log_probe_line()));
    answers_.log_probe = std::move(log_probe);
    add_log_check();
    CO_TRY(Check check, std::move(shaken));
    if (report_.fixing && check.code == errc::result_envelope_timeout) {
      CO_TRY(check, co_await handshake_with_opened_app(std::move(check)));
    }
    if (report_.fixing && check.code == errc::device_accessibility_not_running) {
      CO_TRY(check, co_await repaired_handshake(std::move(check)));
    }
    co_return add(std::move(check));
  }

  Task<GoOn> smoke() {
    if (!full()) co_return GoOn::yes;
    const auto result = co_await execute_on(dispatch(), smoke_execution());
    if (!result && result.error().code() == errc::cancelled) {
      co_return std::unexpected(result.error());
    }
    co_return add(check_smoke(result, subject_));
  }

  void write_log() const {
    if (!options_.log) return;
    static constexpr LogLevel kLevels[] = {LogLevel::info, LogLevel::warn, LogLevel::error};
    for (const Check& check : report_.checks) {
      const LogLevel level = kLevels[static_cast<std::size_t>(check.status)];
      JsonObject members;
      members.text("checkId", check.id).text("status", status_name(check.status));
      if (check.code) members.text("code", (*check.code)->published);
      if (report_.device_id) members.text("deviceId", *report_.device_id);
      options_.log->write(level, "doctor.check", check.summary, members);
    }
  }

  DoctorOptions options_;
  HostSurvey survey_;
  Subject subject_;
  DeviceAnswers answers_;
  std::optional<std::filesystem::path> checkout_;
  Report& report_;
};

}  // namespace

Task<void> run_doctor(DoctorOptions options, Report* report) {
  Doctor doctor(std::move(options), report);
  co_return co_await doctor.run();
}

}  // namespace clawperator
