#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <filesystem>

#include "adbproto/wire/errc.hpp"
#include "support/hex.hpp"
#include "usb_bench.hpp"

namespace adbproto::testing {
namespace {

using namespace std::chrono_literals;

void ignore(const Bytes&) {}

struct Bench {
  MockBus mock;
  Loop loop;
  std::unique_ptr<UsbBus> bus = UsbBus::start(loop.executor()).value();

  std::vector<UsbDevice> phones() { return testing::phones(loop, bus); }
};

std::vector<std::string> addresses(Bench& at) {
  std::vector<std::string> found;
  for (const UsbDevice& device : at.phones()) found.push_back(device.address);
  return found;
}

TEST_CASE("usb bus: a phone is described without being opened") {
  Bench at;
  const auto phone = at.mock.plug({.name = "1-2.3", .serial = "ABC123"}, ignore);
  REQUIRE(at.phones().size() == 1);
  CHECK(at.phones()[0] == UsbDevice{.address = "usb:1-2.3",
                                    .serial = "ABC123",
                                    .manufacturer = "Mock",
                                    .product = "simdroid on USB",
                                    .vendor_id = 0x18d1,
                                    .product_id = 0x4ee7,
                                    .bus = 1,
                                    .device_number = 2,
                                    .interface_number = 0,
                                    .speed_mbit = 480,
                                    .node = "/dev/bus/usb/001/002",
                                    .access = UsbDevice::Access::open,
                                    .obstacle = ""});
  CHECK(phone->counts().claims == 0);
}

TEST_CASE("usb bus: devices without an adb interface are left out, odd descriptors end no walk") {
  Bench at;
  const std::string device = "12 01 0002 00 00 00 40 d118 e74e 0106 01 02 03 01 ";
  const std::string configuration = "09 02 2000 01 01 04 80 01 ";
  const std::string adb = "09 04 02 00 02 ff 42 01 05 07 05 02 02 0002 00 07 05 81 02 0002 00 ";
  const std::string mtp = "09 04 00 00 02 06 01 01 05 07 05 03 02 0002 00 07 05 84 02 0002 00 ";
  at.mock.plug({.name = "1-1", .descriptors = from_hex(device + configuration + mtp)}, ignore);
  at.mock.plug({.name = "1-2", .descriptors = from_hex(device + configuration + "0000 " + adb)},
               ignore);
  at.mock.plug({.name = "1-3", .descriptors = from_hex(device + configuration + mtp + adb)},
               ignore);
  at.mock.plug({.name = "1-4", .descriptors = from_hex("12 01 0002")}, ignore);
  // Configuration 1 is the active one.
  at.mock.plug({.name = "1-5", .descriptors = from_hex(device + "09 02 2000 01 02 04 80 01" + adb)},
               ignore);
  REQUIRE(addresses(at) == std::vector<std::string>{"usb:1-3"});
  CHECK(at.phones()[0].interface_number == 2);
}

TEST_CASE("usb bus: twice the same serial, none at all and an odd one are different phones") {
  Bench at;
  at.mock.plug({.name = "1-1", .serial = "0123456789ABCDEF"}, ignore);
  at.mock.plug({.name = "1-2", .serial = "0123456789ABCDEF"}, ignore);
  at.mock.plug({.name = "1-3.4", .serial = ""}, ignore);
  at.mock.plug({.name = "1-3.5", .serial = "a\x1b[31mb"}, ignore);
  CHECK(addresses(at) == std::vector<std::string>{"usb:1-1", "usb:1-2", "usb:1-3.4", "usb:1-3.5"});
  CHECK(at.phones()[1].serial == "0123456789ABCDEF");
  CHECK(at.phones()[2].serial.empty());
  CHECK(at.phones()[3].serial == "a?[31mb");
}

TEST_CASE("usb bus: arrivals and departures are reported") {
  Bench at;
  auto change = at.loop.start(at.bus->wait_change());
  at.loop.settle();
  CHECK_FALSE(change->done());
  const auto phone = at.mock.plug({}, ignore);
  REQUIRE(at.loop.finish(change));
  CHECK(addresses(at) == std::vector<std::string>{"usb:1-1"});
  change = at.loop.start(at.bus->wait_change());
  at.mock.unplug(phone);
  REQUIRE(at.loop.finish(change));
  CHECK(at.phones().empty());
  // It comes back with a new number.
  at.mock.plug({}, ignore);
  REQUIRE(at.loop.run(at.bus->wait_change()));
  CHECK(at.phones().at(0).device_number == 3);
}

TEST_CASE("usb bus: a wait for changes can be cancelled") {
  Bench at;
  auto change = at.loop.start(at.bus->wait_change());
  at.loop.settle();
  change->cancel();
  at.loop.settle();
  CHECK(change->done());
}

TEST_CASE("usb bus: a phone that went away is not found") {
  Bench at;
  const auto phone = at.mock.plug({}, ignore);
  const UsbDevice device = at.phones().at(0);
  at.mock.unplug(phone);
  CHECK(at.loop.run(at.bus->open(device)).error().code() == errc::device_not_found);
  at.mock.plug({}, ignore);
  CHECK(at.loop.run(at.bus->open(device)).error().code() == errc::device_not_found);
}

TEST_CASE("usb bus: a phone that is held by others is busy, says by whom, and is free afterwards") {
  Bench at;
  const auto phone = at.mock.plug({}, ignore);
  const UsbDevice device = at.phones().at(0);
  {
    Loop other_loop;
    const auto other = UsbBus::start(other_loop.executor()).value();
    auto held = other_loop.run(other->open(device));
    REQUIRE(held);
    const auto refused = at.loop.run(at.bus->open(device));
    CHECK(refused.error().code() == errc::usb_busy);
    CHECK(refused.error().message() == "usb:1-1 is held by this process");
    CHECK(at.phones().at(0).access == UsbDevice::Access::busy);
    CHECK(at.phones().at(0).obstacle == "usb:1-1 is held by this process");
  }
  CHECK(at.phones().at(0).access == UsbDevice::Access::open);
  CHECK(at.loop.run(at.bus->open(device)));
  CHECK(at.phones().at(0).access == UsbDevice::Access::open);
  CHECK(phone->counts().drivers_detached == 0);
  CHECK(phone->counts().configurations_set == 0);
  CHECK(phone->counts().halts_cleared == 0);
}

constexpr const char* kHolder = "usb bus: (holds the phone until its input ends)";

TEST_CASE("usb bus: (holds the phone until its input ends)", "[.]") {
  Loop loop;
  const auto bus = UsbBus::start(loop.executor()).value();
  const auto link = loop.run(bus->open(phones(loop, bus).at(0)));
  REQUIRE(link);
  char byte = 'h';
  REQUIRE(::write(STDOUT_FILENO, &byte, 1) == 1);
  CHECK(::read(STDIN_FILENO, &byte, 1) == 0);
}

// This program once more, which holds the phone.
class OtherProcess {
 public:
  OtherProcess() {
    int input[2];
    int output[2];
    REQUIRE(::pipe2(input, O_CLOEXEC) == 0);
    REQUIRE(::pipe2(output, O_CLOEXEC) == 0);
    const std::string program = std::filesystem::read_symlink("/proc/self/exe");
    pid_ = ::fork();
    if (pid_ == 0) {
      ::dup2(input[0], STDIN_FILENO);
      ::dup2(output[1], STDOUT_FILENO);
      ::execl(program.c_str(), program.c_str(), kHolder, nullptr);
      ::_exit(127);
    }
    ::close(input[0]);
    ::close(output[1]);
    input_ = input[1];
    char byte = 0;
    REQUIRE(::read(output[0], &byte, 1) == 1);
    REQUIRE(byte == 'h');
    ::close(output[0]);
  }
  ~OtherProcess() {
    ::close(input_);
    ::waitpid(pid_, nullptr, 0);
  }
  OtherProcess(const OtherProcess&) = delete;
  OtherProcess& operator=(const OtherProcess&) = delete;

