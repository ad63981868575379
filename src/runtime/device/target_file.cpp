#include "runtime/device/target_file.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "adbproto/client/server_address.hpp"
#include "runtime/contract/json_text.hpp"
#include "runtime/device/environment.hpp"

namespace clawperator {

using adbproto::Errc;
using adbproto::fail;
using adbproto::Result;

namespace {

constexpr std::size_t kMaxFile = 64 * 1024;
constexpr std::size_t kMaxTargets = 64;

std::filesystem::path target_file() {
  const auto folder = state_folder();
  return folder.empty() ? folder : folder / "targets.json";
}

Result<void> write_targets(const std::vector<std::string>& targets) {
  const auto path = target_file();
  if (path.empty()) return fail(Errc::io, "HOME is not set, so targets cannot be kept");
  return write_file_atomically(path, JsonObject().strings("targets", targets).str() + "\n");
}

}  // namespace

std::vector<std::string> read_targets() {
  std::vector<std::string> targets;
  const auto path = target_file();
  if (path.empty()) return targets;
  const auto text = read_file(path, kMaxFile);
  if (!text) return targets;
  const auto json = nlohmann::json::parse(*text, nullptr, false);
  if (!json.is_object() || !json.contains("targets") || !json["targets"].is_array()) return targets;
  for (const auto& entry : json["targets"]) {
    if (targets.size() == kMaxTargets || !entry.is_string()) continue;
    const auto address = adbproto::parse_device_address(entry.get<std::string>());
    if (address) targets.push_back(address->to_string());
  }
  return targets;
}

Result<void> add_target(const std::string& address) {
  auto targets = read_targets();
  if (std::ranges::find(targets, address) != targets.end()) return adbproto::ok();
  if (targets.size() >= kMaxTargets) return fail(Errc::limit, "too many targets; disconnect one");
  targets.push_back(address);
  return write_targets(targets);
}

Result<bool> remove_target(const std::string& address) {
  auto targets = read_targets();
  if (std::erase(targets, address) == 0) return false;
  TRY_VOID(write_targets(targets));
  return true;
}

}  // namespace clawperator
