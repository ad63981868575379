#include "cli/payload.hpp"
#include "runtime/contract/errc.hpp"

#include <unistd.h>

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>

using namespace clawperator::cli;
using namespace adbproto;
namespace fs = std::filesystem;

namespace {

struct TemporaryFolder {
  fs::path path = fs::temp_directory_path() / ("clawperator-payload-" + std::to_string(getpid()));
  TemporaryFolder() { fs::create_directories(path); }
  ~TemporaryFolder() { fs::remove_all(path); }

  [[nodiscard]] std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(path / name) << text;
    return (path / name).string();
  }
};

}  // namespace

TEST_CASE("payload: what starts with a brace is the payload itself, trimmed") {
  CHECK(read_payload("{\"a\":1}") == "{\"a\":1}");
  CHECK(read_payload(" \n{\"a\":1}\t") == "{\"a\":1}");
  CHECK(read_payload("{oops") == "{oops");  // the contract judges it
}

TEST_CASE("payload: a bracket is a file first, inline if there is none") {
  CHECK(read_payload("[1,2]") == "[1,2]");
}

TEST_CASE("payload: everything else is a file", "[F54]") {
  const TemporaryFolder folder;
  CHECK(read_payload(folder.write("plan.json", "{\"a\":1}\n")) == "{\"a\":1}\n");
  const auto missing = read_payload((folder.path / "none").string());
  REQUIRE_FALSE(missing);
  CHECK(missing.error().code() == errc::execution_validation_failed);
  CHECK(missing.error().message() ==
        "Failed to read execution file: ENOENT: no such file or directory, open '" +
            (folder.path / "none").string() + "'");
  const auto directory = read_payload(folder.path.string());
  REQUIRE_FALSE(directory);
  CHECK(directory.error().message() ==
        "Failed to read execution file: EISDIR: is a directory, read");
}

TEST_CASE("payload: a file that is no JSON says so with the parser's words") {
  const TemporaryFolder folder;
  const auto text = GENERATE(as<std::string>{}, "", "{oops", "{} {}", "\xff\xfe");
  const auto bad = read_payload(folder.write("bad.json", text));
  REQUIRE_FALSE(bad);
  CHECK(bad.error().code() == errc::execution_validation_failed);
  CHECK(bad.error().message().starts_with("Invalid JSON content in execution file: "));
  CHECK(bad.error().message().size() >
        std::string("Invalid JSON content in execution file: ").size());
}

TEST_CASE("payload: an endless file ends in PAYLOAD_TOO_LARGE") {
  const auto endless = read_payload("/dev/zero");
  REQUIRE_FALSE(endless);
  CHECK(endless.error().code() == errc::payload_too_large);
}
