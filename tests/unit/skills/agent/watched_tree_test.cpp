#include "skills/agent/skills_watcher.hpp"

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <functional>
#include <optional>
#include <string>

#include "support/temp_folder.hpp"

using namespace adbproto::testing;
using namespace clawperator::agent_skills;
namespace fs = std::filesystem;

namespace {

using ChangedPath = std::optional<std::string>;

// A tree below one root; the kernel reports a change before the call that makes it returns.
class TreeBench {
 public:
  explicit TreeBench(const WatchLimits& limits = {}, const std::string& root = "skills")
      : root_(folder_.path() / root), limits_(limits) {}

  void begin() {
    tree_.emplace(std::vector{root_}, limits_);
    REQUIRE(tree_->descriptor() >= 0);
    CHECK(tree_->scan() == std::nullopt);
  }
  // The last path that is reported; scans again whenever the tree requests it.
  ChangedPath last_change() {
    ChangedPath last;
    for (;;) {
      auto reading = tree_->read();
      if (reading.changed) last = std::move(reading.changed);
      if (!reading.scan_again) return last;
      if (auto changed = tree_->scan()) last = std::move(changed);
    }
  }
  ChangedPath after(const std::function<void()>& change) {
    change();
    return last_change();
  }
  [[nodiscard]] fs::path at(const std::string& path) const { return root_ / path; }
  [[nodiscard]] std::string name(const std::string& path) const { return (root_ / path).string(); }
  void write(const std::string& path) const { write_text(at(path), "x"); }
  [[nodiscard]] const fs::path& above() const { return folder_.path(); }
  [[nodiscard]] const fs::path& root() const { return root_; }
  WatchedTree& tree() { return *tree_; }

 private:
  TempFolder folder_;
  fs::path root_;
  WatchLimits limits_;
  std::optional<WatchedTree> tree_;
};

}  // namespace

TEST_CASE("watched tree: a file that comes, changes and goes is reported, whatever its name",
          "[watch]") {
  TreeBench bench;
  bench.write("a/SKILL.md");
  bench.begin();
  CHECK(bench.last_change() == std::nullopt);
  CHECK(bench.after([&] { bench.write("a/notes"); }) == bench.name("a/notes"));
  CHECK(bench.after([&] { bench.write("a/SKILL.md"); }) == bench.name("a/SKILL.md"));
  CHECK(bench.after([&] { bench.write("top"); }) == bench.name("top"));
  CHECK(bench.after([&] { fs::remove(bench.at("a/notes")); }) == bench.name("a/notes"));
  CHECK(bench.after([&] { fs::rename(bench.at("top"), bench.at("a/top")); }) ==
        bench.name("a/top"));
  CHECK(bench.after([&] { fs::rename(bench.at("a/top"), bench.above() / "out"); }) ==
        bench.name("a/top"));
  CHECK(bench.last_change() == std::nullopt);
}

TEST_CASE("watched tree: an empty folder that comes or goes is not reported", "[watch]") {
  TreeBench bench;
  bench.write("a/SKILL.md");
  bench.begin();
  CHECK(bench.after([&] { fs::create_directories(bench.at("new/deep")); }) == std::nullopt);
  CHECK(bench.after([&] { fs::rename(bench.at("new"), bench.at("moved")); }) == std::nullopt);
  CHECK(bench.after([&] { bench.write("moved/deep/x"); }) == bench.name("moved/deep/x"));
  CHECK(bench.after([&] { fs::remove(bench.at("moved/deep/x")); }) == bench.name("moved/deep/x"));
  CHECK(bench.after([&] { fs::remove_all(bench.at("moved")); }) == std::nullopt);
}

TEST_CASE("watched tree: what a folder held before it was watched is reported", "[watch]") {
  TreeBench bench;
  fs::create_directories(bench.root());
  bench.begin();
  CHECK(bench.after([&] { bench.write("b/c/d/SKILL.md"); }) == bench.name("b/c/d/SKILL.md"));
  write_text(bench.above() / "ready/sub/x", "x");
  CHECK(bench.after([&] { fs::rename(bench.above() / "ready", bench.at("ready")); }) ==
        bench.name("ready/sub/x"));
  CHECK(bench.after([&] { bench.write("ready/sub/y"); }) == bench.name("ready/sub/y"));
}

