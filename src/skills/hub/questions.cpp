#include "skills/hub/questions.hpp"

#include <algorithm>

#include "base/files.hpp"
#include "base/js_string.hpp"
#include "base/json_text.hpp"
#include "base/random.hpp"
#include "base/text.hpp"
#include "skills/hub/client.hpp"
#include "skills/hub/local_skill.hpp"
#include "skills/hub/names.hpp"

namespace clawperator::hub {

namespace fs = std::filesystem;

namespace {

// The hub server's name for an order.
std::string api_sort(std::string_view sort) {
  if (sort == "rating") return "stars";
  return sort == "installs" ? "installsCurrent" : std::string(sort);
}

Result<Account> account_of(const Client& client) {
  TRY(const std::string text, client.ask({.path = "/api/v1/whoami", .with_token = true}));
  return read_account(text);
}

constexpr std::size_t kMaxPublished = std::size_t{50} << 20;  // of all files

std::string_view type_of(std::string_view path) {
  const std::string lower = ascii_lower(path);
  if (lower.ends_with(".md")) return "text/markdown";
  return lower.ends_with(".json") ? "application/json" : "text/plain";
}

// As browsers name the files of a form.
std::string form_name(std::string_view path) {
  std::string name;
  for (const char c : path) {
    const bool is_escaped = c == '"' || c == '\r' || c == '\n';
    name += is_escaped ? percent_encoded({&c, 1}) : std::string(1, c);
  }
  return name;
}

bool is_manual(const FormFile& file) {
  const std::string lower = ascii_lower(file.path);
  return lower == "skill.md" || lower == "skills.md";
}

// The text files, which are the ones that the hub accepts.
Result<std::vector<FormFile>> read_files(const fs::path& folder, const std::stop_token& stop) {
  TRY(const LocalSkill local, read_local_skill(folder, stop));
  if (local.unread) return std::unexpected(*local.unread);
  std::vector<FormFile> files;
  std::size_t left = kMaxPublished;
  for (const HashedFile& file : local.text_files()) {
    auto bytes = read_file(folder / file.path, left);
    if (!bytes && bytes.error().code() == errc::limit) {
      return fail(errc::usage, "a skill has 50 MiB at most: " + folder.string());
    }
    if (!bytes) return std::unexpected(bytes.error());
    left -= bytes->size();
    files.push_back({file.path, *std::move(bytes)});
  }
  if (files.empty()) return fail(errc::usage, "No files found in " + folder.string());
  if (std::ranges::none_of(files, is_manual)) {
    return fail(errc::usage, "SKILL.md required in " + folder.string());
  }
  return files;
}

Result<JsonObject> fork_json(std::string_view fork_of) {
  const auto at = fork_of.find('@');
  JsonObject fork;
  TRY(const std::string slug, checked_slug(fork_of.substr(0, at)));
  fork.text("slug", slug);
  if (at == fork_of.npos) return fork;
  const std::string_view version = trim_js(fork_of.substr(at + 1));
  if (!is_version(version)) return fail(errc::usage, "--fork-of is <slug>[@<version>]");
  fork.text("version", version);
  return fork;
}

// Fills missing members from the folder's name.
Result<void> complete(PublishRequest* request) {
  std::error_code error;
  const fs::path folder = fs::canonical(request->folder, error);
  if (error || !fs::is_directory(folder, error)) {
    return fail(errc::usage, "Path must be a folder: " + request->folder.string());
  }
  const std::string base = folder.filename().string();
  request->folder = folder;
  if (is_blank(request->slug)) request->slug = slug_of_folder(base);
  TRY(request->slug, checked_slug(request->slug));
  if (is_blank(request->name)) request->name = title_of_folder(base);
  if (is_blank(request->name)) return fail(errc::usage, "--name required");
  if (!is_version(request->version)) return fail(errc::usage, "--version must be valid semver");
  return ok();
}

Result<std::string> payload_of(const PublishRequest& request) {
  JsonObject json;
  json.text("slug", request.slug).text("displayName", request.name);
  json.text("version", request.version).text("changelog", request.changelog);
  json.strings("tags", request.tags);
  if (!is_blank(request.fork_of)) {
    TRY(const JsonObject fork, fork_json(request.fork_of));
    json.object("forkOf", fork);
  }
  return json.str();
}

}  // namespace

Result<std::vector<SearchHit>> search_skills(const Places& places, const std::string& query,
                                             std::optional<int> limit,
                                             const std::stop_token& stop) {
  TRY(const Client client, client_as_anybody(places, stop));
  std::vector<std::pair<std::string, std::string>> parameters{{"q", query}};
  if (limit) parameters.emplace_back("limit", std::to_string(*limit));
  TRY(const std::string text, client.ask({.path = with_query("/api/v1/search", parameters)}));
  return read_search(text);
}

Result<std::vector<ListedSkill>> explore_skills(const Places& places, int limit,
                                                std::string_view sort,
                                                const std::stop_token& stop) {
  TRY(const Client client, client_as_anybody(places, stop));
  std::vector<std::pair<std::string, std::string>> parameters{{"limit", std::to_string(limit)}};
  if (sort != "newest") parameters.emplace_back("sort", api_sort(sort));
  TRY(const std::string text, client.ask({.path = with_query("/api/v1/skills", parameters)}));
  return read_skill_page(text);
}

Result<Account> who_am_i(const Places& places, const std::stop_token& stop) {
  TRY(const Client client, client_as_user(places, stop));
  return account_of(client);
}

Result<void> set_deletion(const Places& places, const SkillName& name, Deletion wanted,
                          const std::stop_token& stop) {
  TRY(const Client client, client_as_user(places, stop));
  const bool goes = wanted == Deletion::deleted;
  const std::string path =
      "/api/v1/skills/" + percent_encoded(name.slug) + (goes ? "" : "/undelete");
  TRY(const std::string text, client.ask({.path = with_query(path, owner_query(name.owner)),
                                          .method = goes ? "DELETE" : "POST",
                                          .with_token = true,
                                          .is_about_skill = true}));
  return read_done(text);
}

Result<LoggedIn> keep_token(const Places& places, const std::string& token,
                            const std::stop_token& stop) {
  if (!is_token(token)) {
    return fail(errc::usage, "a token has 8 to 4096 printable characters without blanks");
  }
  TRY(const Registry registry, find_registry(places, stop));
  LoggedIn done;
  done.registry = registry.url;
  TRY(done.account, account_of(Client(done.registry, token, stop)));
  TRY(done.config, write_hub_config(places, {done.registry, token}));
  return done;
}

std::string multipart_body(std::string_view payload, const std::vector<FormFile>& files,
                           std::string_view boundary) {
  const std::string line = "--" + std::string(boundary);
  std::string body = line + "\r\nContent-Disposition: form-data; name=\"payload\"\r\n\r\n" +
                     std::string(payload) + "\r\n";
  for (const FormFile& file : files) {
    body += line + "\r\nContent-Disposition: form-data; name=\"files\"; filename=\"" +
            form_name(file.path) + "\"\r\nContent-Type: " + std::string(type_of(file.path)) +
            "\r\n\r\n" + file.bytes + "\r\n";
  }
  return body + line + "--\r\n";
}

Result<PublishReport> publish_skill(const Places& places, PublishRequest request,
                                    const std::stop_token& stop) {
  request.folder = places.workdir / request.folder;
  TRY_VOID(complete(&request));
  TRY(const std::string payload, payload_of(request));
  TRY(const auto files, read_files(request.folder, stop));
  TRY(const Client client, client_as_user(places, stop));
  // A boundary that occurs in no file.
  TRY(const std::string digits, random_hex(16));
  const std::string boundary = "----clawperator" + digits;
  TRY(const std::string text,
      client.ask({.path = "/api/v1/skills",
                  .method = "POST",
                  .body = multipart_body(payload, files, boundary),
                  .content_type = "multipart/form-data; boundary=" + boundary,
                  .with_token = true}));
  PublishReport report{request.slug, request.version, client.registry(), files.size(), {}};
  TRY(report.published, read_published(text));
  return report;
}

}  // namespace clawperator::hub
