#include "skills/hub/places.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/files.hpp"
#include "base/js_string.hpp"
#include "base/json_document.hpp"
#include "base/system/environment.hpp"
#include "runtime/fetch/http_stream.hpp"

namespace clawperator::hub {

namespace fs = std::filesystem;

namespace {

// A registry and a token; all of it is kept as a document.
constexpr std::size_t kMaxConfig = std::size_t{1} << 20;
constexpr std::string_view kOldSite = "https://clawdhub.com";
constexpr std::string_view kNewSite = "https://clawhub.ai";

std::string given_or_variable(const std::string& given, std::string_view variable) {
  if (!is_blank(given)) return std::string(trim_js(given));
  return std::string(trim_js(hub_variable(variable).value_or("")));
}

// The newer one if it exists, else the older one, else the one of the given names.
fs::path present_of(const fs::path& newer, const fs::path& older, Names names) {
  if (is_there(newer)) return newer;
  if (is_there(older)) return older;
  return names == Names::clawhub ? newer : older;
}

fs::path lock_folder_in(const fs::path& workdir, Names names) {
  return present_of(workdir / ".clawhub", workdir / ".clawdhub", names);
}

fs::path resolved(const fs::path& path) { return fs::absolute(path).lexically_normal(); }

fs::path find_workdir(const PlaceOptions& options,
                      const std::function<fs::path()>& default_workdir) {
  const std::string given = given_or_variable(options.workdir, "CLAWHUB_WORKDIR");
  if (!given.empty()) return resolved(given);
  std::error_code ignored;
  fs::path here = fs::current_path(ignored);
  if (is_there(lock_folder_in(here, options.names))) return here;
  const fs::path otherwise = default_workdir();
  return otherwise.empty() ? here : resolved(otherwise);
}

// The newer name's first; empty where the user's home is unknown.
std::vector<fs::path> config_paths() {
  if (const auto given = hub_variable("CLAWHUB_CONFIG_PATH")) return {*given};
  const fs::path home = config_home();
  if (home.empty()) return {};
  return {home / "clawhub/config.json", home / "clawdhub/config.json"};
}

fs::path config_path(Names names) {
  const auto paths = config_paths();
  if (paths.empty()) return {};
  return present_of(paths.front(), paths.back(), names);
}

Json read_config_document(const fs::path& path) {
  const auto text = read_file(path, kMaxConfig);
  if (!text) return Json::object();
  auto document = read_json(*text, kMaxConfig);
  return document && document->is_object() ? *std::move(document) : Json::object();
}

// A new folder for the file is private to its user; a folder of another user is left unchanged.
Result<void> make_private_folder(const fs::path& folder) {
  std::error_code error;
  if (folder.empty() || fs::exists(folder, error)) return ok();
  fs::create_directories(folder.parent_path(), error);
  if (::mkdir(folder.c_str(), 0700) == 0 || fs::is_directory(folder, error)) return ok();
  return fail(errc::file_write_failed, "cannot create " + folder.string());
}

// The present configuration, to be changed.
Result<Json> config_to_change(const Places& places, const fs::path& path) {
  if (!is_there(path)) return Json::object();
  TRY(const std::string text, with_code(errc::file_unreadable, read_file(path, kMaxConfig)));
  auto document = read_json(text, kMaxConfig);
  if (document && document->is_object()) return *std::move(document);
  TRY(const fs::path file, file_behind(path));
  TRY(const std::string aside, with_code(errc::file_write_failed, keep_damaged(file)));
  places.warn(path.string() + " was damaged; it is " + aside + " now");
  return Json::object();
}

Result<void> write_config_document(const fs::path& path, const Json& document) {
  TRY(const fs::path target, file_behind(path));
  // Other clients have left it readable for all, and an old file keeps its mode.
  ::chmod(target.c_str(), 0600);
  return with_code(errc::file_write_failed,
                   write_file_atomically(target, indent_json(write_json(document)) + "\n",
                                         ParentFolder::created, Durable::yes));
}

}  // namespace

std::string_view name_of(Names names) { return names == Names::clawhub ? "clawhub" : "clawdhub"; }

std::optional<std::string> hub_variable(std::string_view name) {
  auto value = environment_variable(std::string(name).c_str());
  const std::string older = "CLAWDHUB" + std::string(name.substr(name.find('_')));
  if (!value) value = environment_variable(older.c_str());
  return value;
}

Result<std::string> checked_base(std::string_view what, std::string_view url) {
  const bool is_base = check_url(url).has_value() && url.find_first_of("?#") == url.npos;
  if (!is_base) {
    return fail(errc::usage, std::string(what) +
                                 " must be an https URL without ? and #, or http "
                                 "to this computer");
  }
  return std::string(url.substr(0, url.find_last_not_of('/') + 1));
}

std::string_view origin_of(std::string_view url) {
  const auto scheme = url.find("://");
  return scheme == url.npos ? url : url.substr(0, url.find('/', scheme + 3));
}

Result<Places> find_places(const PlaceOptions& options,
                           const std::function<fs::path()>& default_workdir) {
  Places places;
  places.names = options.names;
  places.workdir = find_workdir(options, default_workdir);
  places.skills =
      (places.workdir / (is_blank(options.dir) ? "skills" : options.dir)).lexically_normal();
  if (!places.skills.has_filename()) places.skills = places.skills.parent_path();
  places.lock_folder = lock_folder_in(places.workdir, options.names);
  if (is_marker(places.skills.filename().string())) {
    return fail(errc::usage,
                "the folder of skills is one of a lock file: " + places.skills.string());
  }
  places.site = given_or_variable(options.site, "CLAWHUB_SITE");
  places.is_site_given = !places.site.empty();
  if (places.site.empty()) places.site = options.names == Names::clawhub ? kNewSite : kOldSite;
  TRY(places.site, checked_base("the hub's site", places.site));
  places.registry = given_or_variable(options.registry, "CLAWHUB_REGISTRY");
  if (!places.registry.empty()) {
    TRY(places.registry, checked_base("the hub's registry", places.registry));
  }
  return places;
}

bool is_marker(std::string_view folder_name) {
  return folder_name == ".clawhub" || folder_name == ".clawdhub";
}

bool is_token(std::string_view text) {
  constexpr std::size_t kShortest = 8;  // a shorter one could occur in any answer
  constexpr std::size_t kLongest = 4096;
  const auto shows = [](char c) { return c > ' ' && c < '\x7f'; };
  return text.size() >= kShortest && text.size() <= kLongest && std::ranges::all_of(text, shows);
}

HubConfig read_hub_config(Names names) {
  const Json document = read_config_document(config_path(names));
  HubConfig config;
  if (const std::string* text = string_member(document, "registry")) {
    config.registry = trim_js(*text);
  }
  if (const std::string* text = string_member(document, "token")) {
    if (is_token(trim_js(*text))) config.token = trim_js(*text);
  }
  return config;
}

Result<fs::path> write_hub_config(const Places& places, const HubConfig& config) {
  fs::path path = config_path(places.names);
  if (path.empty()) return fail(errc::file_write_failed, "HOME is not set");
  TRY(Json document, config_to_change(places, path));
  document["registry"] = config.registry;
  document.erase("token");
  if (!config.token.empty()) document["token"] = config.token;
  TRY_VOID(make_private_folder(path.parent_path()));
  TRY_VOID(write_config_document(path, document));
  return path;
}

Result<void> forget_token() {
  for (const fs::path& path : config_paths()) {
    Json document = read_config_document(path);
    if (document.erase("token") == 0) continue;
    TRY_VOID(write_config_document(path, document));
  }
  return ok();
}

}  // namespace clawperator::hub
