#include "skills/agent/skills_watcher.hpp"

#include <catch2/catch.hpp>
#include <chrono>
#include <string>

#include "base/errc.hpp"
#include "support/manual_time.hpp"
#include "support/print_result.hpp"
#include "support/temp_folder.hpp"

using namespace adbproto::testing;
using namespace clawperator::agent_skills;
using std::chrono::milliseconds;

namespace {

// A watcher of one folder; real files, and a time that is moved by hand.
struct WatcherBench {
  explicit WatcherBench(milliseconds debounce = milliseconds(250)) {
    write_text(root / "a/SKILL.md", "x");
    watcher.emplace(loop.executor(), WatchOptions{.roots = {root}, .debounce = debounce});
    REQUIRE(loop.run(watcher->start()));
  }
  void write(const std::string& path) const { write_text(root / path, "more"); }
  [[nodiscard]] std::string name(const std::string& path) const { return (root / path).string(); }

  ManualTime time;
  Loop loop;
  TempFolder folder;
  std::filesystem::path root = folder.path() / "skills";
  std::optional<SkillsWatcher> watcher;
};

std::string path_of(const std::shared_ptr<Started<WatchEvent>>& event) {
  REQUIRE(event->done());
  const auto result = event->result();
  REQUIRE(result);
  return result->changed_path;
}

}  // namespace

TEST_CASE("skills watcher: a burst is reported once, when it is over", "[watch]") {
  WatcherBench bench;
  const auto event = bench.loop.start(bench.watcher->next());
  bench.write("a/1");
  bench.time.advance(bench.loop, milliseconds(249));
  bench.write("a/2");
  bench.time.advance(bench.loop, milliseconds(1));
  CHECK_FALSE(event->done());
  bench.time.advance(bench.loop, milliseconds(248));
  CHECK_FALSE(event->done());
  bench.time.advance(bench.loop, milliseconds(2));
  CHECK(path_of(event) == bench.name("a/2"));
  const auto nothing = bench.loop.start(bench.watcher->next());
  bench.time.advance(bench.loop, std::chrono::hours(3));
  CHECK_FALSE(nothing->done());
  bench.write("a/3");
  bench.time.advance(bench.loop, milliseconds(0));
  bench.time.advance(bench.loop, milliseconds(250));
  CHECK(path_of(nothing) == bench.name("a/3"));
}

TEST_CASE("skills watcher: changes without an end are reported after five seconds", "[watch]") {
  WatcherBench bench;
  const auto event = bench.loop.start(bench.watcher->next());
  for (int i = 0; i < 49; ++i) {
    bench.write("a/" + std::to_string(i));
    bench.time.advance(bench.loop, milliseconds(100));
    REQUIRE_FALSE(event->done());
  }
  bench.write("a/last");
  bench.time.advance(bench.loop, milliseconds(0));
  bench.time.advance(bench.loop, milliseconds(100));
  CHECK(path_of(event) == bench.name("a/last"));
}

TEST_CASE("skills watcher: a folder that comes with its files is looked at first", "[watch]") {
  WatcherBench bench(milliseconds(0));
  const auto event = bench.loop.start(bench.watcher->next());
  bench.write("new/deep/SKILL.md");
  bench.time.advance(bench.loop, milliseconds(50));
  bench.time.advance(bench.loop, milliseconds(0));
  CHECK(path_of(event) == bench.name("new/deep/SKILL.md"));
}

TEST_CASE("skills watcher: who stops listening hears it the next time", "[watch]") {
  WatcherBench bench;
  const auto first = bench.loop.start(bench.watcher->next());
  bench.write("a/1");
  bench.time.advance(bench.loop, milliseconds(100));
  first->cancel();
  bench.loop.settle_with_pool();
  REQUIRE(first->done());
  const auto second = bench.loop.start(bench.watcher->next());
  bench.time.advance(bench.loop, milliseconds(0));
  CHECK_FALSE(second->done());
  bench.time.advance(bench.loop, milliseconds(150));
  CHECK(path_of(second) == bench.name("a/1"));
}
