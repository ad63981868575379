#include "runtime/mcp/acting.hpp"

#include <catch2/catch.hpp>

using namespace clawperator::mcp;

TEST_CASE("mcp tree: a text is cut after a whole line, and says how many are missing") {
  CHECK(cut_lines("one\ntwo\n", 8) == "one\ntwo\n");
  CHECK(cut_lines("one\ntwo\nthree", 8) == "one\ntwo\n(1 more lines were left out: max_bytes)");
  CHECK(cut_lines("one\ntwo\nthree\n", 5) == "one\n(2 more lines were left out: max_bytes)");
  CHECK(cut_lines("one line that is long", 5) == "(1 more lines were left out: max_bytes)");
}
