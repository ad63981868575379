#include "runtime/host/doctor/repairs.hpp"

#include "adbproto/client/key_store.hpp"
#include "runtime/contract/errc.hpp"
#include "runtime/device/environment.hpp"
#include "runtime/device/start_server.hpp"
#include "runtime/host/permissions.hpp"
#include "runtime/host/phone_maker.hpp"

namespace clawperator {

Task<void> repair_server(TargetOptions target) {
  CO_TRY(auto address, adbproto::choose_server_address(target.adb_server, environment_variable));
  co_return co_await start_adb_server(std::move(address));
}

Result<void> repair_keys() {
  TRY([[maybe_unused]] const auto keys, adbproto::load_keys(environment_variable));
  return ok();
}

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

}  // namespace clawperator
