#include <charconv>
#include <cstdio>

#include "simdroid/userland/commands/commands.hpp"

namespace simdroid {
namespace {

Task<int> run_id(Process* process) {
  if (process->count() > 1 && process->arg(1) != "-u")
    co_return not_known(*process, process->arg(1));
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
  if (process->count() > 1 && option != "-a") co_return not_known(*process, option);
  CO_TRY_VOID(co_await print(
      process, option == "-a" ? "Linux localhost 5.15.0-simdroid #1 SMP PREEMPT aarch64 Toybox\n"
                              : "Linux\n"));
  co_return 0;
}

Task<int> list_numbers_and_names(Process* process) {
  std::string text = "  PID NAME\n";
  for (const auto& [pid, entry] : process->phone->processes.all()) {
    char line[32];
    std::snprintf(line, sizeof line, "%5d ", pid);
    text += line + entry.name.substr(0, 128) + "\n";
  }
  CO_TRY_VOID(co_await print(process, text));
  co_return 0;
}

Task<int> run_ps(Process* process) {
  if (process->count() > 1 && process->arg(1) != "-A")
    co_return not_known(*process, process->arg(1));
  constexpr int kHasColumns = 26;
  if (process->arg(2) == "-o" && process->arg(3) == "PID,NAME" &&
      process->phone->sdk() >= kHasColumns) {
    co_return co_await list_numbers_and_names(process);
  }
  if (process->count() > 2) co_return not_known(*process, process->arg(2));
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
  const bool interrupts = process->arg(1) == "-INT" || process->arg(1) == "-2";
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
    const bool catches = interrupts && at->second.interrupt;
    const auto end = catches ? at->second.interrupt : at->second.kill;
    end();
  }
  co_return status;
}

constexpr CommandEntry kSystemCommands[] = {
    {"id", run_id}, {"whoami", run_whoami}, {"uname", run_uname},
    {"ps", run_ps}, {"pidof", run_pidof},   {"kill", run_kill},
};

}  // namespace

std::span<const CommandEntry> system_commands() { return kSystemCommands; }

}  // namespace simdroid
