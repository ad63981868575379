#include "skills/workspace/workspace.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <unordered_map>

#include "base/files.hpp"
#include "base/text.hpp"
#include "runtime/contract/errc.hpp"
#include "runtime/contract/error_members.hpp"
#include "runtime/device/environment.hpp"
#include "skills/workspace/skill_files.hpp"

namespace clawperator::agent_skills {

namespace fs = std::filesystem;

namespace {

Result<std::string> read_plain_file(const fs::path& path) {
  TRY(auto text, read_config_file(path));
  if (text) return *std::move(text);
  return fail(errc::file_unreadable, path.string() + " is not there");
}

ConfigReading config_reading() {
  ConfigReading reading;
  reading.read = [](const std::string& path, std::string* resolved) {
    const fs::path from = fs::path(*resolved).parent_path();
    const fs::path meant = path.starts_with("~") ? absolute_path(path) : from / path;
    *resolved = meant.lexically_normal().string();
    return read_plain_file(*resolved);
  };
  reading.variable = [](const std::string& name) { return environment_variable(name.c_str()); };
  return reading;
}

// With the file's path in front of what is wrong in it, and in the details.
std::unexpected<Error> in_file(const fs::path& path, const Error& error) {
  std::string members = error.members();
  if (members.empty()) {
    const std::vector<std::string> problems{error.message()};
    members = ErrorMembers().object("details", ErrorMembers().strings("problems", problems)).str();
  }
  return fail(error.code(), path.string() + ": " + error.message(), members);
}

// What is found last of a name counts, where the first of them stood.
void merge(std::vector<std::shared_ptr<const Entry>> found, Workspace* workspace,
           std::unordered_map<std::string_view, std::size_t>* by_name) {
  for (std::shared_ptr<const Entry>& entry : found) {
    const auto [at, is_new] = by_name->try_emplace(entry->skill.name, workspace->entries.size());
    if (is_new) {
      workspace->entries.push_back(entry.get());
    } else {
      const Entry*& hidden = workspace->entries[at->second];
      if (hidden->skill.file_path != entry->skill.file_path) {
        workspace->warnings.push_back(hidden->skill.file_path + ": hidden by " +
                                      entry->skill.file_path + ", which has the same name");
      }
      hidden = entry.get();
    }
    workspace->kept.push_back(std::move(entry));
  }
}

}  // namespace

Result<std::optional<std::string>> read_config_file(const fs::path& path) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (status.type() == fs::file_type::not_found) return std::nullopt;
  if (error) {
    return fail(errc::file_unreadable, "cannot read " + path.string() + ": " + error.message());
  }
  if (!fs::is_regular_file(status)) {
    return fail(errc::file_unreadable, path.string() + " is no plain file");
  }
  auto text = read_file(path, kMaxConfigBytes);
  if (!text) return fail(errc::file_unreadable, text.error().message());
  return *std::move(text);
}

Result<Config> load_config(const fs::path& path) {
  TRY(const std::optional<std::string> text, read_config_file(path));
  return text ? read_config_text(*text, path) : read_config(nullptr);
}

Result<Config> read_config_text(std::string_view text, const fs::path& path) {
  auto document = resolve_config(text, path.string(), config_reading());
  if (!document) return in_file(path, document.error());
  auto config = read_config(std::make_shared<const Json>(*std::move(document)));
  if (!config) return in_file(path, config.error());
  return config;
}

std::vector<fs::path> watched_roots(const Places& places, const Config& config) {
  std::vector<fs::path> roots{places.workspace / "skills", places.managed};
  for (const std::string& each : config.extra_dirs) roots.push_back(absolute_path(each));
  return roots;
}

Result<Workspace> find_workspace(const WorkspaceOptions& options) {
  Workspace workspace{.places = find_places()};
  Places& places = workspace.places;
  TRY(workspace.config, load_config(places.config));
  const std::string& named = workspace.config.workspace;
  if (!named.empty()) places.workspace = absolute_path(named);
  if (!options.workspace.empty()) places.workspace = absolute_path(options.workspace.string());
  return workspace;
}

Result<Workspace> load_workspace(const WorkspaceOptions& options, SkillFiles* files) {
  SkillFiles own;
  if (files == nullptr) files = &own;
  TRY(Workspace workspace, find_workspace(options));
  const Config& config = workspace.config;
  const Places& places = workspace.places;
  const ScanRules rules{.contained = options.contained,
                        .max_file_bytes = config.max_file_bytes.value_or(SIZE_MAX),
                        .max_candidates = config.max_per_root.value_or(SIZE_MAX),
                        .max_loaded = config.max_per_source.value_or(SIZE_MAX)};
  std::unordered_map<std::string_view, std::size_t> by_name;
  const auto look = [&](const fs::path& root, Source source) {
    merge(files->below(root, source, rules, &workspace.warnings), &workspace, &by_name);
  };
  for (const std::string& each : config.extra_dirs) look(absolute_path(each), Source::extra);
  look(places.bundled, Source::bundled);
  look(places.managed, Source::managed);
  look(places.workspace / "skills", Source::workspace);
  return workspace;
}

Result<const Entry*> entry_of(const Workspace& workspace, std::string_view name) {
  for (const Entry* entry : workspace.entries) {
    if (entry->skill.name == name) return entry;
  }
  for (const Entry* entry : workspace.entries) {
    if (entry->key() == name) return entry;
  }
  return fail(errc::agent_skill_not_found, "no agent skill is called " + in_quotes(name));
}

}  // namespace clawperator::agent_skills
