#include "runtime/host/device_shell.hpp"

#include "runtime/contract/errc.hpp"

namespace clawperator {

Error published_shell_error(const Error& error) {
  const Errc code = error.code();
  if (code == errc::link_lost || code == errc::cancelled ||
      code >= errc::execution_validation_failed)
    return error;
  if (names_lost_link(error)) return {errc::link_lost, error.message(), error.members()};
  return {errc::device_shell_unavailable, "the device's shell: " + error.message()};
}

Task<CommandOutput> run_on_device(adbproto::Device* device, std::string command,
                                  std::chrono::milliseconds limit) {
  auto output = co_await run_command_line(device, std::move(command), limit);
  if (!output) co_return std::unexpected(published_shell_error(output.error()));
  co_return std::move(output);
}

}  // namespace clawperator