TEST_CASE("watched tree: a folder that goes takes its files along", "[watch]") {
  TreeBench bench;
  bench.write("a/sub/x");
  bench.write("b/y");
  bench.begin();
  CHECK(bench.after([&] { fs::rename(bench.at("a"), bench.above() / "away"); }) ==
        bench.name("a/sub"));
  // It is none of ours out there.
  CHECK(bench.after([&] { write_text(bench.above() / "away/sub/x", "more"); }) == std::nullopt);
  CHECK(bench.after([&] { fs::remove_all(bench.at("b")); }) == bench.name("b/y"));
  CHECK(bench.after([&] { fs::rename(bench.above() / "away", bench.at("back")); }) ==
        bench.name("back/sub/x"));
}

TEST_CASE("watched tree: a folder that is replaced by another one is reported", "[watch]") {
  TreeBench bench;
  bench.write("a/x");
  write_text(bench.above() / "other/x", "y");
  bench.begin();
  const auto replaced = bench.after([&] {
    fs::rename(bench.at("a"), bench.above() / "old");
    fs::rename(bench.above() / "other", bench.at("a"));
  });
  CHECK(replaced == bench.name("a/x"));
  CHECK(bench.after([&] { bench.write("a/x"); }) == bench.name("a/x"));
}

TEST_CASE("watched tree: .git, node_modules and dist are not looked at", "[watch]") {
  TreeBench bench;
  bench.write("a/SKILL.md");
  bench.write("a/.git/HEAD");
  bench.begin();
  for (const char* ignored : {".git", "node_modules", "dist"}) {
    CAPTURE(ignored);
    CHECK(is_unwatched(ignored));
    const std::string inside = "a/" + std::string(ignored) + "/x";
    CHECK(bench.after([&] { bench.write(inside); }) == std::nullopt);
    CHECK(bench.after([&] { bench.write(inside + "y"); }) == std::nullopt);
    CHECK(bench.after([&] { fs::remove_all(bench.at("a") / ignored); }) == std::nullopt);
  }
  CHECK(bench.after([&] { bench.write("dist"); }) == std::nullopt);
  for (const char* near : {".github", "node_modules2", "distant", "git"}) {
    CAPTURE(near);
    CHECK_FALSE(is_unwatched(near));
    CHECK(bench.after([&] { bench.write("a/" + std::string(near) + "/x"); }) ==
          bench.name("a/" + std::string(near) + "/x"));
  }
}

TEST_CASE("watched tree: what lies above a root may be called dist", "[watch]") {
  TreeBench bench({}, "dist/skills");
  bench.begin();
  CHECK(bench.after([&] { bench.write("a/x"); }) == bench.name("a/x"));
}

TEST_CASE("watched tree: a root may come later, go, and come again", "[watch]") {
  TreeBench bench({}, "one/two/skills");
  bench.begin();
  CHECK(bench.after([&] { write_text(bench.above() / "one/else", "x"); }) == std::nullopt);
  CHECK(bench.after([&] { write_text(bench.above() / "one/two/else", "x"); }) == std::nullopt);
  CHECK(bench.after([&] { bench.write("a/SKILL.md"); }) == bench.name("a/SKILL.md"));
  CHECK(bench.after([&] { fs::rename(bench.above() / "one", bench.above() / "gone"); }) ==
        bench.name("a"));
  CHECK(bench.after([&] { write_text(bench.above() / "gone/two/skills/a/x", "x"); }) ==
        std::nullopt);
  CHECK(bench.after([&] { bench.write("b/SKILL.md"); }) == bench.name("b/SKILL.md"));
  CHECK(bench.after([&] { fs::remove_all(bench.root()); }) == bench.name("b/SKILL.md"));
  CHECK(bench.after([&] { bench.write("c"); }) == bench.name("c"));
}

