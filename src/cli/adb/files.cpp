// Files of the device: push, pull, ls, stat.

#include <cstdio>

#include "cli/adb/context.hpp"
#include "cli/adb/transfer.hpp"

namespace clawperator::cli {
namespace {

std::string line_of(const SyncEntry& entry) {
  char numbers[64];
  std::snprintf(numbers, sizeof numbers, "%08x %08llx %08llx ", entry.stat.mode,
                static_cast<unsigned long long>(entry.stat.size),
                static_cast<unsigned long long>(entry.stat.mtime));
  return line_for(Stream::out, numbers + entry.name) + "\n";
}

Task<int> move_files(AdbContext* context, TransferWay direction, TransferLine line,
                     std::string to) {
  const auto device = co_await open_adb_device(context);
  if (!device) co_return transfer_failed(device.error());
  CO_TRY(const auto client, co_await SyncClient::open(device->get()));
  const bool pushes = direction == TransferWay::push;
  TransferReport report(pushes ? "pushed" : "pulled",
                        line.quiet ? ProgressLine::Shown::never : ProgressLine::Shown::if_terminal);
  report.listen(&line.options);
  const auto move = pushes ? &SyncClient::push : &SyncClient::pull;
  co_return report.finish(co_await ((*client).*move)(std::move(line.paths), std::move(to),
                                                     std::move(line.options), report.progress()));
}

}  // namespace

Task<int> adb_push(AdbContext* context, AdbWords arguments) {
  CO_TRY(auto line, read_transfer_line(TransferWay::push, arguments));
  if (line.paths.size() < 2) {
    co_return adb_failed("push requires <source> and <destination> arguments");
  }
  std::string remote = std::move(line.paths.back());
  line.paths.pop_back();
  co_return co_await move_files(context, TransferWay::push, std::move(line), std::move(remote));
}

Task<int> adb_pull(AdbContext* context, AdbWords arguments) {
  CO_TRY(auto line, read_transfer_line(TransferWay::pull, arguments));
  if (line.paths.empty()) co_return adb_failed("pull requires an argument");
  std::string local = ".";
  if (line.paths.size() > 1) {
    local = std::move(line.paths.back());
    line.paths.pop_back();
  }
  co_return co_await move_files(context, TransferWay::pull, std::move(line), std::move(local));
}

Task<int> adb_sync(AdbContext*, AdbWords) {
  co_return not_offered("sync", "it copies a build of the system; use push --sync");
}

Task<int> adb_ls(AdbContext* context, AdbWords arguments) {
  if (arguments.size() != 1) co_return adb_failed("ls requires an argument");
  const auto device = co_await open_adb_device(context);
  if (!device) co_return transfer_failed(device.error());
  CO_TRY(const auto client, co_await SyncClient::open(device->get()));
  CO_TRY(const auto entries, co_await client->list(std::move(arguments[0]), DotEntries::yes));
  std::string text;
  for (const auto& entry : entries) text += line_of(entry);
  print_out(text);
  co_return 0;
}

// adb has no such command: the `ls` line for one path. Links are followed only with -L.
Task<int> adb_stat(AdbContext* context, AdbWords arguments) {
  const bool follow = !arguments.empty() && arguments.front() == "-L";
  if (follow) arguments.erase(arguments.begin());
  if (arguments.empty()) co_return adb_failed("stat requires an argument");
  const auto device = co_await open_adb_device(context);
  if (!device) co_return transfer_failed(device.error());
  CO_TRY(const auto client, co_await SyncClient::open(device->get()));
  int status = 0;
  for (std::string& path : arguments) {
    CO_TRY(const auto stat, co_await (follow ? client->stat(path) : client->lstat(path)));
    if (stat.error == 0) {
      print_out(line_of({stat, path}));
      continue;
    }
    status = adb_failed("cannot stat '" + path + "': " + std::string(sync_error_text(stat.error)));
  }
  co_return status;
}

}  // namespace clawperator::cli
