#include "skills/agent/workspace.hpp"

#include <dirent.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <mutex>
#include <nlohmann/json.hpp>
#include <unordered_map>
#include <unordered_set>

#include "base/error_members.hpp"
#include "base/files.hpp"
#include "base/js_string.hpp"
#include "base/own_program.hpp"
#include "base/system/environment.hpp"
#include "base/text.hpp"
#include "skills/agent/rules/errc.hpp"
#include "skills/agent/skill_files.hpp"

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

// The first spelling whose folder or file exists, else the newest one.
const Spelling& present_in(const fs::path& folder, const char* Spelling::* name) {
  const auto is_present = [&](const Spelling& each) { return is_there(folder / each.*name); };
  const auto* const found = std::ranges::find_if(kSpellings, is_present);
  return found == kSpellings.end() ? kSpellings[0] : *found;
}

const Spelling& state_spelling(const fs::path& home, fs::path* state) {
  std::string value;
  if (const Spelling* spelling = given("_STATE_DIR", &value)) {
    *state = absolute_path(value);
    return *spelling;
  }
  const Spelling& found = present_in(home, &Spelling::folder);
  *state = home / found.folder;
  return found;
}

fs::path config_file(const fs::path& state) {
  std::string value;
  if (given("_CONFIG_PATH", &value) != nullptr) return absolute_path(value);
  return state / present_in(state, &Spelling::file).file;
}

fs::path bundled_folder() {
  std::string value;
  if (given("_BUNDLED_SKILLS_DIR", &value) != nullptr) return absolute_path(value);
  const fs::path program = own_program();
  if (program.empty()) return {};
  const fs::path folder = program.parent_path();
  if (is_there(folder / "skills")) return folder / "skills";
  return own_folder("share/clawperator/skills");
}

fs::path user_home() {
  std::error_code ignored;
  if (const fs::path home = home_folder(); !home.empty()) return fs::absolute(home, ignored);
  return "/nonexistent";
}

Result<std::string> read_plain_file(const fs::path& path) {
  TRY(auto text, read_config_file(path));
  if (text) return *std::move(text);
  return fail(errc::file_unreadable, path.string() + " is not there");
}

std::optional<std::string> variable_of_user(const std::string& name) {
  return environment_variable(name.c_str());
}

ConfigReading config_reading(std::vector<std::string>* warnings) {
  ConfigReading reading;
  reading.warn = [warnings](std::string text) { warnings->push_back(std::move(text)); };
  reading.read = [](const std::string& path, std::string* resolved) {
    const fs::path from = fs::path(*resolved).parent_path();
    const fs::path meant = path.starts_with("~") ? absolute_path(path) : from / path;
    *resolved = meant.lexically_normal().string();
    return read_plain_file(*resolved);
  };
  reading.variable = variable_of_user;
  return reading;
}

// Adds the file's path to the message and to the details.
std::unexpected<Error> in_file(const fs::path& path, const Error& error) {
  ErrorMembers details;
  if (error.members().empty()) details.strings("problems", std::vector{error.message()});
  const Error whole(error.code(), path.string() + ": " + error.message(), error.members());
  return std::unexpected(with_details(whole, details.text("path", path.string())));
}

// Of a repeated name the last skill counts, at the place of the first one.
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

std::string platform_name() {
  utsname system{};
  if (::uname(&system) != 0) return "linux";
  return ascii_lower(system.sysname);  // linux, darwin
}

std::vector<std::string> folders_of(std::string_view path) {
  std::vector<std::string> folders;
  for (const std::string_view folder : split(path, ':')) {
    if (!folder.empty()) folders.emplace_back(folder);
  }
  return folders;
}

// The content of a PATH's folders.
struct Listing {
  std::string path{};
  std::vector<Stamp> stamps{};  // of its folders
  std::unordered_set<std::string> names{};
  std::vector<std::string> unread{};  // folders that cannot be listed
};

std::vector<Stamp> stamps_of(const std::vector<std::string>& folders) {
  const std::int64_t now = file_clock_now();
  std::vector<Stamp> stamps;
  for (const std::string& folder : folders) {
    struct stat found{};
    const bool is_there = ::stat(folder.c_str(), &found) == 0;
    stamps.push_back(is_there ? stamp_of(found, now) : Stamp{.is_settled = true});
  }
  return stamps;
}

