#include "runtime/host/emulator/provision.hpp"

#include <algorithm>

#include "runtime/contract/errc.hpp"
#include "runtime/contract/error_members.hpp"
#include "runtime/host/android_services.hpp"
#include "runtime/host/emulator/avd_folder.hpp"
#include "runtime/host/emulator/in_use.hpp"
#include "runtime/host/emulator/sdk_tools.hpp"

namespace clawperator {

using Step = ProvisionPlan::Step;

namespace {

const Avd* find_avd(const std::vector<Avd>& avds, const std::string& name) {
  const auto at = std::ranges::find(avds, name, &Avd::name);
  return at == avds.end() ? nullptr : &*at;
}

bool fits(const std::vector<Avd>& avds, const std::string& name) {
  const Avd* avd = find_avd(avds, name);
  return avd != nullptr && avd->supported;
}

Error unsupported(const Avd& avd) {
  std::string reasons;
  for (const std::string& reason : avd.unsupported_reasons) {
    reasons += (reasons.empty() ? "" : ", ") + reason;
  }
  ErrorMembers details;
  details.text("avdName", avd.name).strings("unsupportedReasons", avd.unsupported_reasons);
  return {errc::emulator_unsupported, "AVD " + avd.name + " is not supported: " + reasons,
          ErrorMembers()
              .text("hint", "delete it (`clawperator emulator delete " + avd.name +
                                "`) or choose another --name")
              .object("details", details)
              .str()};
}

Task<bool> switch_on_developer_settings(TargetOptions target, RunningEmulator emulator) {
  CO_TRY(const auto device, co_await open_row(std::move(target), emulator.row));
  AndroidServices services(device.get());
  for (const std::string_view name : {"development_settings_enabled", "adb_enabled"}) {
    CO_TRY_VOID(co_await switch_on(&services, {"global", std::string(name)}));
  }
  co_return true;
}

Task<RunningEmulator> reuse(EmulatorHost host, std::vector<RunningEmulator> running,
                            std::string name) {
  const RunningEmulator* emulator = find_by_name(running, name);
  co_return co_await wait_until_booted(std::move(host), *emulator);
}

Task<Provisioned> follow(EmulatorHost host, ProvisionPlan plan,
                         std::vector<RunningEmulator> running) {
  Provisioned done;
  if (plan.step == Step::reuse) {
    CO_TRY(done.emulator, co_await reuse(std::move(host), std::move(running), plan.avd_name));
    done.reused = true;
    co_return done;
  }
  if (plan.step == Step::create) {
    CO_TRY_VOID(co_await create_emulator(host, plan.avd_name));
    done.created = true;
  }
  CO_TRY(done.emulator, co_await start_emulator(std::move(host), plan.avd_name));
  done.started = true;
  co_return done;
}

// A new one of that name takes the place of the old one.
Task<void> require_replaceable(EmulatorHost host, std::string name) {
  if (!read_avd(host.avds, name, host.arch).exists) co_return ok();
  co_return co_await require_surely_idle({host.target, host.avds, name});
}

}  // namespace

ProvisionPlan plan_provision(const std::string& preferred,
                             const std::vector<RunningEmulator>& running,
                             const std::vector<Avd>& avds) {
  const auto runs = [&](const std::string& name) { return find_by_name(running, name) != nullptr; };
  if (runs(preferred) && fits(avds, preferred)) return {Step::reuse, preferred};
  for (const RunningEmulator& emulator : running) {
    if (fits(avds, emulator.avd_name)) return {Step::reuse, emulator.avd_name};
  }
  if (fits(avds, preferred)) return {Step::start, preferred};
  for (const Avd& avd : avds) {
    if (avd.supported) return {Step::start, avd.name};
  }
  if (find_avd(avds, preferred)) return {Step::refuse, preferred};
  return {Step::create, preferred};
}

Task<Avd> create_emulator(EmulatorHost host, std::string name) {
  CO_TRY_VOID(check_avd_name(name));
  CO_TRY_VOID(require_sdk_tools({SdkTool::sdkmanager, SdkTool::avdmanager}));
  AvdProfile profile = default_profile(host.arch);
  profile.name = name;
  CO_TRY_VOID(co_await require_replaceable(host, name));
  if (host.on_progress) host.on_progress("looking for " + profile.system_image());
  CO_TRY_VOID(co_await install_system_image(profile.system_image()));
  CO_TRY_VOID(co_await require_replaceable(host, name));  // the image took its time
  CO_TRY_VOID(co_await create_avd(profile));
  Avd avd = read_avd(host.avds, name, host.arch);
  if (avd.exists) co_return avd;
  co_return fail(errc::android_avd_create_failed,
                 "avdmanager made " + name + ", but not in " + host.avds.string());
}

Task<void> delete_emulator(EmulatorHost host, std::string name) {
  CO_TRY_VOID(check_avd_name(name));
  if (!read_avd(host.avds, name, host.arch).exists) {
    co_return fail(errc::emulator_not_found, "AVD " + name + " does not exist");
  }
  CO_TRY_VOID(co_await require_surely_idle({host.target, host.avds, name}));
  CO_TRY_VOID(co_await delete_avd(name));
  if (!read_avd(host.avds, name, host.arch).exists) co_return ok();
  co_return fail(errc::emulator_delete_failed,
                 "avdmanager deleted " + name + ", but it is still in " + host.avds.string());
}

Task<Provisioned> provision_emulator(EmulatorHost host, std::string preferred) {
  CO_TRY_VOID(check_avd_name(preferred));
  CO_TRY_VOID(require_sdk_tools({SdkTool::emulator, SdkTool::sdkmanager, SdkTool::avdmanager}));
  host.target = emulators_only(std::move(host.target));
  CO_TRY(const auto running, co_await emulators_in_any_state(host.target));  // also one that boots
  const auto avds = list_avds(host.avds, host.arch);
  const ProvisionPlan plan = plan_provision(preferred, running, avds);
  if (plan.step == Step::refuse) {
    co_return std::unexpected(unsupported(*find_avd(avds, preferred)));
  }
  const TargetOptions target = host.target;
  CO_TRY(auto done, co_await follow(std::move(host), plan, running));
  CO_TRY_VOID(co_await switch_on_developer_settings(target, done.emulator));
  co_return done;
}

}  // namespace clawperator