  [[nodiscard]] int pid() const { return pid_; }

 private:
  pid_t pid_ = -1;
  int input_ = -1;
};

TEST_CASE("usb bus: another process of ours that has a look is waited for") {
  Bench at;
  const auto phone = at.mock.plug({}, ignore);
  const UsbDevice device = at.phones().at(0);
  std::optional<OtherProcess> other(std::in_place);
  auto opened = at.loop.start(at.bus->open(device));
  constexpr unsigned kTheirsAndTwoOfOurs = 3;
  REQUIRE(soon(at.loop, [&] { return phone->counts().claims >= kTheirsAndTwoOfOurs; }));
  CHECK_FALSE(opened->done());
  other.reset();
  CHECK(at.loop.finish(opened));
}

TEST_CASE("usb bus: another process of ours that keeps the phone is named") {
  MockBus mock;
  Loop loop;
  const auto bus = UsbBus::start(loop.executor(), {.scan_limit = 100ms}).value();
  const auto phone = mock.plug({}, ignore);
  const OtherProcess other;
  const auto refused = loop.run(bus->open(phones(loop, bus).at(0)));
  CHECK(refused.error() ==
        Error(errc::usb_busy, "usb:1-1 is held by usb (pid " + std::to_string(other.pid()) + ")"));
  CHECK(phone->counts().claims >= 3);
}

// Makes this process an unprivileged user for as long as it lives.
class PlainUser {
 public:
  explicit PlainUser(const std::string& root) {
    ::chmod(root.c_str(), 0755);
    // umockdev's own sockets stay within reach.
    for (const auto& item : std::filesystem::recursive_directory_iterator(root + "/ioctl")) {
      ::chmod(item.path().c_str(), 0777);
    }
    if (::geteuid() == 0) REQUIRE(::setresuid(kPlainUser, kPlainUser, 0) == 0);
  }
  ~PlainUser() {
    if (::getuid() == kPlainUser) static_cast<void>(::setresuid(0, 0, 0));
  }
  PlainUser(const PlainUser&) = delete;
  PlainUser& operator=(const PlainUser&) = delete;

