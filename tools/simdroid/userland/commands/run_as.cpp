#include "simdroid/userland/commands/commands.hpp"
#include "simdroid/userland/shell.hpp"

namespace simdroid {
namespace {

constexpr std::string_view kDebugSuffix = ".dev";

// run-as PACKAGE PROGRAM ARG...: as that app, in its private folder; only debug builds let it.
Task<int> run_as(Process* process) {
  const std::string package = process->arg(1);
  if (package.empty()) {
    co_return co_await give_up(process,
                               "run-as: usage: run-as <package-name> [--user <uid>] <command>\n");
  }
  if (process->phone->packages->find(package) == nullptr) {
    co_return co_await give_up(process, "run-as: unknown package: " + package + "\n");
  }
  if (!package.ends_with(kDebugSuffix)) {
    co_return co_await give_up(process, "run-as: package not debuggable: " + package + "\n");
  }
  std::vector<std::string> args = process->args_from(2);
  if (args.empty()) args.emplace_back("sh");
  Shell child = *process->shell;
  child.set_directory("/data/data/" + package);
  co_return co_await child.run_arguments(std::move(args), process->io);
}

constexpr CommandEntry kRunAsCommands[] = {{"run-as", run_as}};

}  // namespace

std::span<const CommandEntry> run_as_commands() { return kRunAsCommands; }

}  // namespace simdroid