TEST_CASE("watched tree: links to folders are followed, a loop of them ends", "[watch]") {
  TreeBench bench;
  const TempFolder elsewhere;
  write_text(elsewhere.path() / "skill/SKILL.md", "x");
  bench.write("a/x");
  fs::create_directory_symlink("..", bench.at("a/up"));
  fs::create_directory_symlink(bench.above(), bench.at("a/above"));
  fs::create_symlink("nowhere", bench.at("a/broken"));
  bench.begin();
  CHECK(bench.after([&] {
    fs::create_directory_symlink(elsewhere.path() / "skill", bench.at("linked"));
  }) == bench.name("linked/SKILL.md"));
  CHECK(bench.after([&] { write_text(elsewhere.path() / "skill/SKILL.md", "y"); }) ==
        bench.name("linked/SKILL.md"));
  CHECK(bench.after([&] { bench.write("a/y"); }) == bench.name("a/y"));
  CHECK(bench.after([&] { fs::remove(bench.at("linked")); }) == bench.name("linked"));
  CHECK(bench.after([&] { write_text(elsewhere.path() / "skill/SKILL.md", "z"); }) == std::nullopt);
  // A root that a loop leads to is still one.
  CHECK(bench.after([&] { fs::rename(bench.root(), bench.above() / "off"); }));
  CHECK(bench.after([&] { bench.write("again"); }) == bench.name("again"));
}

TEST_CASE("watched tree: what inotify lost is found by looking", "[watch]") {
  TreeBench bench;
  fs::create_directories(bench.at("a"));
  bench.begin();
  // More than the kernel keeps for one reader (fs.inotify.max_queued_events).
  std::ifstream limit_file("/proc/sys/fs/inotify/max_queued_events");
  std::size_t limit = 0;
  REQUIRE(limit_file >> limit);
  const std::size_t enough = limit / 2 + 10;
  for (std::size_t i = 0; i < enough; ++i) {
    // Changes of two files in turn: the kernel drops a repetition of the last one.
    const std::string name = i % 2 == 0 ? "a/even" : "a/odd";
    std::ofstream(bench.at(name)) << i;
  }
  bench.write("late/x");
  CHECK(bench.last_change() == bench.name("late/x"));
  CHECK(bench.after([&] { bench.write("late/y"); }) == bench.name("late/y"));
}

TEST_CASE("watched tree: too many folders are reported once, and the others watched", "[watch]") {
  // The folders on the way, the root, and two more.
  std::size_t way = 2;  // the test's own folder and "/"
  for (fs::path path = fs::temp_directory_path(); path.has_relative_path();
       path = path.parent_path()) {
    ++way;
  }
  TreeBench small({.folders = way + 3});
  for (const char* name : {"a/x", "b/x", "c/x"}) small.write(name);
  small.begin();
  CHECK(small.tree().take_warning().value_or("").starts_with("more than "));
  CHECK(small.tree().take_warning() == std::nullopt);
  CHECK(small.after([&] { small.write("b/y"); }) == small.name("b/y"));
  CHECK(small.after([&] { small.write("c/y"); }) == std::nullopt);
}

TEST_CASE("watched tree: depth and known names are bounded", "[watch]") {
  TreeBench bench({.depth = 2, .files = 3});
  bench.write("a/b/x");
  bench.write("a/b/c/x");
  for (int i = 0; i < 9; ++i) bench.write("many/" + std::to_string(i));
  bench.begin();
  CHECK(bench.after([&] { bench.write("a/b/y"); }) == bench.name("a/b/y"));
  CHECK(bench.after([&] { bench.write("a/b/c/y"); }) == std::nullopt);
  CHECK(bench.after([&] { bench.write("many/8"); }) == bench.name("many/8"));
}

TEST_CASE("watched tree: a skill is watched before what lies deep in another one", "[watch]") {
  TreeBench bench({.folders = 40});
  for (int i = 0; i < 60; ++i) bench.write("a/venv/lib/" + std::to_string(i) + "/x");
  bench.write("a/SKILL.md");
  bench.write("b/SKILL.md");
  bench.write("z/SKILL.md");
  bench.begin();
  for (const char* skill : {"a/SKILL.md", "b/SKILL.md", "z/SKILL.md"}) {
    CHECK(bench.after([&] { bench.write(skill); }) == bench.name(skill));
  }
}

