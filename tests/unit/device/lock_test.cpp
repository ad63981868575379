#include "runtime/device/lock.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "base/system/errc.hpp"
#include "support/print_result.hpp"
#include "support/temp_folder.hpp"

using namespace adbproto::testing;
using namespace clawperator;
using namespace std::chrono_literals;
using namespace adbproto;
using nlohmann::json;

namespace {

// No other test run has it: the common folder is everybody's.
std::string identity() {
  static const std::string name = "SERIAL-" + std::to_string(::getpid());  // also of our children
  return name;
}

struct Place {
  TempFolder folder;
  Variable runtime{"XDG_RUNTIME_DIR", folder.path().string()};
  Variable alone{"CLAWPERATOR_LOCK_DIR", std::nullopt};
  std::string name = "clawperator-" + identity() + ".lock";
  ~Place() { std::filesystem::remove(common_file()); }

  [[nodiscard]] std::filesystem::path file() const { return folder.path() / name; }
  // For processes with another runtime folder.
  [[nodiscard]] std::filesystem::path common_file() const {
    return "/tmp/clawperator-" + std::to_string(::getuid()) + "/" + name;
  }
};

Result<DeviceLock> acquire(const std::string& command) {
  return DeviceLock::acquire(identity(), "phone-1", command);
}

json details(const Result<DeviceLock>& lock) {
  REQUIRE_FALSE(lock);
  CHECK(lock.error().code() == errc::execution_conflict_in_flight);
  CHECK(lock.error().message() == "Another execution is in flight on this device");
  return json::parse(lock.error().members())["details"];
}

// Another process that holds the lock until the pipe ends it.
class Holder {
 public:
  explicit Holder(const std::string& command) {
    int ready[2], go[2];
    REQUIRE(::pipe(ready) == 0);
    REQUIRE(::pipe(go) == 0);
    pid_ = ::fork();
    REQUIRE(pid_ >= 0);
    if (pid_ == 0) {
      ::close(go[1]);
      char byte = 'x';
      {
        const auto lock = acquire(command);
        byte = lock ? 'y' : 'n';
        if (::write(ready[1], &byte, 1) == 1) [[maybe_unused]]
          const auto count = ::read(go[0], &byte, 1);
      }
      ::_exit(0);
    }
    ::close(ready[1]);
    ::close(go[0]);
    go_ = go[1];
    char byte = 'x';
    REQUIRE(::read(ready[0], &byte, 1) == 1);
    CHECK(byte == 'y');
    ::close(ready[0]);
  }
  ~Holder() { leave(); }
  Holder(const Holder&) = delete;
  Holder& operator=(const Holder&) = delete;

  void leave() {
    if (pid_ == 0) return;
    ::close(go_);
    int status = 0;
    ::waitpid(pid_, &status, 0);
    pid_ = 0;
  }
  void kill() {
    ::kill(pid_, SIGKILL);
    leave();
  }
  [[nodiscard]] pid_t pid() const { return pid_; }

 private:
  pid_t pid_ = 0;
  int go_ = -1;
};

}  // namespace

TEST_CASE("lock: one command at a time, by name of its holder", "[device]") {
  const Place place;
  {
    const auto first = acquire("one");
    REQUIRE(first);
    const json conflict = details(acquire("two"));
    CHECK(conflict["deviceId"] == "phone-1");
    CHECK(conflict["commandId"] == "one");
    CHECK(conflict["since"].get<std::int64_t>() > 0);
    CHECK(conflict["holderPid"] == ::getpid());
  }
  CHECK(acquire("two"));
}

TEST_CASE("lock: the same command enters again, and leaves only at the end", "[device]") {
  const Place place;
  auto first = acquire("one");
  REQUIRE(first);
  {
    const auto again = acquire("one");
    REQUIRE(again);
  }
  CHECK(details(acquire("two"))["holderPid"] == ::getpid());
}

TEST_CASE("lock: devices do not hold each other up", "[device]") {
  const Place place;
  const auto first = acquire("one");
  CHECK(first);
  CHECK(DeviceLock::acquire("OTHER", "phone-2", "two"));
}

TEST_CASE("lock: another process is refused and gets the holder's pid", "[device]") {
  const Place place;
  Holder holder("theirs");
  const json conflict = details(acquire("ours"));
  CHECK(conflict["holderPid"] == holder.pid());
  CHECK(conflict["commandId"] == "theirs");
  CHECK(conflict["since"].get<std::int64_t>() > 0);
  CHECK(json::parse(busy_device(identity(), "phone-1").members())["details"] == conflict);
  // The same command id in another process is another execution.
  CHECK(details(acquire("theirs"))["holderPid"] == holder.pid());
  holder.leave();
  CHECK(acquire("ours"));
}

TEST_CASE("lock: a process with another runtime folder is kept out, too", "[device][F17]") {
  const Place place;
  std::filesystem::create_directory(place.folder.path() / "ssh");
  std::filesystem::permissions(place.folder.path() / "ssh", std::filesystem::perms::owner_all);
  Holder holder("theirs");
  {
    const Variable runtime("XDG_RUNTIME_DIR", (place.folder.path() / "ssh").string());
    CHECK(details(acquire("ours"))["holderPid"] == holder.pid());
  }
  {
    const Variable none("XDG_RUNTIME_DIR", std::nullopt);
    CHECK(details(acquire("ours"))["holderPid"] == holder.pid());
  }
  holder.leave();
  const Variable runtime("XDG_RUNTIME_DIR", (place.folder.path() / "ssh").string());
  CHECK(acquire("ours"));
}

