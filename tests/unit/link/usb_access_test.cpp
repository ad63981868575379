#include "adbproto/link/usb_sysfs.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <cerrno>

#include "support/temp_folder.hpp"

namespace adbproto::testing {
namespace {

// A process that does nothing but hold a file open.
class Holder {
 public:
  explicit Holder(const std::string& file) {
    int ready[2];
    REQUIRE(::pipe(ready) == 0);
    pid_ = ::fork();
    if (pid_ == 0) {
      const int fd = ::open(file.c_str(), O_RDONLY);
      static_cast<void>(::write(ready[1], &fd, 1));
      for (;;) ::pause();
    }
    char byte = 0;
    REQUIRE(::read(ready[0], &byte, 1) == 1);
    ::close(ready[0]);
    ::close(ready[1]);
  }
  ~Holder() {
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
  }
  Holder(const Holder&) = delete;
  Holder& operator=(const Holder&) = delete;

  [[nodiscard]] int pid() const { return pid_; }

 private:
  pid_t pid_ = -1;
};

TEST_CASE("usb access: who holds a node is named, and no longer when it lets go") {
  const TempFolder folder;
  const std::string node = folder.file("001");
  write_text(node, "");
  UsbHolder holder;
  {
    const Holder other(node);
    holder = find_usb_holder(node);
    CHECK(holder.pid == other.pid());
    CHECK(holder.name == "unit_link (pid " + std::to_string(other.pid()) + ")");
    CHECK(holder.is_ours);
    CHECK(still_holds(holder, node));
    // Somebody else's name is worth more than our own.
    const int ours = ::open(node.c_str(), O_RDONLY);
    CHECK(find_usb_holder(node).pid == other.pid());
    ::close(ours);
  }
  CHECK_FALSE(still_holds(holder, node));
}

TEST_CASE("usb access: our own process and an invisible holder have their texts") {
  const TempFolder folder;
  const std::string node = folder.file("001");
  write_text(node, "");
  CHECK(find_usb_holder(node).name == "another user's program (an adb server?)");
  CHECK(still_holds(find_usb_holder(node), node));
  const int fd = ::open(node.c_str(), O_RDONLY);
  CHECK(find_usb_holder(node).name == "this process");
  CHECK_FALSE(find_usb_holder(node).is_ours);
  ::close(fd);
}

TEST_CASE("usb access: every reason comes with what would help") {
  const TempFolder folder;
  const std::string node = folder.file("001");
  CHECK(explain_no_access(node, 0x18d1, ENOENT) ==
        node + " does not exist; in a container, pass /dev/bus/usb into it");
  write_text(node, "");
  CHECK(explain_no_access(node, 0x18d1, EIO) == "cannot open " + node + ": Input/output error");
  const std::string denied = explain_no_access(node, 0x04e8, EACCES);
  CHECK_THAT(denied, Catch::Contains(R"(ATTR{idVendor}=="04e8")"));
  CHECK_THAT(denied, Catch::Contains("you are "));
  CHECK_THAT(denied, Catch::Contains("plugdev"));
}

}  // namespace
}  // namespace adbproto::testing
