#include "runtime/device/runtime_folder.hpp"

#include <catch2/catch.hpp>
#include <map>

#include "runtime/device/errc.hpp"
#include "support/print_result.hpp"
#include "support/temp_folder.hpp"

using namespace adbproto::testing;
using namespace clawperator;
namespace fs = std::filesystem;

namespace {

constexpr uid_t kMe = 1000;
constexpr FolderFacts kMine{true, kMe, 0700};
constexpr FolderFacts kPublic{true, 0, 01777};
constexpr FolderFacts kTheirs{true, 1001, 0700};
constexpr FolderFacts kOpen{true, kMe, 0750};
constexpr FolderFacts kLink{false, kMe, 0777};

const fs::path kNamed = "/named", kSystem = "/run/user/1000", kShared = "/tmp/clawperator-1000";

using Folders = std::map<fs::path, FolderFacts>;

Result<RuntimeFolders> choose(Folders there, std::optional<std::string> named,
                              std::optional<std::string> locks = std::nullopt) {
  return choose_runtime_folders(
      {.named = std::move(named),
       .locks = std::move(locks),
       .user = kMe,
       .read = [&there](const fs::path& folder) -> std::optional<FolderFacts> {
         const auto at = there.find(folder);
         return at == there.end() ? std::nullopt : std::optional(at->second);
       }});
}

using Paths = std::vector<fs::path>;

}  // namespace

TEST_CASE("runtime folder: the first that is this user's alone", "[device][S8]") {
  struct Row {
    const char* name;
    Folders there;
    std::optional<std::string> named;
    fs::path main;
    std::size_t warnings;
  };
  const auto row = GENERATE(values<Row>({
      {"the named one", {{kNamed, kMine}, {kSystem, kMine}, {kShared, kMine}}, "/named", kNamed, 0},
      {"the system's", {{kSystem, kMine}, {kShared, kMine}}, {}, kSystem, 0},
      {"the common one", {{kShared, kMine}}, {}, kShared, 0},
      {"a named one that is not there", {{kShared, kMine}}, "/named", kShared, 1},
      {"a public one",
       {{kNamed, kPublic}, {kSystem, kMine}, {kShared, kMine}},
       "/named",
       kSystem,
       1},
      {"another user's", {{kNamed, kTheirs}, {kShared, kMine}}, "/named", kShared, 1},
      {"one that a group may read", {{kNamed, kOpen}, {kShared, kMine}}, "/named", kShared, 1},
      {"a link", {{kNamed, kLink}, {kShared, kMine}}, "/named", kShared, 1},
      {"no absolute path", {{"named", kMine}, {kShared, kMine}}, "named", kShared, 1},
      {"a system's that is another user's", {{kSystem, kTheirs}, {kShared, kMine}}, {}, kShared, 0},
  }));
  INFO(row.name);
  const auto chosen = choose(row.there, row.named);
  REQUIRE(chosen);
  CHECK(chosen->main == row.main);
  CHECK(chosen->warnings.size() == row.warnings);
  // The common one is among the locks' folders, whatever the environment names.
  CHECK(chosen->locks.front() == row.main);
  CHECK(chosen->locks.back() == kShared);
  CHECK(chosen->locks.size() == (row.main == kShared ? 1U : 2U));
}

TEST_CASE("runtime folder: none is an error that names the folder, its owner and a way out",
          "[device][S8]") {
  struct Row {
    std::optional<FolderFacts> common;
    const char* message;
    const char* hint;
  };
  const auto row = GENERATE(values<Row>({
      {kTheirs, "belongs to user 1001, not to user 1000", "administrator"},
      {kOpen, "can be entered by others (mode 0750)", "chmod 700 /tmp/clawperator-1000"},
      {kLink, "is no folder", "remove it"},
      {std::nullopt, "is not there", "make it"},
  }));
  Folders there{{kSystem, kTheirs}};
  if (row.common) there[kShared] = *row.common;
  const auto refused = choose(there, std::nullopt);
  REQUIRE_FALSE(refused);
  CHECK(refused.error().code() == errc::runtime_folder_unusable);
  CHECK_THAT(refused.error().message(),
             Catch::Contains(kShared.string()) && Catch::Contains(row.message));
  CHECK_THAT(refused.error().members(),
             Catch::Contains(row.hint) && Catch::Contains("XDG_RUNTIME_DIR"));
  // With a folder of our own it goes on, and says what is lost.
  there[kNamed] = kMine;
  const auto chosen = choose(there, "/named");
  REQUIRE(chosen);
  CHECK(chosen->locks == Paths{kNamed});
  REQUIRE(chosen->warnings.size() == 1);
  CHECK_THAT(chosen->warnings[0], Catch::Contains(row.message));
}

TEST_CASE("runtime folder: locks are where a sandbox wants them, or nowhere", "[device][S8]") {
  const Folders there{{kShared, kMine}, {"/locks", kMine}, {"/open", kOpen}};
  const auto chosen = choose(there, std::nullopt, "/locks");
  REQUIRE(chosen);
  CHECK(chosen->main == kShared);
  CHECK(chosen->locks == Paths{"/locks"});
  const auto refused = choose(there, std::nullopt, "/open");
  REQUIRE_FALSE(refused);
  CHECK(refused.error().code() == errc::runtime_folder_unusable);
  CHECK_THAT(refused.error().members(), Catch::Contains("CLAWPERATOR_LOCK_DIR"));
}

TEST_CASE("runtime folder: what is looked at is the folder itself", "[device][S8]") {
  const TempFolder folder;
  CHECK(is_private_folder(folder.path()));
  fs::create_directory_symlink(folder.path(), folder.path() / "link");
  CHECK_FALSE(is_private_folder(folder.path() / "link"));
  write_text(folder.path() / "file", "");
  CHECK_FALSE(is_private_folder(folder.path() / "file"));
  CHECK_FALSE(is_private_folder(folder.path() / "absent"));
  fs::create_directory(folder.path() / "open");
  fs::permissions(folder.path() / "open", fs::perms(0755));
  CHECK_FALSE(is_private_folder(folder.path() / "open"));
}

TEST_CASE("runtime folder: TMPDIR changes nothing", "[device][S8]") {
  const TempFolder folder;
  const Variable none("XDG_RUNTIME_DIR", std::nullopt);
  const Variable locks("CLAWPERATOR_LOCK_DIR", std::nullopt);
  const auto before = runtime_folders();
  REQUIRE(before);
  const Variable temp("TMPDIR", folder.path().string());
  const auto now = runtime_folders();
  REQUIRE(now);
  CHECK(now->main == before->main);
  CHECK(now->locks == before->locks);
  CHECK(fs::is_empty(folder.path()));
}
