#include <charconv>
#include <cstdio>

#include "simdroid/userland/commands/commands.hpp"

namespace simdroid {
namespace {

Task<int> run_id(Process* process) {
  const std::string text = process->arg(1) == "-u"
                               ? "2000\n"
                               : "uid=2000(shell) gid=2000(shell) groups=2000(shell),1004(input),"
                                 "1007(log),1011(adb),1015(sdcard_rw),3003(inet) "
                                 "context=u:r:shell:s0\n";
  CO_TRY_VOID(co_await print(process, text));
  co_return 0;
}

Task<int> run_whoami(Process* process) {
  CO_TRY_VOID(co_await print(process, "shell\n"));
  co_return 0;
}

Task<int> run_uname(Process* process) {
  const std::string& option = process->arg(1);
  const std::string text = option == "-a"
                               ? "Linux localhost 5.15.0-simdroid #1 SMP PREEMPT aarch64 Toybox\n"
                           : option == "-m" ? "aarch64\n"
                           : option == "-r" ? "5.15.0-simdroid\n"
                                            : "Linux\n";
  CO_TRY_VOID(co_await print(process, text));
  co_return 0;
}

Task<int> run_ps(Process* process) {
  std::string text = "USER           PID  PPID     VSZ    RSS WCHAN            ADDR S NAME\n";
  for (const auto& [pid, entry] : process->phone->processes.all()) {
    char line[256];
    std::snprintf(line, sizeof line, "%-12s %5d %5d %7d %6d %-16s %4d S ", entry.user.c_str(), pid,
                  pid == 1 ? 0 : 1, 123456, 7890, "0", 0);
    text += line + entry.name.substr(0, 128) + "\n";
  }
  CO_TRY_VOID(co_await print(process, text));
  co_return 0;
}

Task<int> run_pidof(Process* process) {
  const int pid = process->phone->processes.pid_of(process->arg(1));
  const bool is_app = process->arg(1).contains('.');
  if (pid == 0 || (is_app && process->phone->packages->find(process->arg(1)) == nullptr))
    co_return 1;
  CO_TRY_VOID(co_await print(process, std::to_string(pid) + "\n"));
  co_return 0;
}

Task<int> run_kill(Process* process) {
  int status = 0;
  for (std::size_t i = 1; i < process->count(); ++i) {
    const std::string& text = process->arg(i);
    if (text.starts_with('-')) continue;
    int pid = 0;
    std::from_chars(text.data(), text.data() + text.size(), pid);
    const auto& all = process->phone->processes.all();
    const auto at = all.find(pid);
    if (at == all.end() || !at->second.kill) {
      const char* reason = at == all.end() ? "No such process" : "Operation not permitted";
      CO_TRY(status, co_await give_up(process, "sh: kill: " + text + ": " + reason + "\n"));
      continue;
    }
    const auto kill = at->second.kill;
    kill();
  }
  co_return status;
}

Task<int> run_df(Process* process) {
  const std::uint64_t used = process->phone->files.bytes() / 1024;
  const std::uint64_t all = process->phone->files.capacity() / 1024;
  CO_TRY_VOID(co_await print(
      process, "Filesystem      1K-blocks     Used Available Use% Mounted on\n/dev/fuse " +
                   std::to_string(all) + " " + std::to_string(used) + " " +
                   std::to_string(all - used) + "   1% /storage/emulated\n"));
  co_return 0;
}

Task<int> run_uptime(Process* process) {
  const auto seconds =
      std::chrono::floor<std::chrono::seconds>(process->phone->clock.uptime()).count();
  CO_TRY_VOID(co_await print(process, " up " + std::to_string(seconds / 60) +
                                          " min,  0 users,  load average: 0.00, 0.00, 0.00\n"));
  co_return 0;
}

constexpr CommandEntry kCommands[] = {
    {"id", run_id},       {"whoami", run_whoami}, {"uname", run_uname}, {"ps", run_ps},
    {"pidof", run_pidof}, {"kill", run_kill},     {"df", run_df},       {"uptime", run_uptime},
};

}  // namespace

std::span<const CommandEntry> system_commands() { return kCommands; }

}  // namespace simdroid
