#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <filesystem>

#include "runtime/host/emulator/running.hpp"

#include "runtime/android/chore_commands.hpp"
#include "runtime/device/errc.hpp"
#include "support/device_bench.hpp"
#include "support/fake_device.hpp"
#include "support/manual_time.hpp"
#include "support/print_result.hpp"

using namespace adbproto::testing;
using namespace clawperator;
using namespace adbproto;

namespace {

// Says its piece to everybody who dials, and keeps the connections.
class FakeConsole {
 public:
  FakeConsole(Loop& loop, std::string says) : scope_(loop.executor()) {
    auto listener = adbproto::listen_tcp(loop.executor(), "127.0.0.1", 0);
    if (!listener) throw std::runtime_error(listener.error().message());
    listener_ = *std::move(listener);
    scope_.spawn(serve(listener_, std::move(says), open_));
  }
  ~FakeConsole() {
    listener_->close();
    scope_.cancel();
  }
  FakeConsole(const FakeConsole&) = delete;
  FakeConsole& operator=(const FakeConsole&) = delete;

  [[nodiscard]] std::string serial() const {
    return "emulator-" + std::to_string(listener_->port());
  }

 private:
  using Streams = std::shared_ptr<std::vector<ByteStreamPtr>>;
  static asio::awaitable<void> serve(std::shared_ptr<adbproto::Listener> listener, std::string says,
                                     Streams open) {
    for (;;) {
      auto stream = co_await listener->accept();
      if (!stream) co_return;
      open->push_back(*std::move(stream));
      co_await open->back()->write_all(as_bytes(says));
    }
  }

  std::shared_ptr<adbproto::Listener> listener_;
  Streams open_ = std::make_shared<std::vector<ByteStreamPtr>>();
  adbproto::Scope scope_;
};

struct EmulatorBench {
  ManualTime time;
  DeviceBench host;

  // The device behind the server's first transport answers so.
  void boot_state_is(const std::string& lines) {
    host.server.answers("shell,v2,raw:" + boot_state_line(), "OKAY" + shell_output(lines));
  }
  std::vector<RunningEmulator> ask() {
    auto running = time.run(host.loop, running_emulators(host.options()));
    REQUIRE(running);
    return *std::move(running);
  }
};

}  // namespace

TEST_CASE("running emulators: the console has the name, the device the boot", "[loopback]") {
  EmulatorBench at;
  const FakeConsole console(at.host.loop, "greeting\r\nOK\r\nPixel_6\r\nOK\r\n");
  at.host.server_lists({console.serial() + " device", "R58N12 device", "emulator-5 offline"});
  at.boot_state_is("1\n1\nother\n\n");
  const auto running = at.ask();
  REQUIRE(running.size() == 1);
  CHECK(running[0].row.serial == console.serial());
  CHECK(running[0].avd_name == "Pixel_6");
  CHECK(running[0].booted);
}

TEST_CASE("running emulators: where the console will not, the device names it", "[loopback]") {
  EmulatorBench at;
  const std::string says =
      GENERATE(std::string("OK\r\nKO: unknown command\r\n"), std::string("KO: go away\r\n"),
               std::string("OK\r\nOK\r\n"), std::string("OK\r\n") + std::string(2 << 20, 'x'),
               std::string());  // silent until the limit
  const FakeConsole console(at.host.loop, says);
  at.host.server_lists({console.serial() + " device"});
  at.boot_state_is("1\n\nPixel_7\n\n");
  const auto running = at.ask();
  REQUIRE(running.size() == 1);
  CHECK(running[0].avd_name == "Pixel_7");
  CHECK_FALSE(running[0].booted);
}

TEST_CASE("running emulators: one without any answer is listed all the same", "[loopback]") {
  EmulatorBench at;
  at.host.server_lists({"emulator-1 device"});
  at.host.server.answers("shell,v2,raw:" + boot_state_line(), "OKAY", After::is_silent);
  const auto running = at.ask();
  REQUIRE(running.size() == 1);
  CHECK(running[0].avd_name.empty());
  CHECK_FALSE(running[0].booted);
}

TEST_CASE("running emulators: those that boot are there when any state counts", "[loopback]") {
  EmulatorBench at;
  const FakeConsole console(at.host.loop, "greeting\r\nOK\r\nPixel_6\r\nOK\r\n");
  const FakeConsole nameless(at.host.loop, "OK\r\nKO: unknown command\r\n");
  at.host.server_lists({console.serial() + " offline", "R58N12 offline", "emulator-1 offline",
                        nameless.serial() + " unauthorized"});
  CHECK(at.ask().empty());
  const auto all = at.time.run(at.host.loop, emulators_in_any_state(at.host.options()));
  REQUIRE(all);
  REQUIRE(all->size() == 2);
  const bool named_first = (*all)[0].row.serial == console.serial();
  const RunningEmulator& named = named_first ? (*all)[0] : (*all)[1];
  const RunningEmulator& other = named_first ? (*all)[1] : (*all)[0];
  CHECK(named.avd_name == "Pixel_6");
  CHECK_FALSE(named.booted);
  CHECK(other.row.serial == nameless.serial());
  CHECK(other.avd_name.empty());
}

namespace {

// What the console hears of a user with this home until it hangs up.
std::string said_to_console(const std::optional<std::string>& home) {
  const Variable variable("HOME", home);
  Loop loop;
  auto listener = adbproto::listen_tcp(loop.executor(), "127.0.0.1", 0);
  REQUIRE(listener);
  const auto asking =
      loop.start(query_console("emulator-" + std::to_string((*listener)->port()), "ping"));
  auto stream = loop.run((*listener)->accept());
  REQUIRE(stream);
  constexpr std::string_view kGreeting = "Android Console: Authentication required\r\nOK\r\n";
  REQUIRE(loop.run((*stream)->write_all(as_bytes(kGreeting))));
  std::string heard;
  while (std::ranges::count(heard, '\n') < (heard.starts_with("auth") ? 2 : 1)) {
    std::array<std::byte, 256> chunk;
    const auto size = loop.run((*stream)->read_some(chunk));
    REQUIRE(size);
    heard += as_text(ByteView(chunk).first(*size));
    REQUIRE(loop.run((*stream)->write_all(as_bytes("OK\r\n"))));
  }
  return heard;
}

}  // namespace

TEST_CASE("emulator console: the token is one line of the user's own file", "[loopback]") {
  const TempFolder home;
  CHECK(said_to_console(home.path().string()) == "ping\n");
  write_text(home.path() / ".emulator_console_auth_token", "s3cret\nkill\n");
  CHECK(said_to_console(home.path().string()) == "auth s3cret\nping\n");
  // Whatever folder we are in: without a home there is no token.
  const auto before = std::filesystem::current_path();
  std::filesystem::current_path(home.path());
  CHECK(said_to_console(std::nullopt) == "ping\n");
  std::filesystem::current_path(before);
}

TEST_CASE("running emulators: no adb server is an error", "[loopback]") {
  EmulatorBench at;
  at.host.server.stop();
  const auto running = at.host.loop.run(running_emulators(at.host.options()));
  REQUIRE_FALSE(running);
  CHECK(running.error().code() == errc::adb_server_failed);
}
