#include "runtime/device/lock.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <map>
#include <nlohmann/json.hpp>

#include "runtime/contract/error_members.hpp"
#include "runtime/device/environment.hpp"

namespace clawperator {

using adbproto::Errc;
using adbproto::fail;
using adbproto::Result;

namespace {

constexpr std::size_t kMaxLockFile = 1024;

std::int64_t wall_milliseconds() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::milliseconds>(now).count();
}

struct Holder {
  std::int64_t pid = 0;
  std::string command_id;
  std::int64_t until = 0;  // epoch milliseconds; 0: the holder is alive or gone without a trace
};

Holder read_holder(int fd) {
  char text[kMaxLockFile];
  const ssize_t size = ::pread(fd, text, sizeof text, 0);
  Holder holder;
  if (size <= 0) return holder;
  const auto json = nlohmann::json::parse(text, text + size, nullptr, false);
  if (!json.is_object()) return holder;
  const auto number = [&](const char* key) {
    const auto at = json.find(key);
    return at != json.end() && at->is_number_integer() ? at->get<std::int64_t>() : 0;
  };
  holder.pid = number("pid");
  holder.until = number("until");
  const auto id = json.find("commandId");
  if (id != json.end() && id->is_string()) holder.command_id = id->get<std::string>();
  return holder;
}

// Best effort: what stands in the file only improves other processes' messages and manners.
void write_holder(int fd, const Holder& holder) {
  JsonObject json;
  json.number("pid", holder.pid).text("commandId", holder.command_id.substr(0, 256));
  if (holder.until != 0) json.number("until", holder.until);
  const std::string text = json.str();
  if (::ftruncate(fd, 0) != 0) return;
  [[maybe_unused]] const ssize_t written = ::pwrite(fd, text.data(), text.size(), 0);
}

// A time further off than anybody writes is a clock that was set back, or damage.
bool is_settling(const Holder& holder) {
  const std::int64_t left = holder.until - wall_milliseconds();
  return left > 0 && left <= kSettleWindow.count();
}

std::unexpected<adbproto::Error> conflict(const std::string& device_id,
                                          const std::string& command_id, const Holder& holder) {
  ErrorMembers details;
  details.text("deviceId", device_id).text("commandId", command_id);
  if (holder.pid != 0) details.number("holderPid", holder.pid);
  if (holder.until != 0) details.number("until", holder.until);
  return fail(Errc::execution_conflict_in_flight, "Another execution is in flight on this device",
              ErrorMembers().object("details", details).str());
}

}  // namespace

struct DeviceLock::Held {
  Held(std::string file, int descriptor, std::string command)
      : path(std::move(file)), fd(descriptor), command_id(std::move(command)) {}
  ~Held();
  Held(const Held&) = delete;
  Held& operator=(const Held&) = delete;

  std::string path;
  int fd;
  std::string command_id;
  std::int64_t until = 0;
};

DeviceLock::Held::~Held() {
  write_holder(fd, {until != 0 ? ::getpid() : 0, until != 0 ? command_id : "", until});
  ::close(fd);
}

namespace {

// Locks of this process, for re-entry: an flock of another descriptor would conflict with it.
std::map<std::string, std::weak_ptr<DeviceLock::Held>>& held_here() {
  static std::map<std::string, std::weak_ptr<DeviceLock::Held>> held;
  return held;
}

}  // namespace

Result<DeviceLock> DeviceLock::acquire(const std::string& identity, const std::string& device_id,
                                       const std::string& command_id) {
  TRY(const auto folder, runtime_folder());
  const std::string path = (folder / ("clawperator-" + file_name_of(identity) + ".lock")).string();
  if (const auto held = held_here()[path].lock()) {
    if (held->command_id == command_id) return DeviceLock(held);
    return conflict(device_id, command_id, {::getpid(), held->command_id, 0});
  }
  const int fd = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (fd < 0) return fail(Errc::io, "cannot open " + path + ": " + std::strerror(errno));
  const bool locked = ::flock(fd, LOCK_EX | LOCK_NB) == 0;
  const Holder holder = read_holder(fd);
  if (!locked || is_settling(holder)) {
    ::close(fd);
    return conflict(device_id, command_id, holder);
  }
  auto held = std::make_shared<Held>(path, fd, command_id);
  held_here()[path] = held;
  write_holder(fd, {::getpid(), command_id, 0});
  return DeviceLock(std::move(held));
}

void DeviceLock::settle() { held_->until = wall_milliseconds() + kSettleWindow.count(); }

DeviceLock::DeviceLock(std::shared_ptr<Held> held) : held_(std::move(held)) {}
DeviceLock::DeviceLock(DeviceLock&&) noexcept = default;
DeviceLock& DeviceLock::operator=(DeviceLock&&) noexcept = default;
DeviceLock::~DeviceLock() = default;

}  // namespace clawperator
