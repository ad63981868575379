#include "skills/agent/workspace.hpp"

#include <sys/stat.h>

#include <catch2/catch.hpp>
#include <map>
#include <random>
#include <thread>

#include "base/files.hpp"
#include "skills/agent/skill_files.hpp"
#include "support/print_result.hpp"
#include "support/temp_folder.hpp"

using namespace clawperator;
using namespace clawperator::agent_skills;
namespace fs = std::filesystem;

namespace {

std::string skill_text(const std::string& name, const std::string& description) {
  return "---\nname: " + name + "\ndescription: " + description + "\n---\n";
}

std::vector<std::string> names(const Workspace& workspace) {
  std::vector<std::string> found;
  for (const Entry* entry : workspace.entries) found.push_back(entry->skill.name);
  return found;
}

// Of a test: the host's folders in a folder of its own.
class Host {
 public:
  fs::path root() const { return folder_.path(); }

  void write(const fs::path& path, const std::string& text) const {
    REQUIRE(base::write_file_atomically(root() / path, text));
  }

 private:
  adbproto::testing::TempFolder folder_;
  adbproto::testing::Variable state_{"OPENCLAW_STATE_DIR", (root() / "state").string()};
  adbproto::testing::Variable bundled_{"OPENCLAW_BUNDLED_SKILLS_DIR",
                                       (root() / "bundled").string()};
  adbproto::testing::Variable config_{"OPENCLAW_CONFIG_PATH", std::nullopt};
};

}  // namespace

TEST_CASE("workspace: of a name the highest root counts, at the place of the first", "[agent]") {
  const char* const roots[] = {"extra0", "extra1", "bundled", "state/skills", "ws/skills"};
  std::mt19937 random(7);
  for (int round = 0; round < 60; ++round) {
    const Host host;
    host.write("state/openclaw.json", "{skills: {load: {extraDirs: ['" +
                                          (host.root() / "extra0").string() + "', '" +
                                          (host.root() / "extra1").string() + "']}}}");
    std::vector<std::string> order;
    std::map<std::string, std::string> last;
    for (const char* root : roots) {
      for (const std::string name : {"a", "b", "c", "d"}) {  // folders are walked in this order
        if (random() % 2) continue;
        // The folder's name says nothing about the skill's.
        const std::string skill = std::string("s") + static_cast<char>('0' + random() % 5);
        const fs::path file = fs::path(root) / name / "SKILL.md";
        host.write(file, skill_text(skill, file.string()));
        if (!last.contains(skill)) order.push_back(skill);
        last[skill] = file.string();
      }
    }
    const auto workspace = load_workspace({.workspace = host.root() / "ws"});
    REQUIRE(workspace);
    std::vector<std::string> names;
    for (const Entry* entry : workspace->entries) {
      names.push_back(entry->skill.name);
      CHECK(entry->skill.description == last.at(entry->skill.name));
    }
    CHECK(names == order);
  }
}

TEST_CASE("workspace: links are followed once, loops end", "[agent]") {
  const Host host;
  host.write("state/skills/a/SKILL.md", skill_text("a", "x"));
  host.write("outside/SKILL.md", skill_text("out", "x"));
  const fs::path skills = host.root() / "state/skills";
  fs::create_directory_symlink(skills, skills / "a/loop");
  fs::create_directory_symlink(host.root() / "outside", skills / "link");
  fs::create_directory_symlink(host.root() / "outside", skills / "link2");
  fs::create_symlink("nowhere", skills / "broken");
  CHECK(names(*load_workspace({})) == std::vector<std::string>{"a", "out"});
  CHECK(names(*load_workspace({.contained = true})) == std::vector<std::string>{"a"});
}

TEST_CASE("workspace: a file that is a pipe, or has no end of its frontmatter", "[agent]") {
  const Host host;
  fs::create_directories(host.root() / "state/skills/pipe");
  REQUIRE(::mkfifo((host.root() / "state/skills/pipe/SKILL.md").c_str(), 0600) == 0);
  host.write("state/skills/long/SKILL.md", "---\nname: a\n" + std::string(3 << 20, 'x'));
  const auto workspace = load_workspace({});
  REQUIRE(workspace);
  CHECK(workspace->entries.empty());
  REQUIRE(workspace->warnings.size() == 1);
  CHECK(workspace->warnings[0].ends_with("its frontmatter has no end within 1 MiB"));
}

TEST_CASE("workspace: who loads again sees what changed, came and went", "[agent]") {
  const Host host;
  SkillFiles files;
  const auto loaded = [&] {
    std::map<std::string, std::string> found;
    const auto workspace = load_workspace({}, &files);
    REQUIRE(workspace);
    for (const Entry* entry : workspace->entries) {
      found[entry->skill.name] = entry->skill.description;
    }
    return found;
  };
  host.write("state/skills/a/SKILL.md", skill_text("a", "one"));
  CHECK(loaded() == std::map<std::string, std::string>{{"a", "one"}});
  host.write("state/skills/a/SKILL.md", skill_text("a", "two"));
  host.write("state/skills/b/SKILL.md", skill_text("b", "new"));
  CHECK(loaded() == std::map<std::string, std::string>{{"a", "two"}, {"b", "new"}});
  fs::remove_all(host.root() / "state/skills/a");
  CHECK(loaded() == std::map<std::string, std::string>{{"b", "new"}});
  host.write("state/skills/b/SKILL.md", "nothing");
  CHECK(loaded().empty());
}

