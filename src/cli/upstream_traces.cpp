#include "cli/upstream_traces.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/files.hpp"
#include "base/json_document.hpp"
#include "base/number.hpp"
#include "base/text.hpp"
#include "cli/environment_table.hpp"

namespace clawperator::cli {
namespace {

namespace fs = std::filesystem;

using Traces = std::vector<UpstreamTrace>;

// Since 1.0 upstream uses its new name everywhere.
constexpr std::string_view kOldName = "clawperator";
constexpr std::string_view kNewName = "androperator";
constexpr std::string_view kNewPrefix = "ANDROPERATOR_";

fs::path state_folder_of(const UpstreamPlaces& places, std::string_view name) {
  return places.home / ("." + std::string(name));
}

std::string version_of_package(const fs::path& folder) {
  constexpr std::size_t kMaxPackageFile = 1 << 20;  // npm's have a few KiB
  const fs::path file = folder / "package.json";
  const auto text =
      is_plain_file(file) ? read_file(file, kMaxPackageFile) : Result<std::string>(std::string());
  const auto json = text ? read_json(*text, kMaxPackageFile) : Result<Json>(fail(errc::io, ""));
  const std::string* version = json ? string_member(*json, "version") : nullptr;
  return version ? *version : std::string();
}

struct NpmPackage {
  std::string name{};
  std::string text{};  // "npm's clawperator 0.12.5"
};

// Read from a program's resolved path: .../node_modules/PACKAGE/... Empty for other programs.
NpmPackage npm_package_of(const fs::path& program) {
  for (fs::path folder = program.parent_path(); folder.has_relative_path();
       folder = folder.parent_path()) {
    const fs::path above = folder.parent_path();
    const bool is_scoped = above.filename().native().starts_with('@');
    const fs::path modules = is_scoped ? above.parent_path() : above;
    if (modules.filename() != "node_modules") continue;
    const std::string name = folder.lexically_relative(modules).string();
    const std::string version = version_of_package(folder);
    return {name, "npm's " + name + (version.empty() ? "" : " " + version)};
  }
  return {};
}

void add_programs(const UpstreamPlaces& places, Traces* traces) {
  for (const fs::path& program : places.programs) {
    std::error_code gone;
    const NpmPackage package = npm_package_of(fs::canonical(program, gone));
    const std::string note = package.text.empty() ? "another program" : package.text;
    if (program.filename() == kNewName) {
      traces->push_back(
          {"program", program.string(), Standing::apart, note + "; it has a name of its own", ""});
    } else {
      traces->push_back({"program", program.string(), Standing::clash,
                         note + "; PATH decides which of the two `clawperator` is",
                         package.name == kOldName ? "npm uninstall --global clawperator"
                                                  : "put this program's folder first in PATH"});
    }
  }
}

// True if the folder has a regular file with such a name.
bool has_file(const fs::path& folder, std::string_view start, std::string_view end) {
  std::error_code ignored;
  return std::ranges::any_of(entries_in(folder, ignored), [&](const auto& entry) {
    const std::string name = entry.path().filename().string();
    return name.starts_with(start) && name.ends_with(end);
  });
}

void add_folder(const fs::path& state, bool is_shared, bool has_own_skills, Traces* traces) {
  const auto add = [&](const char* what, const fs::path& path, const char* shared) {
    traces->push_back({what, path.string(), is_shared ? Standing::shared : Standing::apart,
                       is_shared ? shared : "this program does not read it", ""});
  };
  const std::string name = state.filename().string().substr(1);
  if (has_file(state / "logs", name + "-", ".log")) {
    add("logs", state / "logs", "both write a file a day; `clawperator logs` shows both");
  }
  const fs::path skills = state / "skills";
  if (is_folder(skills)) {
    add("skills", skills,
        "both use this checkout; `clawperator skills update` brings it up to date");
    if (!is_shared && !has_own_skills) {
      traces->back() = {"skills", skills.string(), Standing::todo,
                        "this program has no skills yet, and reads others than these",
                        std::string(kInstallSkills)};
    }
  }
  if (is_there(skills / "skills/skills-registry.json")) {
    add("registry", skills / "skills/skills-registry.json",
        "`clawperator skills list` reads it, too");
  }
  if (has_file(state / "downloads", "operator", ".apk")) {
    add("downloads", state / "downloads", "`clawperator operator setup` installs from there, too");
  }
}

void add_daemons(const UpstreamPlaces& places, const fs::path& state, std::string_view program,
                 Traces* traces) {
  constexpr std::size_t kMaxPidFile = 64;  // one number
  std::error_code ignored;
  for (const auto& entry : entries_in(state, ignored)) {
    const std::string name = entry.path().filename().string();
    if (!name.starts_with("daemon-") || !name.ends_with(".pid")) continue;
    if (!is_plain_file(entry.path())) continue;
    const auto text = read_file(entry.path(), kMaxPidFile);
    const auto process = text ? whole_number<int>(trimmed(*text)) : std::optional<int>();
    if (process && *process > 0 && places.is_running(*process)) {
      traces->push_back({"daemon", entry.path().string(), Standing::clash,
                         "process " + std::to_string(*process) +
                             " runs; it and this program do not wait for each other at a phone",
                         std::string(program) + " daemon stop, by upstream's program"});
    } else {
      traces->push_back(
          {"daemon", entry.path().string(), Standing::apart, "no such process runs any more", ""});
    }
  }
}

void add_variables(const UpstreamPlaces& places, Traces* traces) {
  for (const std::string& variable : places.variables) {
    const std::string name = variable.substr(0, variable.find('='));
    if (!name.starts_with(kNewPrefix)) continue;
    const std::string ours = "CLAWPERATOR_" + name.substr(kNewPrefix.size());
    const bool is_known = std::ranges::any_of(
        environment_table(), [&](const auto& known) { return known.name == ours; });
    traces->push_back(
        {"environment", name, is_known ? Standing::clash : Standing::apart,
         is_known ? "this program reads " + ours + " instead" : "this program has no such setting",
         is_known ? "set " + ours + ", too" : ""});
  }
}

}  // namespace

std::string_view name_of(Standing standing) {
  static constexpr std::string_view kNames[] = {"shared", "apart", "clash", "todo"};
  return kNames[static_cast<std::size_t>(standing)];
}

std::vector<UpstreamTrace> find_upstream_traces(const UpstreamPlaces& places) {
  Traces traces;
  add_programs(places, &traces);
  const fs::path old_state = state_folder_of(places, kOldName);
  const fs::path new_state = state_folder_of(places, kNewName);
  const bool has_own_skills = is_folder(old_state / "skills");
  add_folder(old_state, true, has_own_skills, &traces);
  add_folder(new_state, false, has_own_skills, &traces);
  add_daemons(places, old_state, kOldName, &traces);
  add_daemons(places, new_state, kNewName, &traces);
  add_variables(places, &traces);
  return traces;
}

}  // namespace clawperator::cli
