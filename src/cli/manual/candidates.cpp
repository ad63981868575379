#include "cli/manual/candidates.hpp"

#include <algorithm>
#include <chrono>

#include "cli/grammar/command_line.hpp"
#include "cli/run_task.hpp"
#include "runtime/device/target.hpp"
#include "runtime/host/emulator/avd.hpp"
#include "runtime/host/verbs/apps.hpp"

namespace clawperator::cli {
namespace {

using Names = std::vector<std::string>;

constexpr auto kLimit = std::chrono::milliseconds(900);
constexpr std::size_t kLongestCandidate = 255;

TargetOptions quiet_target(std::span<const std::string> words) {
  const auto globals = globals_of(words);
  TargetOptions target = globals ? globals->target : TargetOptions{};
  target.start_server = false;
  target.authorization_limit = std::chrono::seconds(0);
  target.on_notice = nullptr;
  return target;
}

Task<Names> serials(TargetOptions target) {
  CO_TRY(const auto rows, co_await list_devices(std::move(target)));
  Names names;
  for (const DeviceRow& row : rows) names.push_back(row.serial);
  co_return names;
}

Task<Names> packages(TargetOptions target) {
  CO_TRY(const auto device, co_await resolve_device(std::move(target)));
  co_return co_await list_packages(device.get(), PackageKind::all);
}

// Phones and networks choose these names, and shells act on more characters than anybody lists:
// only what is known to be plain in all of them passes.
bool is_plain_word(std::string_view name) {
  constexpr std::string_view kAlphanumeric =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
  const auto is_plain = [&](char c) {
    return kAlphanumeric.contains(c) || std::string_view("._:/@%+=,-").contains(c);
  };
  return name.size() <= kLongestCandidate && !name.empty() &&
         (kAlphanumeric.contains(name[0]) || name[0] == '_') && std::ranges::all_of(name, is_plain);
}

Names asked(Task<Names> question) {
  auto names = run_task(with_deadline(std::move(question), kLimit, "completion"));
  return names ? *std::move(names) : Names{};
}

Names avds() {
  Names names;
  for (const Avd& avd : list_avds(avd_folder(), this_host())) names.push_back(avd.name);
  return names;
}

}  // namespace

std::string candidate_lines(std::vector<std::string> names) {
  std::erase_if(names, [](const std::string& name) { return !is_plain_word(name); });
  std::ranges::sort(names);
  const auto repeated = std::ranges::unique(names);
  names.erase(repeated.begin(), repeated.end());
  std::string text;
  for (const std::string& name : names) text += name + "\n";
  return text;
}

std::string candidates(std::string_view kind, std::span<const std::string> words) {
  if (kind == "serials") return candidate_lines(asked(serials(quiet_target(words))));
  if (kind == "packages") return candidate_lines(asked(packages(quiet_target(words))));
  return candidate_lines(avds());
}

}  // namespace clawperator::cli
