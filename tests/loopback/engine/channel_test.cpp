#include "runtime/engine/channel.hpp"

#include <catch2/catch.hpp>

#include "adbproto/wire/errc.hpp"
#include "runtime/contract/errc.hpp"
#include "runtime/engine/errc.hpp"
#include "support/fake_device.hpp"
#include "support/manual_time.hpp"
#include "support/print_result.hpp"

using namespace adbproto::testing;
using namespace clawperator;
using namespace std::chrono_literals;
using namespace std::string_literals;
using namespace adbproto;

namespace {

constexpr auto kLimit = std::chrono::milliseconds(1000);
const Words kList{"list", "packages", "x"};
const Words kBroadcast{"broadcast", "-a", "it's"};

adbproto::FeatureSet all_features() { return {"shell_v2", "cmd", "abb"}; }

struct ChannelAt {
  explicit ChannelAt(adbproto::FeatureSet features, std::optional<Rung> rung = {})
      : device(loop, std::move(features)), channel(&device, proved(rung)) {}

  static Rungs proved(std::optional<Rung> rung) {
    Rungs rungs;
    rungs.set(AndroidService::package, rung);
    rungs.set(AndroidService::activity, rung);
    return rungs;
  }
  [[nodiscard]] std::optional<Rung> rung() const {
    return channel.rungs().of(AndroidService::package);
  }

  Result<CommandOutput> probe() {
    return time.run(loop, channel.probe(AndroidService::package, kList, kLimit));
  }
  Result<CommandOutput> run(Words words = kBroadcast) {
    return time.run(loop, channel.run(AndroidService::activity, std::move(words), kLimit));
  }

  ManualTime time;
  Loop loop;
  FakeDevice device;
  CommandChannel channel;
};

}  // namespace

TEST_CASE("channel: each rung has its spelling", "[loopback]") {
  struct Row {
    const char* name;
    adbproto::FeatureSet features;
    std::optional<Rung> rung;
    std::string service;
  };
  const auto row = GENERATE(values<Row>({
      {"abb", {"shell_v2", "abb"}, {}, "abb:activity\0broadcast\0-a\0it's"s},
      {"cmd", {"shell_v2"}, {}, "shell,v2,raw:cmd activity 'broadcast' '-a' 'it'\"'\"'s'"},
      {"am", {"shell_v2"}, Rung::am, "shell,v2,raw:am 'broadcast' '-a' 'it'\"'\"'s'"},
      {"legacy", {}, {}, "shell:am 'broadcast' '-a' 'it'\"'\"'s'; echo '\nclawperator-status:'$?"},
  }));
  INFO(row.name);
  ChannelAt at(row.features, row.rung);
  [[maybe_unused]] const auto refused = at.run();
  REQUIRE_FALSE(at.device.opened()->empty());
  CHECK(at.device.opened()->front() == row.service);
}

TEST_CASE("channel: output, error output and status come back", "[loopback]") {
  ChannelAt at({"shell_v2"});
  at.device.serve("shell,v2,raw:cmd", prints("out", " err\n", 3));
  const auto output = at.run();
  REQUIRE(output);
  CHECK(output->out == "out");
  CHECK(output->err == " err\n");
  CHECK(output->exit_status == 3);
  CHECK(output->text() == "err");
  CHECK(CommandOutput{1, " from stdout\n", " \n"}.text() == "from stdout");
}

TEST_CASE("channel: a probe goes down to the first rung that works, and stays there",
          "[loopback]") {
  struct Row {
    const char* name;
    FakeService abb, cmd, pm;  // absent: refused
    std::optional<Rung> rung;
    std::size_t tried;
  };
  const FakeService good = prints("package:x\n");
  const FakeService bad = prints("", "cmd: not found", 127);
  const auto row = GENERATE_COPY(values<Row>({
      {"all work", good, good, good, Rung::abb, 1},
      {"abb refused", {}, good, good, Rung::cmd, 2},
      {"abb closes without a status", says(""), good, good, Rung::cmd, 2},
      {"abb fails", bad, good, good, Rung::cmd, 2},
      {"cmd is not there", {}, bad, good, Rung::am, 3},
      {"nothing works", bad, bad, bad, std::nullopt, 3},
      {"all refused", {}, {}, {}, std::nullopt, 3},
  }));
  INFO(row.name);
  ChannelAt at(all_features());
  if (row.abb) at.device.serve("abb:", row.abb);
  if (row.cmd) at.device.serve("shell,v2,raw:cmd", row.cmd);
  if (row.pm) at.device.serve("shell,v2,raw:pm", row.pm);
  const auto output = at.probe();
  CHECK(at.rung() == row.rung);
  CHECK(at.device.opened()->size() == row.tried);
  if (!row.rung) {
    REQUIRE_FALSE(output);
    CHECK(output.error().code() == errc::device_shell_unavailable);
    return;
  }
  REQUIRE(output);
  CHECK(output->out == "package:x\n");
  [[maybe_unused]] const auto again = at.probe();
  CHECK(at.device.opened()->size() == row.tried + 1);
}

