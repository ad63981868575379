#include "cli/globals.hpp"

#include <array>
#include <catch2/catch.hpp>
#include <cmath>

#include "unit/cli/invoke.hpp"

using namespace clawperator;
using namespace clawperator::cli;
using adbproto::Errc;

namespace {

adbproto::Result<Scan> scan(const Words& words) {
  return scan_globals(words, [](auto) { return std::span<const Option>{}; });
}

}  // namespace

TEST_CASE("globals: they may stand before and after the command and leave the rest alone") {
  const auto result = scan({"--device", "A", "click", "--text", "Wi-Fi", "--timeout", "5000"});
  REQUIRE(result);
  CHECK(result->globals.target.device == "A");
  CHECK(result->globals.timeout_ms == 5000);
  CHECK(result->rest == Words{"click", "--text", "Wi-Fi"});
}

TEST_CASE("globals: old spellings and = forms mean the same") {
  const auto words = GENERATE(values<Words>({
      {"x", "--device", "A", "--operator-package", "p.q", "--timeout", "7"},
      {"x", "--device-id", "A", "--receiver-package", "p.q", "--timeout-ms", "7"},
      {"x", "--device=A", "--operator-package=p.q", "--timeout=7"},
      {"x", "--device-id=A", "--receiver-package=p.q", "--timeout-ms=7"},
  }));
  const auto result = scan(words);
  REQUIRE(result);
  CHECK(result->globals.target.device == "A");
  CHECK(result->globals.operator_package == "p.q");
  CHECK(result->globals.timeout_ms == 7);
  CHECK(result->rest == Words{"x"});
}

TEST_CASE("globals: the last occurrence wins") {
  const auto result = scan({"--device", "A", "x", "--device", "B"});
  REQUIRE(result);
  CHECK(result->globals.target.device == "B");
}

TEST_CASE("globals: scanning stops at the first --") {
  const auto result = scan({"type", "--", "--device", "A", "--version"});
  REQUIRE(result);
  CHECK_FALSE(result->globals.target.device);
  CHECK_FALSE(result->version);
  CHECK(result->rest == Words{"type", "--", "--device", "A", "--version"});
}

TEST_CASE("globals: --device without a word after it stays where it is") {
  CHECK(scan({"snapshot", "--device"})->rest == Words{"snapshot", "--device"});
  CHECK(scan({"--device"})->rest == Words{"--device"});
  CHECK(scan({"snapshot", "--device", ""})->rest == Words{"snapshot", "--device", ""});
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
  const auto result = scan(row.words);
  CAPTURE(row.message);
  REQUIRE_FALSE(result);
  CHECK(result.error().code() == Errc::usage);
  CHECK(result.error().message() == row.message);
}

TEST_CASE("globals: a timeout that is no number arrives as NaN for the command to judge") {
  CHECK(std::isnan(*scan({"x", "--timeout", "soon"})->globals.timeout_ms));
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
  CHECK(scan(row.words)->globals.target.authorization_limit == row.limit);
}

TEST_CASE("globals: output is pretty for pretty and json for anything else") {
  CHECK(scan({"x", "--output", "pretty"})->globals.output == OutputMode::pretty);
  CHECK(scan({"x", "--format", "pretty"})->globals.output == OutputMode::pretty);
  CHECK(scan({"x", "--output", "yaml"})->globals.output == OutputMode::json);
  CHECK(scan({"x", "--output", "pretty", "--json"})->globals.output == OutputMode::json);
  CHECK(scan({"x", "--output"})->globals.output == OutputMode::json);
}

TEST_CASE("globals: log levels are read in any case") {
  CHECK(scan({"x", "--log-level", "WARN"})->globals.log_level == "warn");
}

TEST_CASE("globals: --version wins over everything before --") {
  const auto result = scan({"click", "--log-level", "loud", "--version"});
  REQUIRE(result);
  CHECK(result->version);
}

TEST_CASE("globals: flags that change nothing yet are accepted") {
  CHECK(scan({"--no-daemon", "x", "--disable-star-suggestions"})->rest == Words{"x"});
}

TEST_CASE("globals: after snapshot and screenshot --format is theirs where it can be") {
  struct Row {
    Words words;
    OutputMode output;
    const char* format;  // the command's own, nullptr for none
  };
  const auto row = GENERATE(values<Row>({
      {{"snapshot", "--format", "compact"}, OutputMode::json, "compact"},
      {{"snapshot", "--format", "json"}, OutputMode::json, "json"},
      {{"snapshot", "--format=json"}, OutputMode::json, "json"},
      {{"snapshot", "--format", "pretty"}, OutputMode::pretty, nullptr},
      {{"--format", "pretty", "snapshot"}, OutputMode::pretty, nullptr},
      {{"--format", "json", "snapshot"}, OutputMode::json, nullptr},
      {{"observe", "snapshot", "--format", "json"}, OutputMode::json, "json"},
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

TEST_CASE("globals: --version is ours unless the command before it has one of its own") {
  static constexpr std::array kOwn{Option{"--version", "", Arity::one, "<version>", ""}};
  const auto scanned = [](const Words& words) {
    return scan_globals(words, [](std::span<const std::string> so_far) {
      const bool known = so_far.size() > 1 && so_far[0] == "operator" && so_far[1] == "download";
      return known ? std::span<const Option>(kOwn) : std::span<const Option>{};
    });
  };
  for (const Words& words : {Words{"operator", "download", "--version", "0.5.3"},
                             Words{"operator", "download", "--version=0.5.3"},
                             Words{"--device", "x", "operator", "download", "--version", "0.5.3"},
                             Words{"--json", "operator", "download", "--version"}}) {
    const auto result = scanned(words);
    REQUIRE(result);
    CHECK_FALSE(result->version);
    CHECK(result->rest.back() == words.back());
  }
  for (const Words& words :
       {Words{"--version", "operator", "download"}, Words{"operator", "--version", "download"},
        Words{"--device", "--version", "operator", "download"},
        Words{"snapshot", "--version", "0.5.3"},
        Words{"operator", "x", "download", "--version", "0.5.3"}}) {
    const auto result = scanned(words);
    REQUIRE(result);
    CHECK(result->version);
  }
}
