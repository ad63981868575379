#include "adbproto/session/sync_transfer.hpp"
#include "cli/adb/context.hpp"
#include "cli/adb/transfer_options.hpp"
#include "cli/adb/transfer_report.hpp"

namespace clawperator::cli {
namespace {

Task<int> run_pull(AdbContext* context, std::vector<std::string> arguments) {
  CO_TRY(auto line, read_transfer_line(Direction::pull, arguments));
  if (line.paths.empty()) co_return adb_failed("pull requires an argument");
  std::string local = ".";
  if (line.paths.size() > 1) {
    local = std::move(line.paths.back());
    line.paths.pop_back();
  }
  const auto device = co_await open_adb_device(context);
  if (!device) co_return transfer_failed(device.error());
  CO_TRY(const auto client, co_await adbproto::SyncClient::open(device->get()));
  TransferReport report("pulled",
                        line.quiet ? ProgressLine::Shown::never : ProgressLine::Shown::if_terminal);
  report.listen(&line.options);
  const auto done = co_await client->pull(std::move(line.paths), local, std::move(line.options),
                                          report.progress());
  co_return report.finish(done);
}

}  // namespace

constinit const AdbCommand kAdbPull{"pull", " pull [-a] [-z ALGORITHM] [-Z] [-q] REMOTE... [LOCAL]",
                                    "copy files/dirs from device", run_pull};

}  // namespace clawperator::cli