TEST_CASE("channel: a remembered rung is tried first", "[loopback]") {
  ChannelAt at(all_features(), Rung::am);
  at.device.serve("abb:", prints("")).serve("shell,v2,raw:pm", prints("fine"));
  REQUIRE(at.probe());
  CHECK(*at.device.opened() == Words{"shell,v2,raw:pm 'list' 'packages' 'x'"});
}

TEST_CASE("channel: a probe that gets no answer is an error, not a reason to go on", "[loopback]") {
  ChannelAt at(all_features());
  at.device.serve("abb:", hangs()).serve("shell,v2,raw:cmd", prints("fine"));
  const auto output = at.probe();
  REQUIRE_FALSE(output);
  CHECK(output.error().code() == errc::deadline_exceeded);
  CHECK(at.device.opened()->size() == 1);
  CHECK_FALSE(at.rung());
}

TEST_CASE("channel: a command that may have begun is never run again", "[loopback]") {
  struct Row {
    const char* name;
    FakeService service;
    std::optional<Errc> code;
  };
  const auto row = GENERATE(values<Row>({
      {"failed", prints("", "Error", 1), std::nullopt},
      {"ended without a status", says(""), errc::link_lost},
      {"cut in the middle", says(shell_output("Broadcasting: Intent").substr(0, 9)),
       errc::link_lost},
      {"hangs", hangs(), errc::deadline_exceeded},
      {"garbage", says("\x63garbage"), errc::limit},
  }));
  INFO(row.name);
  ChannelAt at(all_features());
  at.device.serve("abb:", row.service);
  at.device.serve("shell,v2,raw:", prints("must not run"));
  const auto output = at.run();
  CHECK(at.device.opened()->size() == 1);
  if (row.code) {
    REQUIRE_FALSE(output);
    CHECK(output.error().code() == *row.code);
  } else {
    REQUIRE(output);
    CHECK(output->exit_status == 1);
  }
}

TEST_CASE("channel: a command refused before it began goes one rung down", "[loopback]") {
  ChannelAt at(all_features());
  at.device.serve("shell,v2,raw:am", prints("done"));
  const auto output = at.run();
  REQUIRE(output);
  CHECK(output->out == "done");
  CHECK(at.device.opened()->size() == 3);
  ChannelAt none(all_features());
  const auto refused = none.run();
  REQUIRE_FALSE(refused);
  CHECK(refused.error().code() == errc::refused);
}

TEST_CASE("channel: the old shell's status is what its own echo says", "[loopback]") {
  struct Row {
    const char* name;
    std::string printed;
    std::optional<int> status;  // absent: no status arrived
    std::string out;
  };
  const auto row = GENERATE(values<Row>({
      {"success", "Success\n\nclawperator-status:0\n", 0, "Success\n"},
      {"failure", "Error\n\nclawperator-status:255\n", 255, "Error\n"},
      {"line ends of old terminals", "ok\r\n\r\nclawperator-status:1\r\n", 1, "ok\r\n\r"},
      {"nothing printed", "\nclawperator-status:0\n", 0, ""},
      {"the mark inside the output", "x\nclawperator-status:7\ny\nclawperator-status:2\n", 2,
       "x\nclawperator-status:7\ny"},
      {"cut before the mark", "Success\n", {}, ""},
      {"cut inside the mark", "Success\n\nclawperator-sta", {}, ""},
      {"cut before the number", "Success\n\nclawperator-status:", {}, ""},
      {"cut inside the number", "Success\n\nclawperator-status:25", {}, ""},
      {"no number", "Success\n\nclawperator-status:$?\n", {}, ""},
  }));
  INFO(row.name);
  ChannelAt at({});
  at.device.serve("shell:am", says(row.printed));
  const auto output = at.run();
  if (!row.status) {
    REQUIRE_FALSE(output);
    CHECK(output.error().code() == errc::protocol);
    return;
  }
  REQUIRE(output);
  CHECK(output->exit_status == *row.status);
  CHECK(output->out == row.out);
}