Listing read_folders(std::vector<Stamp> stamps, const std::vector<std::string>& folders) {
  Listing listing{.stamps = std::move(stamps)};
  for (const std::string& folder : folders) {
    DIR* open = ::opendir(folder.c_str());
    if (open == nullptr) {
      listing.unread.push_back(folder);
      continue;
    }
    while (const dirent* each = ::readdir(open)) listing.names.emplace(each->d_name);
    ::closedir(open);
  }
  return listing;
}

// The last listing of the folders, while it is still true.
class KeptListing {
 public:
  // Null where it would have to be read again and `read` is not set.
  std::shared_ptr<const Listing> get(const std::string& path,
                                     const std::vector<std::string>& folders, bool read) {
    const std::scoped_lock lock(mutex_);
    if (!last_ && !read) return nullptr;
    std::vector<Stamp> stamps = stamps_of(folders);
    const auto confirms = [](const Stamp& now, const Stamp& then) { return now.confirms(then); };
    if (last_ && last_->path == path && std::ranges::equal(stamps, last_->stamps, confirms)) {
      return last_;
    }
    last_ = nullptr;
    if (!read) return nullptr;
    Listing listing = read_folders(std::move(stamps), folders);
    listing.path = path;
    last_ = std::make_shared<const Listing>(std::move(listing));
    return last_;
  }

 private:
  std::mutex mutex_;
  std::shared_ptr<const Listing> last_;
};

KeptListing& kept_listing() {
  static KeptListing kept;
  return kept;
}

// The name is joined to each folder, so an absolute name is never found. For many names the folders
// are listed once.
class Programs {
 public:
  bool has(const std::string& bin) {
    if (listing_ && listing_->unread.empty() && !may_be_listed(bin)) return false;
    const auto [found, is_new] = known_.try_emplace(bin, false);
    if (is_new) found->second = look(bin);
    return found->second;
  }

 private:
  [[nodiscard]] bool may_be_listed(const std::string& bin) const {
    return bin.contains('/') || listing_->names.contains(bin);
  }

  bool look(const std::string& bin) {
    if (bin.contains('\0')) return false;
    if (known_.size() == kFew && !listing_) listing_ = kept_listing().get(path_, folders_, true);
    for (const std::string& folder :
         !listing_ || may_be_listed(bin) ? folders_ : listing_->unread) {
      if (::access((folder + "/" + bin).c_str(), X_OK) == 0) return true;
    }
    return false;
  }

  static constexpr std::size_t kFew = 50;

  std::string path_ = environment_variable("PATH").value_or("");
  std::vector<std::string> folders_ = folders_of(path_);
  std::unordered_map<std::string, bool> known_;
  std::shared_ptr<const Listing> listing_ = kept_listing().get(path_, folders_, false);
};

}  // namespace

fs::path absolute_path(std::string_view path) {
  std::error_code ignored;
  const bool is_in_home = path == "~" || path.starts_with("~/");
  const fs::path from = is_in_home ? user_home() : fs::current_path(ignored);
  if (is_in_home) path.remove_prefix(std::min<std::size_t>(2, path.size()));
  const fs::path joined = (from / path).lexically_normal();
  return joined.has_filename() ? joined : joined.parent_path();
}

SkillFolders find_skill_folders() {
  SkillFolders folders;
  const fs::path home = user_home();
  const Spelling& spelling = state_spelling(home, &folders.state);
  folders.config = config_file(folders.state);
  folders.managed = folders.state / "skills";
  folders.bundled = bundled_folder();
  folders.label = spelling.label;
  folders.workspace = &spelling == kSpellings.data() ? folders.state / "workspace" : home / "clawd";
  return folders;
}

Result<std::optional<std::string>> read_config_file(const fs::path& path) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (status.type() == fs::file_type::not_found) return std::nullopt;
  if (error) return cannot("read", path, errc::file_unreadable, error.value());
  if (!fs::is_regular_file(status)) {
    return fail(errc::file_unreadable, path.string() + " is no plain file");
  }
  TRY(std::string text, with_code(errc::file_unreadable, read_file(path, kMaxConfigBytes)));
  return text;
}

