#include "cli/grammar/globals.hpp"

#include <catch2/catch.hpp>
#include <cmath>

#include "unit/cli/invoke.hpp"

using namespace clawperator;
using namespace clawperator::cli;
using namespace adbproto;

namespace {

// The globals of a line, whatever its command may be.
Result<Globals> globals_in(const Words& words) { return globals_of(words); }

}  // namespace

TEST_CASE("globals: they may stand before and after the command and leave the rest alone") {
  const auto result =
      globals_in({"--device", "A", "click", "--text", "Wi-Fi", "--timeout", "5000"});
  REQUIRE(result);
  CHECK(result->target.device == "A");
  CHECK(result->timeout_ms == 5000);
}

TEST_CASE("globals: old spellings and = forms mean the same") {
  const auto words = GENERATE(values<Words>({
      {"x", "--device", "A", "--operator-package", "p.q", "--timeout", "7"},
      {"x", "--device-id", "A", "--receiver-package", "p.q", "--timeout-ms", "7"},
      {"x", "--device=A", "--operator-package=p.q", "--timeout=7"},
      {"x", "--device-id=A", "--receiver-package=p.q", "--timeout-ms=7"},
  }));
  const auto result = globals_in(words);
  REQUIRE(result);
  CHECK(result->target.device == "A");
  CHECK(result->operator_package == "p.q");
  CHECK(result->timeout_ms == 7);
}

TEST_CASE("globals: the last occurrence wins") {
  const auto result = globals_in({"--device", "A", "x", "--device", "B"});
  REQUIRE(result);
  CHECK(result->target.device == "B");
}

TEST_CASE("globals: none is read after the first --") {
  const auto result = globals_in({"type", "--", "--device", "A", "--version"});
  REQUIRE(result);
  CHECK_FALSE(result->target.device);
}

TEST_CASE("globals: --device without a word after it means no device, with an empty one nothing") {
  REQUIRE(globals_in({"snapshot", "--device"}));
  CHECK_FALSE(globals_in({"snapshot", "--device"})->target.device);
  CHECK_FALSE(globals_in({"snapshot", "--device", ""}));
  CHECK(globals_in({"snapshot", "--device", "--text"})->target.device == "--text");
}

TEST_CASE("globals: an unfit value is USAGE and names the spelling used") {
  struct Row {
    Words words;
    std::string message;
  };
  const auto row = GENERATE(values<Row>({
      {{"x", "--operator-package"}, "--operator-package requires a value"},
      {{"x", "--operator-package", "  "}, "--operator-package requires a value"},
      {{"x", "--receiver-package", "-p"}, "--receiver-package requires a value"},
      {{"x", "--timeout"}, "--timeout requires a value"},
      {{"x", "--timeout-ms"}, "--timeout-ms requires a value"},
      {{"x", "--log-level", "loud"}, "--log-level must be one of: debug, info, warn, error"},
      {{"x", "--log-level"}, "--log-level must be one of: debug, info, warn, error"},
      {{"x", "--transport", "wifi"}, "--transport must be one of: auto, server, tcp, usb"},
      {{"x", "--adb-server"}, "--adb-server requires a value"},
      {{"x", "--json=1"}, "--json does not take a value"},
  }));
  const auto result = globals_in(row.words);
  CAPTURE(row.message);
  REQUIRE_FALSE(result);
  CHECK(result.error().code() == errc::usage);
  CHECK(result.error().message() == row.message);
}

TEST_CASE("globals: a timeout that is no number arrives as NaN for the command to judge") {
  CHECK(std::isnan(*globals_in({"x", "--timeout", "soon"})->timeout_ms));
}

TEST_CASE("globals: a person is waited for as long as the command may take") {
  using namespace std::chrono_literals;
  struct Row {
    Words words;
    std::chrono::milliseconds limit;
  };
  const auto row = GENERATE(values<Row>({
      {{"x"}, 30s},
      {{"x", "--timeout", "5000"}, 5s},
      {{"x", "--timeout", "120000"}, 2min},
      {{"x", "--timeout", "1e30"}, 1h},
      {{"x", "--timeout", "soon"}, 30s},
  }));
  CHECK(globals_in(row.words)->target.authorization_limit == row.limit);
}

TEST_CASE("globals: output is json unless it is pretty, and nothing else") {
  CHECK(globals_in({"x", "--output", "pretty"})->output == OutputMode::pretty);
  CHECK(globals_in({"x", "--format", "pretty"})->output == OutputMode::pretty);
  CHECK_FALSE(globals_in({"x", "--output", "yaml"}));
  CHECK(globals_in({"x", "--output", "pretty", "--json"})->output == OutputMode::json);
  CHECK(globals_in({"x", "--output"})->output == OutputMode::json);
}

TEST_CASE("globals: log levels are read in any case") {
  CHECK(globals_in({"x", "--log-level", "WARN"})->log_level == "warn");
}

TEST_CASE("globals: flags that change nothing yet are accepted") {
  CHECK(invoke({"--no-daemon", "snapshot", "--disable-star-suggestions"}));
}

TEST_CASE("globals: after snapshot and screenshot --format is theirs where it can be") {
  struct Row {
    Words words;
    OutputMode output;
    const char* format;  // the command's own, nullptr for none
  };
  const auto row = GENERATE(values<Row>({
      {{"snapshot", "--format", "compact"}, OutputMode::json, "compact"},
      {{"snapshot", "--format", "json"}, OutputMode::json, nullptr},
      {{"snapshot", "--format=nodes"}, OutputMode::json, "nodes"},
      {{"snapshot", "--format", "pretty"}, OutputMode::pretty, nullptr},
      {{"--format", "pretty", "snapshot"}, OutputMode::pretty, nullptr},
      {{"--format", "json", "snapshot"}, OutputMode::json, nullptr},
      {{"observe", "snapshot", "--format", "json"}, OutputMode::json, nullptr},
      {{"screenshot", "--format", "jpeg"}, OutputMode::json, "jpeg"},
      {{"screenshot", "--format", "json"}, OutputMode::json, nullptr},
      {{"screenshot", "--format", "pretty"}, OutputMode::pretty, nullptr},
      {{"click", "--text", "x", "--format", "pretty"}, OutputMode::pretty, nullptr},
  }));
  const auto result = invoke(row.words);
  REQUIRE(result);
  CHECK(result->globals.output == row.output);
  const std::string* format = result->arguments.value("--format");
  CHECK((format ? *format : "") == (row.format ? row.format : ""));
}
