#include "cli/adb/context.hpp"
#include "cli/adb/transfer_options.hpp"
#include "cli/adb/transfer_report.hpp"

namespace clawperator::cli {
namespace {

Task<int> run_push(AdbContext* context, std::vector<std::string> arguments) {
  CO_TRY(auto line, read_transfer_line(Direction::push, arguments));
  if (line.paths.size() < 2) {
    co_return adb_failed("push requires <source> and <destination> arguments");
  }
  const std::string remote = std::move(line.paths.back());
  line.paths.pop_back();
  const auto device = co_await open_adb_device(context);
  if (!device) co_return transfer_failed(device.error());
  CO_TRY(const auto client, co_await adbproto::SyncClient::open(device->get()));
  TransferReport report("pushed",
                        line.quiet ? ProgressLine::Shown::never : ProgressLine::Shown::if_terminal);
  report.listen(&line.options);
  const auto done = co_await client->push(std::move(line.paths), remote, std::move(line.options),
                                          report.progress());
  co_return report.finish(done);
}

}  // namespace

constinit const AdbCommand kAdbPush{"push",
                                    " push [--sync] [-z ALGORITHM] [-Z] [-n] [-q] LOCAL... REMOTE",
                                    "copy local files/directories to device", run_push};

}  // namespace clawperator::cli
