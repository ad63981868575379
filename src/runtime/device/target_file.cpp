#include "runtime/device/target_file.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "adbproto/client/folder_lock.hpp"
#include "adbproto/client/server_address.hpp"
#include "base/files.hpp"
#include "runtime/contract/json_text.hpp"
#include "runtime/device/discovery/announced.hpp"
#include "runtime/device/environment.hpp"

namespace clawperator {

namespace {

constexpr std::size_t kMaxFile = 64 * 1024;
constexpr std::size_t kMaxTargets = 64;
constexpr std::size_t kMaxChanges = 128;
constexpr std::uint64_t kMaxNumber = std::uint64_t{1} << 53;

std::filesystem::path target_file() {
  const auto folder = state_folder();
  return folder.empty() ? folder : folder / "targets.json";
}

Result<void> write_targets(const TargetList& list) {
  JsonObject changes;
  for (const auto& [name, number] : list.changes) {
    changes.number(name, static_cast<std::int64_t>(number));
  }
  JsonObject file;
  file.strings("targets", list.addresses).object("changes", changes);
  file.number("lastChange", static_cast<std::int64_t>(list.last_change));
  return write_file_atomically(target_file(), file.str() + "\n", ParentFolder::created,
                               Durable::yes);
}

// Whoever changes the list holds it from reading to writing: two of them must not undo each other.
Task<FileHandle> lock_targets() {
  const auto path = target_file();
  if (path.empty()) co_return fail(errc::io, "HOME is not set, so targets cannot be kept");
  co_return co_await adbproto::lock_folder(path.parent_path());
}

std::vector<std::string> parse_addresses(const nlohmann::json& entries) {
  std::vector<std::string> addresses;
  if (!entries.is_array()) return addresses;
  for (const auto& entry : entries) {
    if (addresses.size() == kMaxTargets || !entry.is_string()) continue;
    if (auto name = target_name(entry.get<std::string>())) addresses.push_back(*std::move(name));
  }
  return addresses;
}

std::map<std::string, std::uint64_t> parse_changes(const nlohmann::json& entries) {
  std::map<std::string, std::uint64_t> changes;
  if (!entries.is_object()) return changes;
  for (const auto& [name, entry] : entries.items()) {
    if (changes.size() == kMaxChanges || !entry.is_number_unsigned()) continue;
    const auto number = entry.get<std::uint64_t>();
    if (number < kMaxNumber) changes[name] = number;
  }
  return changes;
}

void note_change(TargetList* list, const std::string& name) {
  auto& changes = list->changes;
  const auto number = [](const auto& change) { return change.second; };
  changes[name] = ++list->last_change;
  if (changes.size() > kMaxChanges) changes.erase(std::ranges::min_element(changes, {}, number));
}

}  // namespace

Result<std::string> target_name(const std::string& text) {
  if (auto name = instance_name(text)) return *std::move(name);
  if (text == "adb-" || text.contains("._adb")) {
    return fail(errc::invalid_argument, "no phone is called '" + text + "'");
  }
  TRY(const auto address, adbproto::parse_device_address(text));
  return address.to_string();
}

Result<TargetList> read_targets() {
  const auto path = target_file();
  std::error_code unknown;
  if (path.empty() || (!std::filesystem::exists(path, unknown) && !unknown)) return TargetList{};
  TRY(const std::string text, read_file(path, kMaxFile));
  const auto json = nlohmann::json::parse(text, nullptr, false);
  if (!json.is_object()) return TargetList{};
  const auto member = [&](const char* name) { return json.value(name, nlohmann::json()); };
  TargetList list{parse_addresses(member("targets")), parse_changes(member("changes"))};
  const auto last = member("lastChange");
  if (last.is_number_unsigned() && last.get<std::uint64_t>() < kMaxNumber) list.last_change = last;
  for (const auto& [name, number] : list.changes) {
    list.last_change = std::max(list.last_change, number);
  }
  return list;
}

Task<void> add_target(std::string address) {
  CO_TRY(const auto lock, co_await lock_targets());
  CO_TRY(TargetList list, read_targets());
  if (std::ranges::find(list.addresses, address) != list.addresses.end()) co_return ok();
  if (list.addresses.size() >= kMaxTargets) {
    co_return fail(errc::limit, "too many targets; disconnect one");
  }
  list.addresses.push_back(address);
  note_change(&list, address);
  co_return write_targets(list);
}

Task<bool> remove_target(std::string address) {
  CO_TRY(const auto known, read_targets());  // what is no target needs no home
  if (std::ranges::find(known.addresses, address) == known.addresses.end()) co_return false;
  CO_TRY(const auto lock, co_await lock_targets());
  CO_TRY(TargetList list, read_targets());
  if (std::erase(list.addresses, address) == 0) co_return false;
  list.changes.erase(address);
  CO_TRY_VOID(write_targets(list));
  co_return true;
}

Task<void> note_disconnected(std::string name) {
  CO_TRY(const auto lock, co_await lock_targets());
  CO_TRY(TargetList list, read_targets());
  note_change(&list, name);
  co_return write_targets(list);
}

}  // namespace clawperator