TEST_CASE("lock: its name distinguishes phones that share a serial number", "[device][W7][F5]") {
  struct Row {
    const char* name;
    std::array<const char*, 3> one, other;  // ro.serialno, boot id, serial
    bool same;
  };
  const auto row = GENERATE(values<Row>({
      {"one phone by two ways", {"R58N", "b1", "R58N"}, {"R58N", "b1", "10.0.0.2:5555"}, true},
      {"two emulators of one version",
       {"EMULATOR35X6X3X0", "b1", "emulator-5554"},
       {"EMULATOR35X6X3X0", "b2", "emulator-5556"},
       false},
      {"two emulators that report no boot",
       {"EMULATOR35X6X3X0", "", "emulator-5554"},
       {"EMULATOR35X6X3X0", "", "emulator-5556"},
       false},
      {"a phone that reports no boot, by two ways",
       {"R58N", "", "R58N"},
       {"R58N", "", "10.0.0.2:5555"},
       true},
      {"cheap phones", {"0123456789ABCDEF", "", "a"}, {"0123456789ABCDEF", "", "b"}, false},
      {"phones that report nothing", {"", "", "a"}, {"", "", "b"}, false},
  }));
  INFO(row.name);
  const auto name = [](const std::array<const char*, 3>& phone) {
    return lock_identity(phone[0], phone[1], phone[2]);
  };
  CHECK((name(row.one) == name(row.other)) == row.same);
}

TEST_CASE("lock: a process that died holds nothing", "[device]") {
  const Place place;
  Holder holder("theirs");
  CHECK_FALSE(acquire("ours"));
  holder.kill();
  CHECK(acquire("ours"));
}

TEST_CASE("lock: a settling device is left alone until the time in its files", "[device][F18]") {
  const Place place;
  {
    auto lock = acquire("one");
    REQUIRE(lock);
    lock->settle();
  }
  const auto refused = acquire("one");
  const json conflict = details(refused);
  CHECK(conflict["until"].is_number_integer());
  CHECK(conflict["retryAfterMs"] <= kSettleWindow.count());
  CHECK_FALSE(conflict.contains("holderPid"));  // that process may be gone
  CHECK(conflict["commandId"] == "one");
  CHECK_THAT(refused.error().members(), Catch::Contains("retry in ") && Catch::Contains("--wait"));
  json file = json::parse(file_text(place.file()));
  CHECK(file["commandId"] == "one");
  file["until"] = 1;  // long ago
  write_text(place.file(), file.dump());
  write_text(place.common_file(), file.dump());
  CHECK(acquire("two"));
}

TEST_CASE("lock: a lock that was let go leaves no trace of itself", "[device]") {
  const Place place;
  REQUIRE(acquire("one"));
  const json file = json::parse(file_text(place.file()));
  CHECK_FALSE(file.contains("until"));
  CHECK(file["pid"] == 0);
}

TEST_CASE("lock: where the runtime folder is gone the common one is left", "[device]") {
  const Place place;
  const std::filesystem::path runtime = place.folder.path() / "run";
  std::filesystem::create_directory(runtime);
  std::filesystem::permissions(runtime, std::filesystem::perms::owner_all);
  const Variable named("XDG_RUNTIME_DIR", runtime.string());
  REQUIRE(acquire("one"));
  REQUIRE(std::filesystem::remove_all(runtime) > 0);
  CHECK(acquire("two"));
  CHECK_THAT(file_text(place.common_file()), Catch::StartsWith(R"({"pid":)"));
}

TEST_CASE("lock: strange lock files do not keep anybody out", "[device]") {
  const Place place;
  const std::string text =
      GENERATE(std::string(), "{", "[1]", "{\"until\":\"never\"}", "{\"until\":1e99}",
               "{\"until\":99999999999999}", std::string(5000, '{'));
  write_text(place.file(), text);
  CHECK(acquire("one"));
}

TEST_CASE("lock: a link in its place is not followed", "[device]") {
  const Place place;
  write_text(place.folder.path() / "precious", "data");
  std::filesystem::create_symlink(place.folder.path() / "precious", place.file());
  const auto lock = acquire("one");
  REQUIRE_FALSE(lock);
  CHECK(lock.error().code() == errc::io);
  CHECK(file_text(place.folder.path() / "precious") == "data");
}

TEST_CASE("lock: its holder is known to others, as long as it lives") {
  const Place place;
  CHECK_FALSE(holder_of(identity()));
  {
    const auto lock = acquire("cmd-1");
    REQUIRE(lock);
    const auto holder = holder_of(identity());
    REQUIRE(holder);
    CHECK(holder->command_id == "cmd-1");
    CHECK(holder->pid == ::getpid());
    CHECK(holder->since > 0);
  }
  CHECK_FALSE(holder_of(identity()));
}

TEST_CASE("lock: a process that was killed holds nothing, whatever its file contains") {
  const Place place;
  const pid_t child = ::fork();
  if (child == 0) {
    const auto lock = acquire("cmd-of-child");
    ::_exit(lock ? 0 : 1);  // as a kill: nothing is tidied up
  }
  int status = 0;
  REQUIRE(::waitpid(child, &status, 0) == child);
  REQUIRE(status == 0);
  CHECK_FALSE(holder_of(identity()));
}
