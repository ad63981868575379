#include "runtime/serve/routes.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/async/blocking.hpp"
#include "runtime/device/errc.hpp"
#include "runtime/host/emulator/avd.hpp"
#include "runtime/host/emulator/provision.hpp"
#include "runtime/serve/errc.hpp"
#include "runtime/serve/request_body.hpp"

namespace clawperator::serve {
namespace {

EmulatorHost host_of(const Service* service) {
  EmulatorHost host{.target = emulators_only(service->defaults->target), .avds = avd_folder()};
  host.logs = service->defaults->logs;
  return host;
}

// The emulator of the path.
Result<std::string> name_of(const Call& call) {
  TRY_VOID(check_avd_name(call.parameters.front()));
  return call.parameters.front();
}

// Without an adb server no emulator counts as running; the files still list those that exist.
Task<std::vector<RunningEmulator>> known_to_run(TargetOptions target) {
  auto running = co_await running_emulators(std::move(target));
  if (!running && running.error().code() == errc::adb_server_failed) running.emplace();
  co_return running;
}

// A name that is no text counts as none.
Task<std::string> requested_name(const http::Request* request) {
  CO_TRY(const Json body, read_optional_body(*request));
  const std::string* name = string_value(find_member(body, "name"));
  if (!name) co_return default_profile(this_host()).name;
  CO_TRY_VOID(check_avd_name(*name));
  co_return *name;
}

// Absent and null are the same.
const Json* wanted(const Json& body, std::string_view member) {
  const Json* value = find_member(body, member);
  return value == nullptr || value->is_null() ? nullptr : value;
}

std::unexpected<Error> unknown_value(std::string_view member, std::string_view what) {
  return fail(errc::invalid_body, "'" + std::string(member) + "' must be " + std::string(what));
}

Result<void> read_profile(const Json& body, HostArch arch, AvdProfile* profile) {
  if (const Json* level = wanted(body, "apiLevel")) {
    const auto number = whole_value(level, kLeastApiLevel, kMostApiLevel);
    if (!number) return unknown_value("apiLevel", "a whole number from 21 to 99");
    profile->api_level = static_cast<int>(*number);
  }
  if (const Json* device = wanted(body, "deviceProfile")) {
    const std::string* id = string_value(device);
    if (!id || !is_device_profile(*id)) return unknown_value("deviceProfile", "a device's id");
    profile->device = *id;
  }
  if (const Json* abi = wanted(body, "abi")) {
    const std::string* name = string_value(abi);
    const auto known = supported_abis(arch);
    if (!name || std::ranges::count(known, *name) == 0) {
      return unknown_value("abi", "arm64-v8a, or x86_64 on a computer of that kind");
    }
    profile->abi = *name;
  }
  if (wanted(body, "playStore") != nullptr) {
    TRY(const bool play_store, read_flag(body, "playStore"));
    profile->set_play_store(play_store);
  }
  return ok();
}

}  // namespace

Task<http::Response> answer_emulators(Service* service, Call) {
  const EmulatorHost host = host_of(service);
  CO_TRY(const auto running, co_await known_to_run(host.target));
  CO_TRY(const std::string json, co_await run_blocking([&]() -> Result<std::string> {
           auto avds = list_avds(host.avds, host.arch);
           return avds_json(&avds, running);
         }));
  co_return ok_answer(json);
}

Task<http::Response> answer_running_emulators(Service* service, Call) {
  const EmulatorHost host = host_of(service);
  CO_TRY(const auto running, co_await running_emulators(host.target));
  CO_TRY(const std::string json, co_await run_blocking([&]() -> Result<std::string> {
           return running_json(host, running);
         }));
  co_return ok_answer(json);
}

Task<http::Response> answer_emulator(Service* service, Call call) {
  const EmulatorHost host = host_of(service);
  CO_TRY(const std::string name, name_of(call));
  CO_TRY(const auto running, co_await known_to_run(host.target));
  CO_TRY(Avd avd, co_await run_blocking(
                      [&]() -> Result<Avd> { return read_avd(host.avds, name, host.arch); }));
  avd.running = find_by_name(running, name) != nullptr;
  co_return ok_answer(to_json(avd));
}

Task<http::Response> answer_create_emulator(Service* service, Call call) {
  const EmulatorHost host = host_of(service);
  AvdProfile profile = default_profile(host.arch);
  CO_TRY(profile.name, co_await requested_name(&call.request));
  CO_TRY(const Json body, read_optional_body(call.request));
  CO_TRY_VOID(read_profile(body, host.arch, &profile));
  CO_TRY(const bool replaces, read_flag(body, "force"));
  const auto existing = replaces ? Existing::replaced : Existing::kept;
  CO_TRY(const Avd avd, co_await create_emulator(host, std::move(profile), existing));
  co_return ok_answer(to_json(avd));
}

Task<http::Response> answer_start_emulator(Service* service, Call call) {
  CO_TRY(const std::string name, name_of(call));
  CO_TRY(const auto emulator, co_await start_emulator(host_of(service), name));
  co_return ok_answer(started_json(emulator, name));
}

Task<http::Response> answer_stop_emulator(Service* service, Call call) {
  CO_TRY(const std::string name, name_of(call));
  CO_TRY(const auto emulator, co_await stop_emulator(host_of(service), name));
  co_return http::Response{.body = stopped_json(emulator, name)};
}

Task<http::Response> answer_delete_emulator(Service* service, Call call) {
  CO_TRY(const std::string name, name_of(call));
  CO_TRY_VOID(co_await delete_emulator(host_of(service), name));
  co_return http::Response{.body = deleted_json(name)};
}

Task<http::Response> answer_provision_emulator(Service* service, Call call) {
  CO_TRY(std::string name, co_await requested_name(&call.request));
  CO_TRY(const auto done, co_await provision_emulator(host_of(service), std::move(name)));
  co_return ok_answer(provisioned_json(done));
}

}  // namespace clawperator::serve
