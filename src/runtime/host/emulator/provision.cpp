#include "runtime/host/emulator/provision.hpp"

#include <algorithm>

#include "base/error_members.hpp"
#include "base/json_text.hpp"
#include "runtime/device/resolver/resolver.hpp"
#include "runtime/host/android_services.hpp"
#include "runtime/host/emulator/avd.hpp"
#include "runtime/host/emulator/errc.hpp"
#include "runtime/host/emulator/lifecycle.hpp"

namespace clawperator {

using PlanStep = ProvisionPlan::Step;

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
          hint_and_details(
              "delete it (`clawperator emulator delete " + avd.name + "`) or choose another --name",
              details)};
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
  if (plan.step == PlanStep::reuse) {
    CO_TRY(done.emulator, co_await reuse(std::move(host), std::move(running), plan.avd_name));
    done.reused = true;
    co_return done;
  }
  if (plan.step == PlanStep::create) {
    AvdProfile profile = default_profile(host.arch);
    profile.name = plan.avd_name;
    CO_TRY_VOID(co_await create_emulator(host, std::move(profile), Existing::kept));
    done.created = true;
  }
  CO_TRY(done.emulator, co_await start_emulator(std::move(host), plan.avd_name));
  done.started = true;
  co_return done;
}

Error already_exists(const std::string& name) {
  return {errc::emulator_already_exists, "There is an AVD " + name + " already",
          hint_and_details("choose another name, or replace it and all that is on it with --force "
                           "(over HTTP: \"force\":true)",
                           ErrorMembers().text("avdName", name))};
}

Task<void> require_place(EmulatorHost host, std::string name, Existing existing) {
  if (!is_taken(host.avds, name)) co_return ok();
  if (existing == Existing::kept) co_return std::unexpected(already_exists(name));
  co_return co_await require_idle(host, name, Doubt::respect);
}

}  // namespace

ProvisionPlan plan_provision(const std::string& preferred,
                             const std::vector<RunningEmulator>& running,
                             const std::vector<Avd>& avds) {
  const auto runs = [&](const std::string& name) { return find_by_name(running, name) != nullptr; };
  if (runs(preferred) && fits(avds, preferred)) return {PlanStep::reuse, preferred};
  for (const RunningEmulator& emulator : running) {
    if (fits(avds, emulator.avd_name)) return {PlanStep::reuse, emulator.avd_name};
  }
  if (fits(avds, preferred)) return {PlanStep::start, preferred};
  for (const Avd& avd : avds) {
    if (avd.supported) return {PlanStep::start, avd.name};
  }
  if (find_avd(avds, preferred)) return {PlanStep::refuse, preferred};
  return {PlanStep::create, preferred};
}

Task<Avd> create_emulator(EmulatorHost host, AvdProfile profile, Existing existing) {
  const std::string name = profile.name;
  CO_TRY_VOID(check_avd_name(name));
  CO_TRY_VOID(require_sdk_tools({SdkTool::sdkmanager, SdkTool::avdmanager}));
  CO_TRY_VOID(co_await require_place(host, name, existing));
  if (host.on_progress) host.on_progress("looking for " + profile.system_image());
  CO_TRY_VOID(co_await install_system_image(profile.system_image()));
  CO_TRY_VOID(co_await require_place(host, name, existing));  // the image took its time
  CO_TRY_VOID(co_await create_avd(profile, existing));
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
  CO_TRY_VOID(co_await require_idle(host, name, Doubt::respect));
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
  if (plan.step == PlanStep::refuse) {
    co_return std::unexpected(unsupported(*find_avd(avds, preferred)));
  }
  const TargetOptions target = host.target;
  CO_TRY(auto done, co_await follow(std::move(host), plan, running));
  CO_TRY_VOID(co_await switch_on_developer_settings(target, done.emulator));
  co_return done;
}

namespace {

JsonObject booted_members(const RunningEmulator& emulator, std::string_view avd_name) {
  return JsonObject()
      .text("type", "emulator")
      .text("avdName", avd_name)
      .text("serial", emulator.row.serial)
      .boolean("booted", emulator.booted);
}

}  // namespace

std::string avds_json(std::vector<Avd>* avds, const std::vector<RunningEmulator>& running) {
  for (Avd& avd : *avds) avd.running = find_by_name(running, avd.name) != nullptr;
  return JsonObject()
      .json("avds", list_json(*avds, [](const Avd& avd) { return to_json(avd); }))
      .str();
}

std::string running_json(const EmulatorHost& host, const std::vector<RunningEmulator>& running) {
  const auto write = [&host](const RunningEmulator& emulator) {
    // A console's reply is a name only if it could be one.
    const Avd avd = is_avd_name(emulator.avd_name)
                        ? read_avd(host.avds, emulator.avd_name, host.arch)
                        : describe_avd(emulator.avd_name, {}, {}, host.arch);
    JsonObject json = booted_members(emulator, emulator.avd_name);
    json.boolean("supported", avd.supported).strings("unsupportedReasons", avd.unsupported_reasons);
    return json;
  };
  return JsonObject().json("devices", list_json(running, write)).str();
}

std::string provisioned_json(const Provisioned& done) {
  return booted_members(done.emulator, done.emulator.avd_name)
      .boolean("created", done.created)
      .boolean("started", done.started)
      .boolean("reused", done.reused)
      .str();
}

std::string started_json(const RunningEmulator& emulator, std::string_view avd_name) {
  return booted_members(emulator, avd_name).str();
}

std::string stopped_json(const RunningEmulator& emulator, std::string_view name) {
  JsonObject json;
  json.boolean("ok", true).text("avdName", emulator.avd_name);
  if (name == emulator.row.serial) json.text("serial", name);
  return json.boolean("stopped", true).str();
}

std::string deleted_json(std::string_view avd_name) {
  return JsonObject().boolean("ok", true).text("avdName", avd_name).boolean("deleted", true).str();
}

}  // namespace clawperator
