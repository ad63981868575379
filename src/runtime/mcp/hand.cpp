#include "runtime/mcp/hand.hpp"

#include "runtime/engine/device_session.hpp"
#include "runtime/engine/ulid.hpp"
#include "runtime/host/verbs/app_log.hpp"
#include "runtime/host/verbs/shell_verb.hpp"

namespace clawperator::mcp {
namespace {

Task<std::vector<DeviceRow>> rows_of(Supervisor* devices) {
  co_await devices->look_for_server();
  auto rows = devices->rows();
  if (rows.empty()) {
    if (auto why = devices->why_nothing()) co_return std::unexpected(*std::move(why));
  }
  co_return rows;
}

}  // namespace

Hand own_hand(Supervisor* devices, DeviceSessions* sessions, EventLog* log) {
  Hand hand;
  hand.log = log;
  hand.execute = [devices, sessions, log](ExecuteRequest request) {
    request.sessions = sessions;
    return execute(std::move(request), log, supervised(devices));
  };
  hand.devices = [devices] { return rows_of(devices); };
  hand.input = [devices, sessions](TargetOptions target, act::InputBody body) {
    return send_input(devices, sessions, std::move(target),
                      {.command_id = "mcp-input-" + new_ulid(),
                       .calls = std::move(body.calls),
                       .limit = body.limit,
                       .verify = body.verify,
                       .points = std::move(body.points)});
  };
  hand.ready_for_script = [devices](TargetOptions target, NamedOperator wanted) {
    return ready_for_script(std::move(target), std::move(wanted), supervised(devices));
  };
  hand.find_recent_crash = [devices](TargetOptions target, std::string package) {
    return find_recent_crash(std::move(target), std::move(package), supervised(devices));
  };
  return hand;
}

}  // namespace clawperator::mcp