TEST_CASE("workspace: programs are searched anew when a folder of the PATH changed", "[agent]") {
  const Host host;
  const adbproto::testing::Variable path("PATH", (host.root() / "bin").string());
  std::vector<std::string> many;
  for (int i = 0; i < 60; ++i) many.push_back("tool-" + std::to_string(i));
  const auto found = [&many] {
    const HostFacts facts = host_facts();
    return std::ranges::count_if(many, [&](const std::string& bin) { return facts.has_bin(bin); });
  };
  CHECK(found() == 0);
  host.write("bin/tool-55", "#!/bin/sh\n");
  CHECK(found() == 0);  // no user may run it
  fs::permissions(host.root() / "bin/tool-55", fs::perms::owner_all);
  CHECK(found() == 1);
  // Real time: the file system sets the times. The folder is trusted now.
  std::this_thread::sleep_for(std::chrono::milliseconds(1100));
  CHECK(found() == 1);
  CHECK(found() == 1);
  fs::permissions(host.root() / "bin/tool-55", fs::perms::owner_read);
  CHECK(found() == 0);
  host.write("bin/tool-3", "#!/bin/sh\n");
  fs::permissions(host.root() / "bin/tool-3", fs::perms::owner_all);
  CHECK(found() == 1);
}

TEST_CASE("workspace: what is trusted is not read again, what changed beside it is", "[agent]") {
  const Host host;
  SkillFiles files;
  const auto write = [&host](const std::string& name) {
    const std::string last = name.substr(name.rfind('/') + 1);
    host.write("state/skills/" + name + "/SKILL.md", skill_text(last, last));
  };
  for (const char* name : {"b", "d", "d/inner", "f"}) write(name);
  const auto load = [&files] { return *load_workspace({}, &files); };
  const Workspace first = load();
  CHECK(names(first) == std::vector<std::string>{"b", "d", "inner", "f"});
  // Real time: the file system sets the times. They are trusted now.
  std::this_thread::sleep_for(std::chrono::milliseconds(1100));
  const Workspace second = load();
  const Workspace third = load();
  CHECK(third.entries == second.entries);

  for (const char* name : {"a", "c", "d/deeper/more", "g"}) write(name);
  fs::remove_all(host.root() / "state/skills/f");
  fs::remove(host.root() / "state/skills/b/SKILL.md");
  fs::create_directory_symlink(host.root() / "state/skills/d/inner",
                               host.root() / "state/skills/b/linked");
  const Workspace fourth = load();
  // The link comes first, and no folder is entered twice.
  CHECK(names(fourth) == std::vector<std::string>{"a", "inner", "c", "d", "more", "g"});
  CHECK(fourth.entries[3] == third.entries[1]);
}

TEST_CASE("workspace: three hundred skills are read by several threads", "[agent]") {
  const Host host;
  for (int i = 100; i < 400; ++i) {
    const std::string name = "s" + std::to_string(i);
    host.write("state/skills/" + name + "/SKILL.md", skill_text(name, name));
  }
  const auto workspace = load_workspace({});
  REQUIRE(workspace->entries.size() == 300);
  for (std::size_t i = 0; i < 300; ++i) {
    CHECK(workspace->entries[i]->skill.name == "s" + std::to_string(100 + i));
  }
}

TEST_CASE("workspace: of four hundred that are known it sees what a first look sees", "[agent]") {
  const Host host;
  SkillFiles files;
  const fs::path root = host.root() / "state/skills";
  const auto folder = [](int number) { return "s" + std::to_string(1000 + number); };
  const auto write = [&](int number, const std::string& text) {
    host.write("state/skills/" + folder(number) + "/SKILL.md", skill_text(folder(number), text));
  };
  for (int number = 0; number < 400; ++number) write(number, "first");
  REQUIRE(load_workspace({}, &files)->entries.size() == 400);
  // Real time: the file system sets the times. They are trusted now.
  std::this_thread::sleep_for(std::chrono::milliseconds(1100));
  REQUIRE(load_workspace({}, &files)->entries.size() == 400);

  std::mt19937 random(7);
  const auto any = [&random](unsigned most) { return static_cast<int>(random() % most); };
  for (int round = 0; round < 40; ++round) {
    for (int changes = any(4); changes >= 0; --changes) {
      const int number = any(420);
      const fs::path place = root / folder(number);
      std::error_code ignored;
      switch (any(6)) {
        case 0: fs::remove_all(place, ignored); break;
        case 1: fs::remove(place / "SKILL.md", ignored); break;
        case 2: fs::rename(root / folder(any(420)), place, ignored); break;
        case 3:
          fs::remove_all(place, ignored);
          host.write("state/skills/" + folder(number), "a file now");
          break;
        case 4: fs::create_directory_symlink(root / folder(any(420)), place / "in", ignored); break;
        default:
          if (!fs::is_regular_file(place)) write(number, std::to_string(round));
      }
    }
    const Workspace known = *load_workspace({}, &files);
    SkillFiles nothing_known;
    const Workspace anew = *load_workspace({}, &nothing_known);
    REQUIRE(names(known) == names(anew));
    for (std::size_t i = 0; i < known.entries.size(); ++i) {
      REQUIRE(known.entries[i]->skill.description == anew.entries[i]->skill.description);
      REQUIRE(known.entries[i]->skill.file_path == anew.entries[i]->skill.file_path);
    }
    REQUIRE(known.warnings == anew.warnings);
  }
}