Result<Config> load_config(const fs::path& path) {
  TRY(const std::optional<std::string> text, read_config_file(path));
  return text ? read_config_text(*text, path) : read_config(nullptr, variable_of_user);
}

Result<Config> read_config_text(std::string_view text, const fs::path& path) {
  std::vector<std::string> warnings;
  auto document = resolve_config(text, path.string(), config_reading(&warnings));
  if (!document) return in_file(path, document.error());
  auto config = read_config(std::make_shared<const Json>(*std::move(document)), variable_of_user);
  if (!config) return in_file(path, config.error());
  config->warnings.insert(config->warnings.begin(), warnings.begin(), warnings.end());
  for (std::string& warning : config->warnings) warning = path.string() + ": " + warning;
  return config;
}

std::vector<fs::path> watched_roots(const Workspace& workspace) {
  if (!workspace.config.watch) return {};
  std::vector<fs::path> roots{workspace.folders.workspace / "skills", workspace.folders.managed};
  for (const std::string& each : workspace.config.extra_dirs) roots.push_back(absolute_path(each));
  return roots;
}

std::string report_json(const Workspace& workspace, std::span<const StatusRow> rows,
                        Detail detail) {
  const SkillFolders& folders = workspace.folders;
  return report_json(rows, {folders.workspace.string(), folders.managed.string(), folders.label},
                     workspace.config, detail);
}

Result<Workspace> find_workspace(const WorkspaceOptions& options) {
  Workspace workspace{.folders = find_skill_folders()};
  SkillFolders& folders = workspace.folders;
  TRY(workspace.config, load_config(folders.config));
  if (options.agent) TRY_VOID(choose_agent(&workspace.config, *options.agent));
  const std::string& named = workspace.config.workspace;
  if (!named.empty()) folders.workspace = absolute_path(named);
  if (!options.workspace.empty()) folders.workspace = absolute_path(options.workspace.string());
  return workspace;
}

Result<Workspace> load_workspace(const WorkspaceOptions& options, SkillFiles* files) {
  SkillFiles own;
  if (files == nullptr) files = &own;
  TRY(Workspace workspace, find_workspace(options));
  const Config& config = workspace.config;
  const SkillFolders& folders = workspace.folders;
  const ScanRules rules{.contained = options.contained,
                        .max_file_bytes = config.max_file_bytes.value_or(SIZE_MAX),
                        .max_candidates = config.max_per_root.value_or(SIZE_MAX),
                        .max_loaded = config.max_per_source.value_or(SIZE_MAX)};
  std::unordered_map<std::string_view, std::size_t> by_name;
  const auto look = [&](const fs::path& root, Source source) {
    merge(files->below(root, source, rules, &workspace.warnings), &workspace, &by_name);
  };
  for (const std::string& each : config.extra_dirs) look(absolute_path(each), Source::extra);
  look(folders.bundled, Source::bundled);
  look(folders.managed, Source::managed);
  look(folders.workspace / "skills", Source::workspace);
  return workspace;
}

Result<const Entry*> entry_of(const Workspace& workspace, std::string_view name) {
  for (const Entry* entry : workspace.entries) {
    if (entry->skill.name == name) return entry;
  }
  for (const Entry* entry : workspace.entries) {
    if (entry->key() == name) return entry;
  }
  return fail(errc::agent_skill_not_found,
              "there is no agent skill with the name " + in_quotes(name));
}

HostFacts host_facts() {
  HostFacts facts;
  facts.platform = platform_name();
  facts.has_bin = [programs = std::make_shared<Programs>()](const std::string& bin) {
    return programs->has(bin);
  };
  facts.variable = [](const std::string& name) -> std::optional<std::string> {
    if (name.contains('\0')) return std::nullopt;
    const char* value = std::getenv(name.c_str());
    return value == nullptr ? std::nullopt : std::optional<std::string>(value);
  };
  return facts;
}

}  // namespace clawperator::agent_skills
