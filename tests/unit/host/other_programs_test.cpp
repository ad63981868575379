#include "runtime/host/other_programs.hpp"

#include <catch2/catch.hpp>

using namespace clawperator;

TEST_CASE("other programs: npm's launcher belongs to the program of the same installation",
          "[host]") {
  const char* program = "/u/lib/node_modules/clawperator/node_modules/clawperator-linux-x64/bin/x";
  CHECK(is_launcher_of("/u/lib/node_modules/clawperator/bin/clawperator.js", program));
  CHECK(is_launcher_of("/u/lib/node_modules/clawperator-linux-x64/bin/clawperator", program));
  CHECK_FALSE(is_launcher_of("/usr/bin/clawperator", program));
  CHECK_FALSE(is_launcher_of("/v/lib/node_modules/clawperator/bin/clawperator.js", program));
  CHECK_FALSE(is_launcher_of("/usr/bin/clawperator", "/usr/local/bin/clawperator"));
}
