#include "runtime/host/verbs/package_log.hpp"

#include <algorithm>

#include "adbproto/client/shell.hpp"
#include "adbproto/wire/services.hpp"
#include "base/number.hpp"
#include "base/text.hpp"
#include "runtime/contract/errc.hpp"
#include "runtime/host/android_services.hpp"
#include "runtime/host/verbs/apps.hpp"
#include "runtime/host/verbs/crash_report.hpp"

namespace clawperator {
namespace {

using namespace adbproto::parallel;

constexpr std::string_view kLevels = "VDIWEF";

std::vector<std::string_view> words_of(std::string_view line) {
  std::vector<std::string_view> words;
  while (!(line = trimmed(line)).empty()) {
    words.push_back(line.substr(0, std::min(line.find_first_of(kBlanks), line.size())));
    line.remove_prefix(words.back().size());
  }
  return words;
}

Task<PackageProcesses> find_processes(adbproto::Device* device, std::string package) {
  AndroidServices services(device);
  const auto [there, sdk] = co_await (require_package(&services, package) && ask_sdk(device));
  CO_TRY_VOID(there);
  CO_TRY_VOID(sdk);
  CO_TRY(const CommandOutput listing, co_await run_on_device(device, processes_line(*sdk)));
  PackageProcesses processes(std::move(package));
  processes.read_listing(listing.out);
  co_return processes;
}

class PackageLog {
 public:
  PackageLog(PackageProcesses processes, char level, OnLogLine on_line)
      : processes_(std::move(processes)),
        level_(kLevels.find(level)),
        on_line_(std::move(on_line)) {}

  // False where enough was read.
  Task<bool> feed(ByteView piece) {
    reader_.feed(piece);
    for (;;) {
      CO_TRY(const auto entry, reader_.next());
      if (!entry) co_return true;
      CO_TRY(const bool wanted, co_await take(*entry));
      if (!wanted) co_return false;
    }
  }
  Task<bool> finish() {
    const auto entry = reader_.finish();
    if (!entry) co_return true;
    co_return co_await take(*entry);
  }

 private:
  Task<bool> take(const adbproto::LogEntry& entry) {
    processes_.note(entry);
    const auto level = kLevels.find(entry.priority);
    if (level == kLevels.npos || level < level_ || !processes_.has(entry.pid)) co_return true;
    co_return co_await on_line_(entry);
  }

  adbproto::LogcatTextReader reader_;
  PackageProcesses processes_;
  std::size_t level_;
  OnLogLine on_line_;
};

Task<void> read_stream(adbproto::OutputStream* stream, PackageLog* log) {
  for (;;) {
    const auto piece = co_await stream->next();
    if (!piece && piece.error().code() == errc::closed && stream->exit_status()) break;
    if (!piece) co_return fail(errc::link_lost, "the phone's log: " + piece.error().message());
    CO_TRY(const bool wanted, co_await log->feed(*piece));
    if (!wanted) co_return ok();
  }
  CO_TRY_VOID(co_await log->finish());
  if (*stream->exit_status() == 0) co_return ok();
  co_return fail(errc::logcat_unavailable, "the phone's log ended: " + one_message(stream->err()));
}

}  // namespace

void PackageProcesses::read_listing(std::string_view printed) {
  const auto heads = words_of(take_line(&printed));
  const auto column = [&](std::string_view name) {
    return static_cast<std::size_t>(std::ranges::find(heads, name) - heads.begin());
  };
  const std::size_t pid_at = column("PID");
  while (!printed.empty()) {
    const auto words = words_of(take_line(&printed));
    // The name is the last column, whatever stands before it.
    if (words.size() < 2 || pid_at >= words.size()) continue;
    const auto pid = whole_number<std::int32_t>(words[pid_at]);
    if (pid && is_process_of(words.back(), package_)) pids_.insert(*pid);
  }
}

void PackageProcesses::note(const adbproto::LogEntry& entry) {
  constexpr std::string_view kStarted = "Start proc ";
  if (entry.tag != "ActivityManager" || !entry.message.starts_with(kStarted)) return;
  const std::string_view rest = std::string_view(entry.message).substr(kStarted.size());
  const auto colon = rest.find(':');
  const auto slash = rest.find('/');
  if (colon == rest.npos || slash == rest.npos || slash < colon) return;
  const auto pid = whole_number<std::int32_t>(rest.substr(0, colon));
  if (!pid) return;
  // Numbers are given to others once their process is gone.
  if (is_process_of(rest.substr(colon + 1, slash - colon - 1), package_)) {
    pids_.insert(*pid);
  } else {
    pids_.erase(*pid);
  }
}

Task<void> read_package_log(adbproto::Device* device, PackageLogRequest request,
                            OnLogLine on_line) {
  if (!device->features().has("shell_v2")) {
    co_return fail(errc::unsupported, "an app's log needs Android 7 or newer");
  }
  CO_TRY(auto processes, co_await find_processes(device, request.package));
  PackageLog log(std::move(processes), request.level, std::move(on_line));
  std::string service = adbproto::shell_v2_raw(package_log_line(request.level, request.end));
  CO_TRY(auto opened, co_await device->open(std::move(service)));
  adbproto::OutputStream stream(std::move(opened), adbproto::Framing::shell_v2);
  const auto read = co_await read_stream(&stream, &log);
  stream.close();
  co_return read;
}

}  // namespace clawperator
