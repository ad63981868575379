#include "adbproto/client/install.hpp"

#include <catch2/catch.hpp>

#include "adbproto/client/package_service.hpp"
#include "support/fake_device.hpp"
#include "support/manual_time.hpp"
#include "support/stream_io.hpp"
#include "support/temp_folder.hpp"

using namespace adbproto;
using adbproto::testing::FakeDevice;
using adbproto::testing::FakeService;
using adbproto::testing::hangs;
using adbproto::testing::Loop;
using adbproto::testing::ManualTime;
using adbproto::testing::says;
using adbproto::testing::TempFolder;
using adbproto::testing::write_text;

namespace {

const std::string kSuccess = "Success\n";
const std::string kFailure = "Failure [INSTALL_FAILED_INVALID_APK: test]\n";

Task<void> take_and_say(ByteStreamPtr stream, std::size_t size, std::string* into,
                        std::string verdict) {
  CO_TRY(const Bytes bytes, co_await adbproto::testing::read_exactly(stream.get(), size));
  *into += as_text(bytes);
  co_return co_await stream->write_all(as_bytes(verdict));
}

// Reads `size` bytes, then says `verdict`.
FakeService takes(std::size_t size, std::string* into, std::string verdict) {
  return [=](ByteStreamPtr stream, const std::string&) {
    return take_and_say(std::move(stream), size, into, verdict);
  };
}

struct Bench {
  explicit Bench(FeatureSet features) : device(loop, std::move(features)) {
    write_text(folder.path() / "a.apk", std::string(600'000, 'a'));
    write_text(folder.path() / "b.apk", "bb");
  }
  std::string apk(const std::string& name = "a.apk") const { return folder.file(name); }
  Result<std::string> install(std::vector<std::string> apks, InstallOptions options = {}) {
    return loop.run(adbproto::install(&device, std::move(apks), std::move(options), {}));
  }

  TempFolder folder;
  Loop loop;
  FakeDevice device;
  std::string taken;
};

std::string abb_exec_name(std::initializer_list<std::string_view> words) {
  std::string name = "abb_exec:package";
  for (const auto word : words) name.append(1, '\0').append(word);
  return name;
}

}  // namespace

TEST_CASE("install: the package is streamed, flags before its size") {
  Bench at({"shell_v2", "cmd", "abb_exec"});
  const std::string name = abb_exec_name({"install", "-r", "--abi", "x86", "-S", "600000"});
  at.device.serve(name, takes(600'000, &at.taken, kSuccess));
  InstallOptions options;
  options.flags = {"-r", "--abi", "x86"};
  CHECK(at.install({at.apk()}, options).value() == "Success");
  CHECK(at.taken == std::string(600'000, 'a'));
  CHECK(at.device.opened()->back() == name);
}

TEST_CASE("install: without abb_exec the words go through the shell, quoted") {
  Bench at({"shell_v2", "cmd"});
  at.device.serve("exec:cmd package", takes(2, &at.taken, kSuccess));
  InstallOptions options;
  options.flags = {"-i", "it's me"};
  CHECK(at.install({at.apk("b.apk")}, options));
  CHECK(at.device.opened()->back() == "exec:cmd package " + quote_for_shell("install") + " " +
                                          quote_for_shell("-i") + " " + quote_for_shell("it's me") +
                                          " " + quote_for_shell("-S") + " " + quote_for_shell("2"));
}

TEST_CASE("install: an abb_exec that is refused is tried by the shell") {
  Bench at({"shell_v2", "cmd", "abb_exec"});
  at.device.serve("exec:cmd package", takes(2, &at.taken, kSuccess));
  CHECK(at.install({at.apk("b.apk")}).value() == "Success");
}

TEST_CASE("install: a failure has the device's text, also when it comes early") {
  Bench at({"cmd"});
  const bool early = GENERATE(false, true);
  at.device.serve("exec:cmd package", early ? says(kFailure) : takes(600'000, &at.taken, kFailure));
  const auto installed = at.install({at.apk()});
  REQUIRE_FALSE(installed);
  CHECK(installed.error().code() == errc::refused);
  CHECK(installed.error().message() ==
        "failed to install " + at.apk() + ": Failure [INSTALL_FAILED_INVALID_APK: test]");
}

TEST_CASE("install: no verdict is no success") {
  Bench at({"cmd"});
  at.device.serve("exec:cmd package", takes(2, &at.taken, GENERATE(as<std::string>{}, "", "\n")));
  CHECK(at.install({at.apk("b.apk")}).error().code() == errc::protocol);
}

TEST_CASE("install: an unreadable file is reported before the first request") {
  Bench at({"cmd"});
  const auto installed = at.install({at.apk("none.apk")});
  REQUIRE_FALSE(installed);
  CHECK(installed.error().code() == errc::file_unreadable);
  CHECK(installed.error().message() ==
        "failed to stat " + at.apk("none.apk") + ": No such file or directory");
  CHECK(at.device.opened()->empty());
}

TEST_CASE("install: several packages are one session") {
  Bench at({"cmd", "abb_exec"});
  at.device
      .serve(abb_exec_name({"install-create", "-r", "-S", "600002"}),
             says("Success: created install session [42]\n"))
      .serve(abb_exec_name({"install-write", "-S", "600000", "42", "a.apk", "-"}),
             takes(600'000, &at.taken, kSuccess))
      .serve(abb_exec_name({"install-write", "-S", "2", "42", "b.apk", "-"}),
             takes(2, &at.taken, kSuccess))
      .serve(abb_exec_name({"install-commit", "42"}), says(kSuccess));
  InstallOptions options;
  options.flags = {"-r"};
  CHECK(at.install({at.apk(), at.apk("b.apk")}, options).value() == "Success");
  CHECK(at.taken.size() == 600'002);
}

TEST_CASE("install: a session may be of one package, whatever the device would take") {
  Bench at({"shell_v2"});
  const auto pm = [](std::string_view verb) { return "exec:pm " + quote_for_shell(verb); };
  at.device.serve(pm("install-create"), says("Success: created install session [42]\n"))
      .serve(pm("install-write"), takes(2, &at.taken, kSuccess))
      .serve(pm("install-commit"), says(kSuccess));
  InstallOptions options;
  options.way = InstallWay::session;
  CHECK(at.install({at.apk("b.apk")}, options).value() == "Success");
  CHECK(at.taken == "bb");
  CHECK(at.device.opened()->size() == 3);
}

TEST_CASE("install: a session that fails anywhere is abandoned") {
  Bench at({"cmd", "abb_exec"});
  const bool at_commit = GENERATE(false, true);
  at.device
      .serve(abb_exec_name({"install-create"}), says("Success: created install session [42]\n"))
      .serve(abb_exec_name({"install-write", "-S", "600000"}), takes(600'000, &at.taken, kSuccess))
      .serve(abb_exec_name({"install-write", "-S", "2"}),
             takes(2, &at.taken, at_commit ? kSuccess : kFailure))
      .serve(abb_exec_name({"install-commit"}), says(kFailure))
      .serve(abb_exec_name({"install-abandon"}), says(kSuccess));
  const auto installed = at.install({at.apk(), at.apk("b.apk")});
  REQUIRE_FALSE(installed);
  const std::string stage =
      at_commit ? "failed to finalize session" : "failed to write \"" + at.apk("b.apk") + '"';
  CHECK(installed.error().message() == stage + "\n" + kFailure.substr(0, kFailure.size() - 1));
  CHECK(at.device.opened()->back() == abb_exec_name({"install-abandon", "42"}));
}

TEST_CASE("install: a session that is cancelled is abandoned as well") {
  Bench at({"cmd", "abb_exec"});
  at.device
      .serve(abb_exec_name({"install-create"}), says("Success: created install session [42]\n"))
      .serve(abb_exec_name({"install-write"}), hangs())
      .serve(abb_exec_name({"install-abandon"}), says(kSuccess));
  const auto started =
      at.loop.start(adbproto::install(&at.device, {at.apk(), at.apk("b.apk")}, {}, {}));
  at.loop.settle();
  REQUIRE(at.device.opened()->size() == 2);
  started->cancel();
  CHECK(at.loop.finish_throws(started));
  CHECK(at.device.opened()->back() == abb_exec_name({"install-abandon", "42"}));
}

TEST_CASE("install: what was pushed is removed, however it ends") {
  Bench at({"shell_v2"});
  const std::string removal = "shell,v2,raw:rm -f " + quote_for_shell("/data/local/tmp/a.apk");
  at.device.serve("shell,v2,raw:rm", says(adbproto::testing::shell_output("")));
  SECTION("cancelled") {
    at.device.serve("sync:", hangs());
    const auto started = at.loop.start(adbproto::install(&at.device, {at.apk()}, {}, {}));
    at.loop.settle();
    REQUIRE(at.device.opened()->size() == 1);
    started->cancel();
    CHECK(at.loop.finish_throws(started));
  }
  SECTION("the link of the transfer breaks") {
    at.device.serve("sync:", says(""));
    CHECK_FALSE(at.install({at.apk()}));
  }
  CHECK(at.device.opened()->back() == removal);
}

TEST_CASE("install: what was pushed is not waited for for ever to go away") {
  ManualTime time;
  Bench at({"shell_v2"});
  at.device.serve("sync:", says("")).serve("shell,v2,raw:rm", hangs());
  CHECK_FALSE(time.run(at.loop, adbproto::install(&at.device, {at.apk()}, {}, {})));
  CHECK(time.elapsed() < std::chrono::seconds(10));
}

TEST_CASE("install: a device that takes nothing, or never decides, is given up") {
  ManualTime time;
  Bench at({"cmd"});
  const bool takes_all = GENERATE(false, true);
  at.device.serve("exec:cmd package", hangs());
  const auto installed = time.run(
      at.loop, adbproto::install(&at.device, {at.apk(takes_all ? "b.apk" : "a.apk")}, {}, {}));
  REQUIRE_FALSE(installed);
  CHECK(installed.error().code() == errc::deadline_exceeded);
  CHECK(time.elapsed() > std::chrono::seconds(takes_all ? 299 : 29));
  CHECK(time.elapsed() < std::chrono::seconds(takes_all ? 310 : 340));
}

TEST_CASE("session id: taken from the brackets of a success only") {
  CHECK(parse_session_id("Success: created install session [123]").value() == "123");
  const std::string bad =
      GENERATE(as<std::string>{}, "Failure [123]", "Success", "Success: []", "Success: [1;reboot]",
               "Success: ]1[", "Success: [123456789012345678901]", "");
  CHECK(parse_session_id(bad).error().code() == errc::refused);
}

TEST_CASE(
    "install: an abb_exec that breaks off without a word is tried by the shell, and counted once",
    "[R26]") {
  Bench at({"shell_v2", "cmd", "abb_exec"});
  std::string lost;
  const std::size_t taken = GENERATE(as<std::size_t>{}, 0, 300'000, 600'000);
  at.device.serve("abb_exec:", takes(taken, &lost, ""));
  at.device.serve("exec:cmd package", takes(600'000, &at.taken, kSuccess));
  std::uint64_t done = 0;
  const auto installed = at.loop.run(adbproto::install(
      &at.device, {at.apk()}, {}, [&](const InstallProgress& progress) { done = progress.done; }));
  REQUIRE(installed);
  CHECK(*installed == "Success");
  CHECK(at.taken == std::string(600'000, 'a'));
  CHECK(done == 600'000);
}
