// Reads a command's output over a direct link, with or without delayed_ack.
//
//   window_probe HOST:PORT announced|silent COMMAND      prints {"bytes":N,"ms":N}

#include <asio/co_spawn.hpp>
#include <asio/io_context.hpp>
#include <cstdio>
#include <string>

#include "adbproto/client/direct_client.hpp"
#include "adbproto/client/shell.hpp"
#include "adbproto/wire/services.hpp"

namespace {

using namespace std::chrono_literals;
using namespace adbproto;

Task<void> probe(std::string where, std::string how, std::string command) {
  CO_TRY(const auto address, adbproto::parse_device_address(where));
  adbproto::DirectOptions options;
  if (how == "announced") options.delayed_ack = adbproto::DelayedAck::announced;
  CO_TRY(const auto device, co_await adbproto::connect_device(address, options));
  const auto began = std::chrono::steady_clock::now();
  CO_TRY(const auto output,
         co_await adbproto::run_service(device.get(), adbproto::shell_v2_raw(command),
                                        adbproto::Framing::shell_v2, 60s));
  const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - began;
  std::printf("{\"bytes\":%zu,\"ms\":%.3f}\n", output.out.size(), took.count());
  co_return ok();
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) return 2;
  asio::io_context context(1);
  int status = 1;
  asio::co_spawn(context, probe(argv[1], argv[2], argv[3]),
                 [&](const std::exception_ptr& thrown, const Result<void>& done) {
                   status = !thrown && done ? 0 : 1;
                   if (!thrown && !done)
                     std::fprintf(stderr, "%s\n", done.error().message().c_str());
                 });
  context.run();
  return status;
}
