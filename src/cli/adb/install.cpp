#include "adbproto/client/install.hpp"

#include <algorithm>

#include "adbproto/wire/services.hpp"
#include "adbproto/wire/shell_commands.hpp"
#include "base/text.hpp"
#include "cli/adb/context.hpp"
#include "cli/adb/transfer.hpp"

namespace clawperator::cli {
namespace {

constexpr std::string_view kKeepsData =
    "The -k option uninstalls the application while retaining the data/cache.\n"
    "At the moment, there is no way to remove the remaining data.\n"
    "You will have to reinstall the application with the same signature, and fully uninstall it.\n"
    "If you truly wish to continue, execute 'adb shell cmd package uninstall -k'.\n";

// The arguments of an install that adb itself reads; the rest goes to the package service.
struct InstallLine {
  InstallOptions options{};
  AdbWords files{};
};

constexpr std::string_view kIgnored[] = {"--no-incremental",   "--wait",
                                         "--no-fastdeploy",    "--force-agent",
                                         "--date-check-agent", "--version-check-agent",
                                         "--local-agent"};

Result<InstallLine> read_flags(AdbWords arguments) {
  InstallLine line;
  for (std::string& word : arguments) {
    if (word == "--streaming") {
      line.options.way = InstallWay::streamed;
    } else if (word == "--no-streaming") {
      line.options.way = InstallWay::pushed;
    } else if (word == "--incremental") {
      return fail(errc::not_implemented,
                  "incremental install is not offered: leave --incremental out");
    } else if (word == "--fastdeploy") {
      print_out("Fast Deploy is unavailable in this build of adb, ignoring.\n");
    } else if (std::ranges::find(kIgnored, word) == std::end(kIgnored)) {
      line.options.flags.push_back(std::move(word));
    }
  }
  return line;
}

bool ends_as(std::string_view name, std::initializer_list<std::string_view> endings) {
  const std::string lower = ascii_lower(name);
  return std::ranges::any_of(endings, [&](auto ending) { return lower.ends_with(ending); });
}

Task<int> install_files(AdbContext* context, InstallLine line) {
  CO_TRY(const auto device, co_await open_adb_device(context));
  const InstallWay way = choose_install_way(line.options.way, device->features());
  if (way == InstallWay::pushed) print_out("Performing Push Install\n");
  if (way == InstallWay::streamed) print_out("Performing Streamed Install\n");
  ProgressLine bar(ProgressLine::Shown::if_terminal);
  const std::string name = way == InstallWay::session ? "packages" : line.files.front();
  const auto show = [&](const InstallProgress& at) {
    bar.show({name, at.done, at.total, at.done, at.total});
  };
  line.options.on_pushed = [&](const TransferResult& pushed) {
    bar.print(transfer_summary(name, "pushed", pushed));
  };
  const auto verdict =
      co_await install(device.get(), std::move(line.files), std::move(line.options), show);
  bar.clear();
  if (!verdict && way == InstallWay::pushed && verdict.error().code() == errc::refused) {
    print_out(verdict.error().message() + "\n");
    co_return 1;
  }
  if (!verdict) co_return adb_failed(verdict.error().message());
  print_out(*verdict + "\n");
  co_return 0;
}

}  // namespace

Task<int> adb_install(AdbContext* context, AdbWords arguments) {
  if (arguments.empty()) co_return adb_failed("install requires an argument");
  std::string file = std::move(arguments.back());
  arguments.pop_back();
  if (!ends_as(file, {".apk", ".apex"})) {
    co_return adb_failed("filename doesn't end .apk or .apex: " + file);
  }
  CO_TRY(auto line, read_flags(std::move(arguments)));
  if (ends_as(file, {".apex"})) line.options.flags.emplace_back("--apex");
  line.files.push_back(std::move(file));
  co_return co_await install_files(context, std::move(line));
}

Task<int> adb_install_multiple(AdbContext* context, AdbWords arguments) {
  if (arguments.empty()) co_return adb_failed("install-multiple requires an argument");
  AdbWords files;
  while (!arguments.empty() && ends_as(arguments.back(), {".apk", ".dm", ".fsv_sig"})) {
    files.insert(files.begin(), std::move(arguments.back()));
    arguments.pop_back();
  }
  if (files.empty()) co_return adb_failed("need APK file on command line");
  CO_TRY(auto line, read_flags(std::move(arguments)));
  line.files = std::move(files);
  line.options.way = InstallWay::session;
  co_return co_await install_files(context, std::move(line));
}

Task<int> adb_uninstall(AdbContext* context, AdbWords arguments) {
  if (arguments.empty()) co_return adb_failed("uninstall requires an argument");
  if (std::ranges::find(arguments, "-k") != arguments.end()) {
    print_out(kKeepsData);
    co_return 1;
  }
  CO_TRY(const auto device, co_await open_adb_device(context));
  arguments.insert(arguments.begin(), "uninstall");
  const bool has_cmd = device->features().has("cmd");
  co_return co_await run_device_command(
      device.get(), package_command(has_cmd ? PackageProgram::cmd : PackageProgram::pm, arguments));
}

}  // namespace clawperator::cli