TEST_CASE("watched tree: folders beyond the bound are compared by scans", "[watch]") {
  TreeBench bench({.folders = 20});
  for (int i = 0; i < 60; ++i) bench.write("a/venv/lib/" + std::to_string(i) + "/deep/x");
  bench.write("a/SKILL.md");
  bench.begin();
  CHECK(bench.tree().is_partial());
  CHECK(bench.tree().scan() == std::nullopt);
  CHECK(bench.after([&] { write_text(bench.at("a/venv/lib/59/deep/x"), "longer"); }) ==
        std::nullopt);
  CHECK(bench.tree().scan() == bench.name("a/venv/lib/59/deep"));
  bench.write("a/venv/lib/59/new/y");
  CHECK(bench.tree().scan() == bench.name("a/venv/lib/59/new"));
  fs::remove_all(bench.at("a/venv/lib/59"));
  CHECK(bench.tree().scan());
  CHECK(bench.tree().scan() == std::nullopt);
  fs::remove_all(bench.at("a/venv/lib"));
  CHECK(bench.last_change());
  CHECK(bench.tree().scan() == std::nullopt);
  CHECK_FALSE(bench.tree().is_partial());
}

TEST_CASE("watched tree: what a link leads to may come later, go, and come again", "[watch]") {
  const TempFolder elsewhere;
  const fs::path real = elsewhere.path() / "deep/real";
  for (const char* link : {"skills", "skills/linked", "between"}) {
    CAPTURE(link);
    TreeBench bench({}, fs::path(link) == "between" ? "between/skills" : "skills");
    const fs::path path = bench.above() / link;
    fs::create_directories(path.parent_path());
    fs::create_directory_symlink(real, path);
    const std::string spelled = path.string();
    bench.begin();
    CHECK(bench.after([&] { write_text(real / "skills/x", "x"); }) == spelled + "/skills/x");
    CHECK(bench.after([&] { write_text(real / "skills/x", "y"); }) == spelled + "/skills/x");
    CHECK(bench.after([&] { fs::rename(real.parent_path(), elsewhere.path() / "away"); }));
    CHECK(bench.after([&] { write_text(elsewhere.path() / "away/real/skills/x", "z"); }) ==
          std::nullopt);
    CHECK(bench.after([&] { fs::rename(elsewhere.path() / "away", real.parent_path()); }) ==
          spelled + "/skills/x");
    fs::remove_all(real.parent_path());
  }
}

TEST_CASE("watched tree: links that lead nowhere but to each other end", "[watch]") {
  TreeBench bench;
  fs::create_directories(bench.root());
  fs::create_symlink("b", bench.at("a"));
  fs::create_symlink("a", bench.at("b"));
  fs::create_symlink("self/self", bench.at("self"));
  fs::create_symlink(bench.above() / "one/two", bench.at("c"));
  fs::create_symlink(bench.at("c"), bench.at("d"));
  bench.begin();
  CHECK(bench.after([&] { write_text(bench.above() / "one/two", "x"); }) == bench.name("d"));
  CHECK(bench.after([&] { fs::remove(bench.at("a")); }) == std::nullopt);
}

TEST_CASE("watched tree: what a hub's client unpacks is none of ours, what it puts in place is",
          "[watch]") {
  TreeBench bench;
  bench.write("demo/SKILL.md");
  bench.begin();
  const std::string part = ".demo.0123456789abcdef.part";
  CHECK(is_unwatched(part));
  CHECK(is_unwatched(".hub-replaced"));
  CHECK(bench.after([&] { bench.write(part + "/new/SKILL.md"); }) == std::nullopt);
  CHECK(bench.after([&] { bench.write(part + "/inode"); }) == std::nullopt);
  CHECK(bench.after([&] {
    fs::create_directories(bench.at(".hub-replaced"));
    fs::rename(bench.at("demo"), bench.at(".hub-replaced/demo-1"));
    fs::rename(bench.at(part + "/new"), bench.at("demo"));
  }) == bench.name("demo/SKILL.md"));
  CHECK(bench.after([&] { bench.write(".hub-replaced/demo-1/SKILL.md"); }) == std::nullopt);
  CHECK(bench.after([&] { fs::remove_all(bench.at(part)); }) == std::nullopt);
  CHECK(bench.after([&] { bench.write("demo/SKILL.md"); }) == bench.name("demo/SKILL.md"));
  for (const char* near : {".demo.part", ".demo.0123456789abcde.part", "..0123456789abcdef.part",
                           "demo.0123456789abcdef.part", ".demo.0123456789abcdeF.part"}) {
    CHECK_FALSE(is_unwatched(near));
  }
}
