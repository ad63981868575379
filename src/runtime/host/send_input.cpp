#include "runtime/host/send_input.hpp"

#include "runtime/host/phone_maker.hpp"

namespace clawperator {

Task<PictureProof> give_input(Device* device, DeviceInput input) {
  const auto done = co_await perform_input(device, std::move(input));
  if (!done) co_return std::unexpected(co_await with_vendor_hint(device, done.error()));
  co_return done;
}

Task<InputDone> send_input(Supervisor* devices, DeviceSessions* sessions, TargetOptions target,
                           DeviceInput input) {
  CO_TRY(const CommandClaim claim, sessions->claim(input.command_id));
  CO_TRY(const auto device, co_await open_supervised(devices, std::move(target)));
  CO_TRY(const PictureProof proof, co_await give_input(device.get(), std::move(input)));
  co_return InputDone{device->serial(), proof};
}

}  // namespace clawperator
