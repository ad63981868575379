#include <array>
#include <charconv>
#include <optional>

#include "base/text.hpp"
#include "cli/chore.hpp"
#include "cli/commands/commands.hpp"
#include "cli/run_task.hpp"
#include "cli/settings.hpp"
#include "runtime/contract/errc.hpp"
#include "runtime/contract/json_text.hpp"
#include "runtime/device/target.hpp"
#include "runtime/host/operator/crash_log.hpp"

namespace clawperator::cli {
namespace {

constexpr std::array kCrashLogOptions{
    Option{"--lines", "", Arity::one, "<n>", "the last n lines only"},
};

struct DeviceCrashLog {
  std::string device_id;
  CrashLog log;
};

Task<DeviceCrashLog> read(TargetOptions target, std::string package) {
  CO_TRY(const auto device, co_await resolve_device(std::move(target)));
  CO_TRY(CrashLog log, co_await read_crash_log(device.get(), std::move(package)));
  co_return DeviceCrashLog{device->serial(), std::move(log)};
}

Result<std::optional<std::size_t>> wanted_lines(const Arguments& arguments) {
  const std::string* given = arguments.value("--lines");
  if (given == nullptr) return std::nullopt;
  std::uint32_t count = 0;
  const char* const end = given->data() + given->size();
  const auto read = std::from_chars(given->data(), end, count);
  if (read.ec == std::errc{} && read.ptr == end && count > 0) return count;
  return fail(errc::usage, "--lines must be a positive number");
}

Result<Answer> run_crash_log(const Invocation& invocation) {
  TRY(const auto lines, wanted_lines(invocation.arguments));
  const std::string package = operator_package(invocation.globals);
  TRY(DeviceCrashLog found,
      run_chore(invocation.globals, read(invocation.globals.target, package), "crash-log"));
  CrashLog& log = found.log;
  if (lines) {
    std::string last(last_lines(log.text, *lines));
    log.truncated = log.truncated || last.size() < log.text.size();
    log.text = std::move(last);
  }
  Answer answer;
  answer.json = JsonObject()
                    .text("operatorPackage", package)
                    .text("deviceId", found.device_id)
                    .text("text", log.text)
                    .boolean("truncated", log.truncated)
                    .str();
  if (invocation.globals.output == OutputMode::pretty) {
    answer.text = log.text.empty() ? package + " has logged no crash.\n" : log.text;
  }
  return answer;
}

}  // namespace

constinit const Command kCrashLog = {
    "crash-log",
    "",
    "[--lines <n>]",
    "Print the crash log of a debuggable Operator app",
    "files/crash-log.txt in the app's private folder: entries `<timestamp> [LEVEL] [thread] "
    "message`\n"
    "with their stack traces, at most the last 4 MiB. Android lets it be read on a debug build\n"
    "only (--operator-package com.clawperator.operator.dev).",
    "crash-log --operator-package com.clawperator.operator.dev --output pretty\n"
    "crash-log --operator-package com.clawperator.operator.dev --lines 50\n",
    Reach::device,
    kCrashLogOptions,
    run_crash_log};

}  // namespace clawperator::cli