 private:
  static constexpr uid_t kPlainUser = 65534;
};

TEST_CASE("usb bus: without permission the rule and the group that would help are named") {
  Bench at;
  const auto phone = at.mock.plug({}, ignore);
  REQUIRE(::chmod(phone->node().c_str(), 0) == 0);
  const PlainUser plain_user(at.mock.root());
  const auto devices = at.phones();
  REQUIRE(devices.size() == 1);
  CHECK(devices[0].access == UsbDevice::Access::denied);
  for (const char* part :
       {"no permission for /dev/bus/usb/001/002 (0000, group ",
        "/etc/udev/rules.d/51-android.rules",
        R"(SUBSYSTEM=="usb", ATTR{idVendor}=="18d1", MODE="0660", GROUP="plugdev", TAG+="uaccess")",
        "usermod -aG plugdev "}) {
    CHECK_THAT(devices[0].obstacle, Catch::Contains(part));
  }
  const auto began = std::chrono::steady_clock::now();
  const auto opened = at.loop.run(at.bus->open(devices[0]));
  CHECK(opened.error().code() == errc::usb_no_permission);
  CHECK(opened.error().message() == devices[0].obstacle);
  // udev might have been about to change that: three more attempts.
  CHECK(std::chrono::steady_clock::now() - began >= 600ms);
}

TEST_CASE("usb bus: permission that udev gives a moment after the arrival is enough") {
  Bench at;
  const auto phone = at.mock.plug({}, ignore);
  REQUIRE(::chmod(phone->node().c_str(), 0) == 0);
  const UsbDevice device = at.phones().at(0);
  std::optional<PlainUser> plain_user(at.mock.root());
  auto opened = at.loop.start(at.bus->open(device));
  const auto later = Clock::now() + 100ms;
  REQUIRE(soon(at.loop, [&] { return Clock::now() > later; }));
  CHECK_FALSE(opened->done());
  plain_user.reset();
  REQUIRE(::chmod(phone->node().c_str(), 0600) == 0);
  CHECK(at.loop.finish(opened));
}

}  // namespace
}  // namespace adbproto::testing
