#include "cli/adb/adb_command.hpp"

#include <catch2/catch.hpp>
#include <map>

#include "unit/cli/invoke.hpp"

using namespace clawperator;
using namespace clawperator::cli;

namespace {

adbproto::GetEnvironment environment(std::map<std::string, std::string> variables) {
  return [variables = std::move(variables)](const char* name) -> std::optional<std::string> {
    const auto found = variables.find(name);
    if (found == variables.end()) return std::nullopt;
    return found->second;
  };
}

adbproto::Result<AdbLine> read(const Words& words, std::map<std::string, std::string> env = {}) {
  return read_adb_line(words, {}, environment(std::move(env)));
}

}  // namespace

TEST_CASE("adb options: they end at the subcommand, whose words stay as they are") {
  const auto line = read({"-s", "A", "shell", "-t", "ls", "-s", "--help", "--"});
  REQUIRE(line);
  CHECK(line->context.target.device == "A");
  CHECK(line->subcommand == "shell");
  CHECK(line->arguments == Words{"-t", "ls", "-s", "--help", "--"});
}

TEST_CASE("adb options: a value may be attached to its letter") {
  const auto line = read({"-sA", "-t7", "-Hfar", "-P15037", "devices"});
  REQUIRE(line);
  CHECK(line->context.target.device == "A");
  CHECK(line->context.target.transport_id == 7);
  CHECK(line->context.target.adb_server == "tcp:far:15037");
}

TEST_CASE("adb options: an empty -s or -t names no device, and only -s hides ANDROID_SERIAL") {
  struct Row {
    Words words;
    std::optional<std::string> device;
  };
  const auto row = GENERATE(values<Row>({
      {{"-s", "", "shell"}, std::nullopt},
      {{"-s", "A", "-s", "", "shell"}, std::nullopt},
      {{"-t", "", "shell"}, "E"},
      {{"-t", "0", "shell"}, "E"},
      {{"-t", "7", "-t", "", "shell"}, "E"},
  }));
  CAPTURE(row.words);
  const auto line = read(row.words, {{"ANDROID_SERIAL", "E"}});
  REQUIRE(line);
  CHECK(line->context.target.device == row.device);
  CHECK_FALSE(line->context.target.transport_id);
  CHECK(line->subcommand == "shell");
}

TEST_CASE("adb options: -d and -e choose by the way a device is reached") {
  CHECK(read({"-d", "devices"})->context.target.reachable == Reachable::usb);
  CHECK(read({"-e", "devices"})->context.target.reachable == Reachable::local);
  CHECK(read({"-a", "devices"})->context.target.reachable == Reachable::any);
}

TEST_CASE("adb options: ANDROID_SERIAL counts only where nothing else chooses") {
  const std::map<std::string, std::string> env = {{"ANDROID_SERIAL", "E"}};
  CHECK(read({"shell"}, env)->context.target.device == "E");
  CHECK(read({"-s", "A", "shell"}, env)->context.target.device == "A");
  for (const Words& words : {Words{"-d", "shell"}, {"-e", "shell"}, {"-t", "1", "shell"}}) {
    CAPTURE(words);
    CHECK_FALSE(read(words, env)->context.target.device);
  }
  CHECK_FALSE(read({"shell"}, env)->context.target.honour_android_serial);
}

TEST_CASE("adb options: what the command line said before `adb` counts until it is said again") {
  TargetOptions before;
  before.device = "B";
  before.adb_server = "tcp:1";
  const auto none = environment({{"ANDROID_SERIAL", "E"}});
  CHECK(read_adb_line(Words{"shell"}, before, none)->context.target.device == "B");
  CHECK(read_adb_line(Words{"shell"}, before, none)->context.target.adb_server == "tcp:1");
  CHECK(read_adb_line(Words{"-s", "A", "-L", "tcp:2", "shell"}, before, none)
            ->context.target.adb_server == "tcp:2");
}

TEST_CASE("adb options: -H and -P are one address, the missing half comes from the environment") {
  const std::map<std::string, std::string> env = {{"ANDROID_ADB_SERVER_ADDRESS", "far"},
                                                  {"ANDROID_ADB_SERVER_PORT", "6000"},
                                                  {"ADB_SERVER_SOCKET", "tcp:1"}};
  CHECK(read({"-H", "near", "x"}, env)->context.target.adb_server == "tcp:near:6000");
  CHECK(read({"-P", "7000", "x"}, env)->context.target.adb_server == "tcp:far:7000");
  CHECK(read({"-P", "7000", "x"})->context.target.adb_server == "tcp:127.0.0.1:7000");
  CHECK(read({"-H", "::1", "x"})->context.target.adb_server == "tcp:[::1]:5037");
  CHECK_FALSE(read({"x"}, env)->context.target.adb_server);
}

TEST_CASE("adb options: errors are adb's words") {
  struct Row {
    Words words;
    std::string message;
  };
  const auto row = GENERATE(values<Row>({
      {{"-s"}, "-s requires an argument"},
      {{"-t"}, "-t requires an argument"},
      {{"-H"}, "-H requires an argument"},
      {{"-P"}, "-P requires an argument"},
      {{"-L"}, "-L requires an argument"},
      {{"-t", "abc", "devices"}, "invalid transport id"},
      {{"-t", "-1", "devices"}, "invalid transport id"},
      {{"-P", "abc", "devices"},
       "$ANDROID_ADB_SERVER_PORT must be a positive number less than 65535: got \"abc\""},
      {{"-P", "99999", "devices"},
       "$ANDROID_ADB_SERVER_PORT must be a positive number less than 65535: got \"99999\""},
      {{"-L", "tcp:1", "-P", "2", "devices"}, "-L is incompatible with -H or -P"},
      {{"-x", "devices"}, "unknown command -x"},
      {{"--foo", "devices"}, "unknown command --foo"},
  }));
  CAPTURE(row.words);
  const auto line = read(row.words);
  REQUIRE_FALSE(line);
  CHECK(line.error().message() == row.message);
}

TEST_CASE("adb options: the long spellings of help and version are subcommands") {
  CHECK(read({"--help", "x"})->subcommand == "help");
  CHECK(read({"-h"})->subcommand == "help");
  CHECK(read({"--version"})->subcommand == "version");
  CHECK(read({})->subcommand.empty());
}

TEST_CASE("adb words: nothing after `adb` is an option of ours") {
  const Words rest = {"-s",     "A",         "shell",  "--device", "B",
                      "--json", "--version", "--help", "--",       "x"};
  Words argv = {"--device", "C", "adb"};
  argv.insert(argv.end(), rest.begin(), rest.end());
  const auto invocation = invoke(argv);
  REQUIRE(invocation);
  CHECK(invocation->command->name == "adb");
  CHECK(invocation->globals.target.device == "C");
  CHECK(invocation->arguments.positionals() == rest);
}

TEST_CASE("adb words: `adb` as a value or a later word is just a word") {
  const auto device = invoke({"--device", "adb", "devices", "--output", "pretty"});
  REQUIRE(device);
  CHECK(device->globals.output == OutputMode::pretty);
  const auto typed = invoke({"type", "adb", "--device", "A"});
  REQUIRE(typed);
  CHECK(typed->globals.target.device == "A");
}
