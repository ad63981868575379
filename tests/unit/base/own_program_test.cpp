#include "base/own_program.hpp"

#include <catch2/catch.hpp>

#include "support/temp_folder.hpp"

namespace base {
namespace {

namespace fs = std::filesystem;

struct Installed {
  Installed() {
    fs::create_directories(prefix / "bin");
    fs::create_directories(prefix / "lib/clawperator");
    for (const fs::path& each : {prefix, prefix / "lib", prefix / "lib/clawperator"}) {
      fs::permissions(each, fs::perms(0755));
    }
    testing::write_text(program, "");
  }
  testing::TempFolder folder;
  fs::path prefix = folder.path() / "prefix";
  fs::path program = prefix / "bin/clawperator";
};

TEST_CASE("own folder: beside the program, where its owner alone can write") {
  const Installed at;
  CHECK(folder_beside(at.program, "lib/clawperator") == at.prefix / "lib/clawperator");
  CHECK(folder_beside(at.program, "share").empty());
  CHECK(folder_beside(at.prefix / "bin/other", "lib/clawperator").empty());
  CHECK(folder_beside({}, "lib").empty());
}

TEST_CASE("own folder: not where everybody can write, on the whole way") {
  const Installed at;
  for (const fs::path& open : {at.prefix, at.prefix / "lib", at.prefix / "lib/clawperator"}) {
    CAPTURE(open);
    fs::permissions(open, fs::perms(01777));
    CHECK(folder_beside(at.program, "lib/clawperator").empty());
    fs::permissions(open, fs::perms(0775));
    CHECK_FALSE(folder_beside(at.program, "lib/clawperator").empty());
  }
}

}  // namespace
}  // namespace base