TEST_CASE("channel: what does not fit a service name goes by the input of a shell", "[loopback]") {
  const auto rung = GENERATE(Rung::abb, Rung::cmd);
  ChannelAt at(all_features(), rung);
  at.device.set_max_service_size(300);
  std::string script;
  at.device.serve("shell,v2,raw:sh", reads(&script, shell_output("done", "", 4)));
  const std::string payload(500, 'p');
  const auto output = at.run({"broadcast", payload});
  REQUIRE(output);
  CHECK(output->exit_status == 4);
  CHECK(script == "cmd activity 'broadcast' '" + payload + "'\n");
}

TEST_CASE("channel: where nothing can carry the payload it is too large", "[loopback]") {
  ChannelAt old({});
  old.device.set_max_service_size(300);
  const auto output = old.run({"broadcast", std::string(500, 'p')});
  REQUIRE_FALSE(output);
  CHECK(output.error().code() == errc::payload_too_large);
  CHECK(old.device.opened()->empty());

  ChannelAt modern({"shell_v2"});
  const auto huge = modern.run({"broadcast", std::string(adbproto::kMaxShellPayload, 'p')});
  REQUIRE_FALSE(huge);
  CHECK(huge.error().code() == errc::payload_too_large);
  CHECK(modern.device.opened()->empty());
}

TEST_CASE("channel: a device that the server lost is another error than a refusal by the device",
          "[loopback]") {
  struct Row {
    const char* text;
    bool lost;
  };
  const auto row = GENERATE(values<Row>({
      {"device 'R58N12' not found", true},
      {"device offline (no transport)", true},
      {"device offline (transport offline)", true},
      {"no device with transport id '7'", true},
      {"device still connecting", true},
      {"no devices/emulators found", true},
      {"closed", false},
      {"device refused the service", false},
      {"", false},
  }));
  INFO(row.text);
  CHECK(names_lost_link({errc::refused, row.text}) == row.lost);
  CHECK_FALSE(names_lost_link({errc::protocol, row.text}));
}

TEST_CASE("channel: abb reports success by its stderr, never by its status", "[loopback][W1]") {
  struct Row {
    const char* name;
    FakeService abb;
    std::optional<Rung> rung;
    int status;
  };
  const auto row = GENERATE(values<Row>({
      {"answer with adbd's meaningless 1", prints("package:x\n", "", 1), Rung::abb, 0},
      {"no package, meaningless 1", prints("", "", 1), Rung::abb, 0},
      {"exception", prints("", "java.lang.SecurityException: no", 1), Rung::cmd, 0},
      {"exception with status 0", prints("", "Failure calling service", 0), Rung::cmd, 0},
  }));
  INFO(row.name);
  ChannelAt at(all_features());
  at.device.serve("abb:", row.abb).serve("shell,v2,raw:cmd", prints("package:x\n"));
  const auto output = at.probe();
  REQUIRE(output);
  CHECK(at.rung() == row.rung);
  CHECK(output->exit_status == row.status);
}

TEST_CASE("channel: each service has a rung of its own", "[loopback][W6]") {
  ChannelAt at({"shell_v2", "cmd"});
  at.device.serve("shell,v2,raw:cmd package", prints("package:x\n"))
      .serve("shell,v2,raw:cmd activity", prints("", "Unknown command: broadcast\n", 255))
      .serve("shell,v2,raw:am", prints("Broadcast completed: result=0\n"));
  REQUIRE(at.probe());
  const auto output = at.run();
  REQUIRE(output);
  CHECK(output->out == "Broadcast completed: result=0\n");
  CHECK(at.device.opened()->back().starts_with("shell,v2,raw:am 'broadcast'"));
  CHECK(at.channel.rungs().of(AndroidService::package) == Rung::cmd);
  CHECK_FALSE(at.channel.rungs().of(AndroidService::activity));
}

TEST_CASE("channel: a command that ran and failed is not tried on another rung", "[loopback][W6]") {
  ChannelAt at({"shell_v2", "cmd"});
  at.device.serve("shell,v2,raw:cmd", prints("", "Error: Unknown command line\n", 255));
  REQUIRE(at.run());
  CHECK(at.device.opened()->size() == 1);
}

TEST_CASE("channel: a line that is too long for one argument goes by the shell's input",
          "[loopback][R21]") {
  ChannelAt at({"shell_v2"});
  std::string script;
  at.device.serve("shell,v2,raw:cmd", prints("by name"))
      .serve("shell,v2,raw:sh", reads(&script, shell_output("by input")));
  at.device.set_max_service_size(1 << 20);
  const std::string payload(101'000, 'x');
  const auto output = at.run({"broadcast", payload});
  REQUIRE(output);
  CHECK(output->out == "by input");
  CHECK(script == "cmd activity 'broadcast' '" + payload + "'\n");
}
