#include <algorithm>
#include <charconv>

#include "simdroid/userland/commands/commands.hpp"

namespace simdroid {
namespace {

constexpr std::string_view kInstallRefused =
    "Failure [INSTALL_FAILED_USER_RESTRICTED: the simulated device installs no packages]\n";

Task<int> run_list(Process* process) {
  if (process->arg(2) != "packages" && process->arg(2) != "package") {
    co_return co_await give_up(process, "Error: unknown list type '" + process->arg(2) + "'\n",
                               255);
  }
  bool third_party = false, system = false, paths = false, uids = false, codes = false;
  std::string filter;
  for (std::size_t i = 3; i < process->count(); ++i) {
    const std::string& arg = process->arg(i);
    third_party |= arg == "-3";
    system |= arg == "-s";
    paths |= arg == "-f";
    uids |= arg == "-U";
    codes |= arg == "--show-versioncode";
    if (arg == "--user" && ++i > 0) continue;
    if (!arg.starts_with('-')) filter = arg;
  }
  std::string text;
  for (const Package* package : process->phone->packages->all()) {
    if ((third_party && package->system) || (system && !package->system)) continue;
    if (!package->name.contains(filter)) continue;
    text += "package:";
    if (paths) text += package->apk_path() + "=";
    text += package->name;
    if (codes) text += " versionCode:" + std::to_string(package->version_code);
    if (uids) text += " uid:" + std::to_string(package->uid);
    text += "\n";
  }
  CO_TRY_VOID(co_await print(process, text));
  co_return 0;
}

Task<int> run_path(Process* process) {
  const Package* package = process->phone->packages->find(process->args.back());
  if (package == nullptr) co_return 1;
  CO_TRY_VOID(co_await print(process, "package:" + package->apk_path() + "\n"));
  co_return 0;
}

Task<int> security_exception(Process* process, std::string verb, std::string type,
                             std::string text) {
  co_return co_await give_up(
      process, "\nException occurred while executing '" + verb + "':\n" + type + ": " + text + "\n",
      255);
}

Task<int> run_grant(Process* process) {
  const std::string verb = process->arg(1);
  std::size_t at = 2;
  if (process->arg(at) == "--user") at += 2;
  const std::string& permission = process->arg(at + 1);
  Package* package = process->phone->packages->find(process->arg(at));
  if (package == nullptr) {
    co_return co_await security_exception(process, verb, "java.lang.IllegalArgumentException",
                                          "Unknown package: " + process->arg(at));
  }
  if (!permission.starts_with("android.permission.")) {
    co_return co_await security_exception(process, verb, "java.lang.IllegalArgumentException",
                                          "Unknown permission: " + permission);
  }
  if (verb == "grant") package->granted.insert(permission);
  if (verb == "revoke") package->granted.erase(permission);
  co_return 0;
}

// Takes the announced bytes, as the package manager would, before it says no.
Task<int> run_install(Process* process) {
  std::uint64_t announced = 0;
  for (std::size_t i = 1; i + 1 < process->count(); ++i) {
    if (process->arg(i) != "-S") continue;
    const std::string& text = process->arg(i + 1);
    std::from_chars(text.data(), text.data() + text.size(), announced);
  }
  const bool has_data = process->arg(1) == "install" || process->arg(1) == "install-write";
  Bytes chunk(64 * 1024);
  while (has_data && announced > 0) {
    const std::span<std::byte> room =
        std::span(chunk).first(std::min<std::uint64_t>(chunk.size(), announced));
    const auto size = co_await process->io.in->read_some(room);
    if (!size) break;
    announced -= *size;
  }
  process->phone->counters.add("install");
  CO_TRY_VOID(co_await print(process, std::string(kInstallRefused)));
  co_return 1;
}

Task<int> run_uninstall(Process* process) {
  const std::string& name = process->args.back();
  const Package* package = process->phone->packages->find(name);
  if (package == nullptr || package->system) {
    CO_TRY_VOID(co_await print(process, package == nullptr
                                            ? "Failure [DELETE_FAILED_INTERNAL_ERROR]\n"
                                            : "Failure [DELETE_FAILED_USER_RESTRICTED]\n"));
    co_return 1;
  }
  process->phone->packages->uninstall(name);
  process->phone->ui().uninstall(name);
  CO_TRY_VOID(co_await print(process, "Success\n"));
  co_return 0;
}

Task<int> run_clear(Process* process) {
  const std::string& name = process->args.back();
  if (process->phone->packages->find(name) == nullptr) {
    CO_TRY_VOID(co_await print(process, "Failed\n"));
    co_return 1;
  }
  process->phone->ui().force_stop(name);
  CO_TRY_VOID(co_await print(process, "Success\n"));
  co_return 0;
}

constexpr CommandEntry kCommands[] = {{"pm", run_package, &Latencies::app_process}};

}  // namespace

std::span<const CommandEntry> package_commands() { return kCommands; }

Task<int> run_package(Process* process) {
  const std::string& verb = process->arg(1);
  if (verb == "list") co_return co_await run_list(process);
  if (verb == "path") co_return co_await run_path(process);
  if (verb == "grant" || verb == "revoke") co_return co_await run_grant(process);
  if (verb == "uninstall") co_return co_await run_uninstall(process);
  if (verb == "clear") co_return co_await run_clear(process);
  if (verb.starts_with("install")) co_return co_await run_install(process);
  if (verb.empty())
    co_return co_await give_up(process, "Package manager (package) commands:\n", 255);
  co_return co_await give_up(process, "Unknown command: " + verb + "\n", 255);
}

}  // namespace simdroid
