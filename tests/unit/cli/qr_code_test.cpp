#include "cli/pretty/qr_code.hpp"

#include <catch2/catch.hpp>
#include <sstream>
#include <vector>

using namespace adbproto;
using namespace clawperator::cli;

namespace {

// The drawing as rows of modules, true where it is dark.
std::vector<std::vector<bool>> modules_of(const std::string& drawing) {
  std::vector<std::vector<bool>> rows;
  std::istringstream lines(drawing);
  for (std::string line; std::getline(lines, line);) {
    std::vector<bool> upper, lower;
    for (std::size_t at = 0; at < line.size();) {
      const bool blank = line[at] == ' ';
      const std::string block = line.substr(at, blank ? 1 : 3);
      at += block.size();
      REQUIRE((blank || block == "▀" || block == "▄" || block == "█"));
      upper.push_back(blank || block == "▄");
      lower.push_back(blank || block == "▀");
    }
    rows.push_back(upper);
    rows.push_back(lower);
  }
  return rows;
}

// One of the three squares in the corners.
bool is_finder(const std::vector<std::vector<bool>>& rows, std::size_t top, std::size_t left) {
  constexpr const char* kPattern[] = {"#######", "#     #", "# ### #", "# ### #",
                                      "# ### #", "#     #", "#######"};
  for (std::size_t y = 0; y < 7; ++y) {
    for (std::size_t x = 0; x < 7; ++x) {
      if (rows[top + y][left + x] != (kPattern[y][x] == '#')) return false;
    }
  }
  return true;
}

const std::string kText = "WIFI:T:ADB;S:studio-0123456789;P:abcdefghijkl;;";

}  // namespace

TEST_CASE("qr code: a square with a light border and three finder patterns") {
  const auto drawing = draw_qr_code(kText, Ink::plain);
  REQUIRE(drawing);
  const auto rows = modules_of(*drawing);
  const std::size_t size = rows[0].size();
  REQUIRE(size == 33 + 8);  // 47 bytes at level M: version 4, 33 modules
  REQUIRE((rows.size() == size || rows.size() == size + 1));
  for (std::size_t i = 0; i < size; ++i) {
    CHECK_FALSE(rows[3][i]);
    CHECK_FALSE(rows[i][3]);
    CHECK_FALSE(rows[size - 4][i]);
    CHECK_FALSE(rows[i][size - 4]);
  }
  CHECK(is_finder(rows, 4, 4));
  CHECK(is_finder(rows, 4, size - 11));
  CHECK(is_finder(rows, size - 11, 4));
  CHECK_FALSE(is_finder(rows, size - 11, size - 11));
}

TEST_CASE("qr code: on a terminal every line says its own colours") {
  const auto plain = draw_qr_code(kText, Ink::plain);
  const auto coloured = draw_qr_code(kText, Ink::terminal);
  REQUIRE(plain);
  REQUIRE(coloured);
  std::istringstream lines(*plain);
  std::string expected;
  for (std::string line; std::getline(lines, line);) expected += "\x1b[97;40m" + line + "\x1b[0m\n";
  CHECK(*coloured == expected);
}

TEST_CASE("qr code: too long a text is a limit") {
  const auto drawing = draw_qr_code(std::string(3000, 'x'), Ink::plain);
  REQUIRE_FALSE(drawing);
  CHECK(drawing.error().code() == errc::limit);
}
