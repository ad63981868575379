#include "runtime/mcp/hand.hpp"

#include "runtime/engine/device_session.hpp"
#include "runtime/engine/ulid.hpp"
#include "runtime/host/send_input.hpp"

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

Hand own_hand(Supervisor* devices, DeviceSessions* sessions) {
  Hand hand;
  hand.execute = [devices, sessions](ExecuteRequest request) {
    request.sessions = sessions;
    return execute(std::move(request), nullptr, supervised(devices));
  };
  hand.devices = [devices] { return rows_of(devices); };
  hand.input = [devices, sessions](TargetOptions target, act::InputBody body) {
    return send_input(devices, sessions, std::move(target),
                      {.command_id = "mcp-input-" + new_ulid(),
                       .calls = std::move(body.calls),
                       .limit = body.limit});
  };
  return hand;
}

}  // namespace clawperator::mcp
