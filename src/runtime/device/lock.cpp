#include "runtime/device/lock.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <map>
#include <nlohmann/json.hpp>

#include "base/clock.hpp"
#include "base/error_members.hpp"
#include "base/file_handle.hpp"
#include "base/hints.hpp"
#include "base/system/environment.hpp"
#include "base/system/errc.hpp"
#include "base/system/file_lock.hpp"
#include "base/text.hpp"
#include "runtime/device/identity.hpp"
#include "runtime/device/runtime_folder.hpp"

namespace clawperator {

namespace fs = std::filesystem;

namespace {

// Twice kLockFileSize, so that a longer text, which another program wrote, is noticed.
constexpr std::size_t kMaxLockFile = 1024;
// The written size, filled with blanks: shortening a file costs more than writing one.
constexpr std::size_t kLockFileSize = 512;

// `since` 0: not in the file.
struct Holder : DeviceHolder {
  std::int64_t until = 0;  // likewise; 0: the holder is alive or gone without a trace
};

// `is_longer`: than what we write.
Holder read_holder(int fd, bool* is_longer) {
  char text[kMaxLockFile];
  const ssize_t size = ::pread(fd, text, sizeof text, 0);
  Holder holder;
  *is_longer = size > static_cast<ssize_t>(kLockFileSize);
  if (size <= 0) return holder;
  const auto written = trimmed({text, static_cast<std::size_t>(size)});
  const auto json = nlohmann::json::parse(written, nullptr, false);
  if (!json.is_object()) return holder;
  const auto number = [&](const char* key) {
    const auto at = json.find(key);
    return at != json.end() && at->is_number_integer() ? at->get<std::int64_t>() : 0;
  };
  holder.pid = number("pid");
  holder.since = number("since");
  holder.until = number("until");
  const auto id = json.find("commandId");
  if (id != json.end() && id->is_string()) holder.command_id = id->get<std::string>();
  return holder;
}

// Best effort: the file's content only improves the messages and waits of other processes.
void write_holder(int fd, const Holder& holder) {
  JsonObject json;
  json.number("pid", holder.pid).text("commandId", holder.command_id.substr(0, 256));
  if (holder.since != 0) json.number("since", holder.since);
  if (holder.until != 0) json.number("until", holder.until);
  std::string text = json.str();
  text.resize(std::max(text.size(), kLockFileSize), ' ');
  [[maybe_unused]] const ssize_t written = ::pwrite(fd, text.data(), text.size(), 0);
}

// A time further off than any process writes comes from a clock that was set back, or damage.
bool is_settling(const Holder& holder) {
  const std::int64_t left = holder.until - base::wall_milliseconds();
  return left > 0 && left <= kSettleWindow.count();
}

// A holder that timed out is gone; its execution may still run on the device until the time in the
// file.
Error conflict(const std::string& device_id, const Holder& holder) {
  ErrorMembers details;
  details.text("deviceId", device_id);
  if (!holder.command_id.empty()) details.text("commandId", holder.command_id);
  if (holder.since != 0) details.number("since", holder.since);
  std::string hint = hints::line.with();
  if (is_settling(holder)) {
    const std::int64_t left = holder.until - base::wall_milliseconds();
    details.number("until", holder.until).number("retryAfterMs", std::max<std::int64_t>(left, 0));
    hint = "an execution that timed out may still be running: retry in " + std::to_string(left) +
           " ms" + hints::settling.with({std::to_string(kSettleWindow.count())});
  } else if (holder.pid != 0) {
    details.number("holderPid", holder.pid);
  }
  ErrorMembers members;
  members.text("hint", hint).object("details", details);
  return {errc::execution_conflict_in_flight, "Another execution is in flight on this device",
          members.str()};
}

std::string lock_path(const fs::path& folder, const std::string& identity) {
  return folder / ("clawperator-" + file_name_of(identity) + ".lock");
}

// One in each folder; errc::io where one of them cannot be opened.
Result<std::vector<FileHandle>> lock_files(const std::vector<fs::path>& folders,
                                           const std::string& identity,
                                           const std::string& device_id) {
  std::vector<FileHandle> files;
  for (const fs::path& folder : folders) {
    const std::string path = lock_path(folder, identity);
    FileHandle file = base::open_lock_file(path);
    if (!file.is_open()) return fail(errc::io, "cannot open " + path + ": " + std::strerror(errno));
    const base::Locking locking = base::try_lock(file);
    if (locking == base::Locking::failed) {
      return fail(errc::io, "cannot lock " + path + ": " + std::strerror(errno));
    }
    bool is_longer = false;
    const Holder holder = read_holder(file.get(), &is_longer);
    if (locking == base::Locking::held_by_another || is_settling(holder)) {
      return std::unexpected(conflict(device_id, holder));
    }
    if (is_longer && ::ftruncate(file.get(), kLockFileSize) != 0) {
      return fail(errc::io, "cannot write " + path + ": " + std::strerror(errno));
    }
    files.push_back(std::move(file));
  }
  return files;
}

}  // namespace

struct DeviceLock::Held {
  Held(std::string who, std::string command)
      : identity(std::move(who)),
        holder{{::getpid(), std::move(command), base::wall_milliseconds()}, 0} {}
  ~Held();
  Held(const Held&) = delete;
  Held& operator=(const Held&) = delete;

