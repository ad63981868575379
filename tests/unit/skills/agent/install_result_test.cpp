#include "skills/agent/installer.hpp"

#include <catch2/catch.hpp>
#include <string>

#include "skills/agent/rules/errc.hpp"

using namespace clawperator::agent_skills;
namespace errc = base::errc;

TEST_CASE("install result: the message has the exit code and the most useful line", "[install]") {
  struct Row {
    std::string out;
    std::string err;
    std::string summary;
  };
  const Row rows[] = {
      {"", "", ""},
      {"only stdout\n", "", ": only stdout"},
      {"out", " \r\n\n", ": out"},
      {"out", "first\nlast\n", ": last"},
      {"", "warn\nError: no formula\nlast", ": Error: no formula"},
      {"", "a\nERROR\nlast", ": ERROR"},
      {"", "errors are here\nlast", ": last"},
      {"", "the error: x\nlast", ": last"},
      {"", "npm ERR! code E404\nlast", ": last"},
      {"", "it says error:x\nlast", ": it says error:x"},
      {"", "it says err!x\nlast", ": it says err!x"},
      {"", "the build FAILED here\nlast", ": the build FAILED here"},
      {"", "buildfailed\nlast", ": last"},
      {"", "x failed\nerror first\nlast", ": error first"},
      {"",
       "  a \t  b\xc2\xa0\xc2\xa0"
       "c  \n",
       ": a b c"},
      {"", "bad \xff byte", ": bad \xef\xbf\xbd byte"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.out, row.err);
    CHECK(install_failure(1, row.out, row.err) == "Install failed (exit 1)" + row.summary);
  }
  CHECK(install_failure({}, "", "x") == "Install failed (unknown exit): x");
}

TEST_CASE("install result: a long line is shortened to 200 units of UTF-16", "[install]") {
  const std::string dots = "\xe2\x80\xa6";
  const auto summary = [](const std::string& line) {
    return install_failure(1, "", line).substr(std::string("Install failed (exit 1): ").size());
  };
  CHECK(summary(std::string(200, 'x')) == std::string(200, 'x'));
  CHECK(summary(std::string(201, 'x')) == std::string(199, 'x') + dots);
  std::string wide;  // each of them two units
  for (int i = 0; i < 101; ++i) wide += "\xf0\x9f\x98\x80";
  CHECK(summary(wide) == wide.substr(0, 4 * std::size_t{99}) + dots);
}

TEST_CASE("install result: a server's status is reported as a person knows it", "[install]") {
  CHECK(download_failure(404) == "Download failed (404 Not Found)");
  CHECK(download_failure(503) == "Download failed (503 Service Unavailable)");
  CHECK(download_failure(299) == "Download failed (299)");
}

TEST_CASE("install result: as JSON, and as an error with the same text", "[install]") {
  const InstallResult good{.ok = true, .message = "Installed", .out = "o\"", .code = 0};
  CHECK(install_json(good) ==
        R"({"ok":true,"message":"Installed","stdout":"o\"","stderr":"","code":0})");
  const InstallResult bad{.message = "m", .err = "e"};
  CHECK(install_json(bad) == R"({"ok":false,"message":"m","stdout":"","stderr":"e","code":null})");
  const base::Error error = install_error(bad);
  CHECK(error.code() == errc::agent_install_failed);
  CHECK(error.message() == "m");
  CHECK(error.members() == R"({"details":{"stdout":"","stderr":"e","code":null}})");
}
