#include <cstdio>

#include "adbproto/client/sync_client.hpp"
#include "cli/adb/context.hpp"
#include "cli/output.hpp"

namespace clawperator::cli {
namespace {

std::string line_of(const adbproto::SyncEntry& entry) {
  char numbers[64];
  std::snprintf(numbers, sizeof numbers, "%08x %08llx %08llx ", entry.stat.mode,
                static_cast<unsigned long long>(entry.stat.size),
                static_cast<unsigned long long>(entry.stat.mtime));
  return line_for(Stream::out, numbers + entry.name) + "\n";
}

Task<int> run_ls(AdbContext* context, std::vector<std::string> arguments) {
  if (arguments.size() != 1) co_return adb_failed("ls requires an argument");
  const auto device = co_await open_adb_device(context);
  if (!device) co_return transfer_failed(device.error());
  CO_TRY(const auto client, co_await adbproto::SyncClient::open(device->get()));
  CO_TRY(const auto entries,
         co_await client->list(std::move(arguments[0]), adbproto::DotEntries::yes));
  std::string text;
  for (const auto& entry : entries) text += line_of(entry);
  print_out(text);
  co_return 0;
}

// What adb has no word for: the same line for one path, links not followed; -L follows them.
Task<int> run_stat(AdbContext* context, std::vector<std::string> arguments) {
  const bool follow = !arguments.empty() && arguments.front() == "-L";
  if (follow) arguments.erase(arguments.begin());
  if (arguments.empty()) co_return adb_failed("stat requires an argument");
  const auto device = co_await open_adb_device(context);
  if (!device) co_return transfer_failed(device.error());
  CO_TRY(const auto client, co_await adbproto::SyncClient::open(device->get()));
  int status = 0;
  for (std::string& path : arguments) {
    CO_TRY(const auto stat, co_await (follow ? client->stat(path) : client->lstat(path)));
    if (stat.error == 0) {
      print_out(line_of({stat, path}));
      continue;
    }
    status = adb_failed("cannot stat '" + path +
                        "': " + std::string(adbproto::sync_error_text(stat.error)));
  }
  co_return status;
}

}  // namespace

constinit const AdbCommand kAdbLs{"ls", " ls REMOTE",
                                  "list a directory: mode, size, mtime in hex, and name", run_ls};
constinit const AdbCommand kAdbStat{"stat", " stat [-L] REMOTE...",
                                    "the same line for files; -L follows links", run_stat};

}  // namespace clawperator::cli
