#include "runtime/host/device_shell.hpp"

namespace clawperator {
using adbproto::Errc;

adbproto::Error published_shell_error(const adbproto::Error& error) {
  const Errc code = error.code();
  if (code == Errc::link_lost || code == Errc::cancelled ||
      code >= Errc::execution_validation_failed)
    return error;
  if (names_lost_link(error)) return {Errc::link_lost, error.message(), error.members()};
  return {Errc::device_shell_unavailable, "the device's shell: " + error.message()};
}

adbproto::Task<CommandOutput> run_on_device(adbproto::Device* device, std::string command,
                                            std::chrono::milliseconds limit) {
  auto output = co_await run_command_line(device, std::move(command), limit);
  if (!output) co_return std::unexpected(published_shell_error(output.error()));
  co_return std::move(output);
}

}  // namespace clawperator