  void write(const Holder& who) const {
    for (const auto& file : files) write_holder(file.get(), who);
  }

  std::string identity;
  Holder holder;
  std::vector<FileHandle> files;  // locked, one in each folder
};

namespace {

// Locks of this process, for re-entry: an flock of another descriptor would conflict with it.
std::map<std::string, std::weak_ptr<DeviceLock::Held>>& held_here() {
  static std::map<std::string, std::weak_ptr<DeviceLock::Held>> held;
  return held;
}

}  // namespace

DeviceLock::Held::~Held() {
  if (!files.empty()) write(holder.until != 0 ? holder : Holder{});
  const auto at = held_here().find(identity);
  if (at != held_here().end() && at->second.expired()) held_here().erase(at);
}

std::string lock_identity(const std::string& serialno, const std::string& boot_id,
                          const std::string& serial) {
  if (!boot_id.empty()) return serialno + "-" + boot_id;
  return is_shared_serialno(serialno) ? serialno + "-" + serial : serialno;
}

namespace {

// By the lock of this process, else by what is written in the first folder's file.
Holder read_holder_of(const std::string& identity) {
  const auto here = held_here().find(identity);
  const auto held = here == held_here().end() ? nullptr : here->second.lock();
  if (held) return held->holder;
  const auto folders = runtime_folders();
  if (!folders) return {};
  const std::string path = lock_path(folders->locks.front(), identity);
  const FileHandle file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW));
  bool is_longer = false;
  return file.is_open() ? read_holder(file.get(), &is_longer) : Holder{};
}

}  // namespace

Error busy_device(const std::string& identity, const std::string& device_id) {
  return conflict(device_id, read_holder_of(identity));
}

std::optional<DeviceHolder> holder_of(const std::string& identity) {
  Holder holder = read_holder_of(identity);
  // A process that was killed leaves its name in the file.
  const bool lives =
      holder.pid > 0 && (::kill(static_cast<pid_t>(holder.pid), 0) == 0 || errno == EPERM);
  if (!lives || holder.until != 0) return std::nullopt;
  return holder;
}

Result<DeviceLock> DeviceLock::acquire(const std::string& identity, const std::string& device_id,
                                       const std::string& command_id) {
  if (const auto held = held_here()[identity].lock()) {
    if (held->holder.command_id == command_id) return DeviceLock(held);
    return std::unexpected(busy_device(identity, device_id));
  }
  TRY(const auto folders, runtime_folders());
  auto files = lock_files(folders.locks, identity, device_id);
  if (!files && files.error().code() == errc::io) {
    TRY(const auto found_anew, find_runtime_folders());
    files = lock_files(found_anew.locks, identity, device_id);
  }
  if (!files) return std::unexpected(std::move(files).error());
  auto held = std::make_shared<Held>(identity, command_id);
  held->files = *std::move(files);
  held_here()[identity] = held;
  held->write(held->holder);
  return DeviceLock(std::move(held));
}

void DeviceLock::settle() {
  held_->holder.until = base::wall_milliseconds() + kSettleWindow.count();
}

DeviceLock::DeviceLock(std::shared_ptr<Held> held) : held_(std::move(held)) {}
DeviceLock::DeviceLock(DeviceLock&&) noexcept = default;
DeviceLock& DeviceLock::operator=(DeviceLock&&) noexcept = default;
DeviceLock::~DeviceLock() = default;

}  // namespace clawperator
