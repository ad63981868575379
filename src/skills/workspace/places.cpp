// Where the agent's host keeps its files, by whichever of its names it was installed.

#include <pwd.h>
#include <unistd.h>

#include <array>

#include "runtime/contract/js_string.hpp"
#include "runtime/device/environment.hpp"
#include "skills/workspace/workspace.hpp"

namespace clawperator::agent_skills {

namespace fs = std::filesystem;

namespace {

struct Spelling {
  const char* prefix;  // of variables; empty: it has none
  const char* folder;
  const char* file;
  const char* label;
};

// Newest first.
constexpr std::array<Spelling, 5> kSpellings{{
    {"OPENCLAW", ".openclaw", "openclaw.json", "openclaw"},
    {"CLAWDBOT", ".clawdbot", "clawdbot.json", "clawdbot"},
    {"", ".moltbot", "moltbot.json", "openclaw"},
    {"", ".moldbot", "moldbot.json", "openclaw"},
    {"CLAWDIS", ".clawdis", "clawdis.json", "clawdis"},
}};

bool is_there(const fs::path& path) {
  std::error_code ignored;
  return fs::exists(path, ignored);
}

std::string variable_of(const Spelling& spelling, const char* suffix) {
  if (*spelling.prefix == '\0') return {};
  const auto value = environment_variable((std::string(spelling.prefix) + suffix).c_str());
  return value ? std::string(trim_js(*value)) : std::string();
}

// The first spelling that has the variable, and its value.
const Spelling* given(const char* suffix, std::string* value) {
  for (const Spelling& spelling : kSpellings) {
    *value = variable_of(spelling, suffix);
    if (!value->empty()) return &spelling;
  }
  return nullptr;
}

const Spelling& state_spelling(const fs::path& home, fs::path* state) {
  std::string value;
  if (const Spelling* spelling = given("_STATE_DIR", &value)) {
    *state = absolute_path(value);
    return *spelling;
  }
  const Spelling* found = kSpellings.data();
  for (const Spelling& spelling : kSpellings) {
    if (!is_there(home / spelling.folder)) continue;
    found = &spelling;
    break;
  }
  *state = home / found->folder;
  return *found;
}

fs::path config_file(const fs::path& state) {
  std::string value;
  if (given("_CONFIG_PATH", &value) != nullptr) return absolute_path(value);
  for (const Spelling& spelling : kSpellings) {
    if (is_there(state / spelling.file)) return state / spelling.file;
  }
  return state / kSpellings[0].file;
}

fs::path bundled_folder() {
  std::string value;
  if (given("_BUNDLED_SKILLS_DIR", &value) != nullptr) return absolute_path(value);
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  if (error) return {};
  const fs::path folder = program.parent_path();
  for (const fs::path& place : {folder / "skills", folder / "../share/clawperator/skills"}) {
    if (is_there(place)) return place.lexically_normal();
  }
  return {};
}

// As the system knows it, where HOME does not say.
fs::path home_folder() {
  std::error_code ignored;
  if (const auto home = environment_variable("HOME")) return fs::absolute(*home, ignored);
  const passwd* user = ::getpwuid(::getuid());
  const bool is_told = user != nullptr && user->pw_dir != nullptr && *user->pw_dir == '/';
  return is_told ? user->pw_dir : "/nonexistent";
}

}  // namespace

fs::path absolute_path(std::string_view path) {
  std::error_code ignored;
  const bool is_in_home = path == "~" || path.starts_with("~/");
  const fs::path from = is_in_home ? home_folder() : fs::current_path(ignored);
  if (is_in_home) path.remove_prefix(std::min<std::size_t>(2, path.size()));
  const fs::path joined = (from / path).lexically_normal();
  return joined.has_filename() ? joined : joined.parent_path();
}

Places find_places() {
  Places places;
  const fs::path home = home_folder();
  const Spelling& spelling = state_spelling(home, &places.state);
  places.config = config_file(places.state);
  places.managed = places.state / "skills";
  places.bundled = bundled_folder();
  places.label = spelling.label;
  places.workspace = &spelling == kSpellings.data() ? places.state / "workspace" : home / "clawd";
  return places;
}

}  // namespace clawperator::agent_skills
