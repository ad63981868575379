#include "runtime/host/packages.hpp"

#include <array>

#include "cli/chore.hpp"
#include "cli/commands/commands.hpp"
#include "cli/pretty/people.hpp"
#include "cli/run_task.hpp"
#include "runtime/contract/json_text.hpp"
#include "runtime/device/target.hpp"

namespace clawperator::cli {
namespace {

using Names = std::vector<std::string>;

constexpr std::array kPackagesOptions{
    Option{"--third-party", "", Arity::none, "", "only what is no part of the system"},
};

Task<Names> resolve_and_list(TargetOptions target, PackageKind kind) {
  CO_TRY(const auto device, co_await resolve_device(std::move(target)));
  co_return co_await list_packages(device.get(), kind);
}

Result<Answer> list_packages(const Invocation& invocation) {
  const PackageKind kind =
      invocation.arguments.has("--third-party") ? PackageKind::third_party : PackageKind::all;
  TRY(const Names names,
      run_chore(invocation.globals, resolve_and_list(invocation.globals.target, kind),
                "packages list"));
  Answer answer;
  answer.json = JsonObject().strings("packages", names).str();
  if (invocation.globals.output != OutputMode::pretty) return answer;
  for (const std::string& name : names) answer.text += printable_name(name) + "\n";
  if (names.empty()) answer.text = "no packages\n";
  return answer;
}

constinit const Command kPackagesList = {
    "packages list",
    "",
    "[--third-party]",
    "List the packages that are installed on the device",
    "{\"packages\":[\"a.b\",...]} in the order in which the device prints them.",
    "packages list\n"
    "packages list --third-party --output pretty\n",
    Reach::device,
    kPackagesOptions,
    list_packages};

constexpr std::array<const Command*, 1> kPackagesSubcommands{&kPackagesList};

}  // namespace

constinit const Command kPackages = {"packages",
                                     "",
                                     "list [--third-party]",
                                     "List the packages that are installed on the device",
                                     "",
                                     "packages list --third-party\n",
                                     Reach::device,
                                     {},
                                     nullptr,
                                     kPackagesSubcommands};

}  // namespace clawperator::cli
