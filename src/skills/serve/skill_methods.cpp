// The extension io.modelcontextprotocol/skills: skills/list and skills/get, and the files of skills
// as resources. Everything is read for the request that needs it.

#include <algorithm>
#include <nlohmann/json.hpp>

#include "adbproto/crypto/sha256.hpp"
#include "adbproto/wire/base64.hpp"
#include "base/async/blocking.hpp"
#include "base/error_members.hpp"
#include "base/json_text.hpp"
#include "base/utf8.hpp"
#include "skills/serve/routes_and_tools.hpp"
#include "skills/serve/served_skill.hpp"

namespace clawperator::skills_served {
namespace {

constexpr std::size_t kMostInPage = 50;                      // a page is read at a glance
constexpr std::size_t kMostOpened = 1000;                    // skills for one page
constexpr std::size_t kPageBytes = std::size_t{512} << 10;   // of its JSON; then it ends
constexpr std::size_t kPageContent = std::size_t{64} << 20;  // of the files that it describes
constexpr std::size_t kMostOfList = std::size_t{4} << 20;    // a page and one skill more
constexpr std::size_t kMostOfFile = 2 * kMostBytes;          // with its escapes, or as Base64
constexpr std::int64_t kLivesMs = 60'000;  // a person who edits a skill waits a minute

// They are of this user's files.
std::string with_lifetime(JsonObject object) {
  return object.number("ttlMs", kLivesMs).text("cacheScope", "private").str();
}

std::unexpected<Error> unknown(std::string_view what, std::string_view uri) {
  constexpr std::size_t kMost = 256;  // of what is repeated
  const std::string shown = harmless_text(uri.substr(0, kMost), "?");
  auto error = fail(errc::usage, std::string(what) + " is served at " + shown);
  if (uri.size() > kMost) return error;
  return std::unexpected(with_members(error.error(), ErrorMembers().text("uri", uri)));
}

Result<std::string> uri_of(const Json& params) {
  const std::string* uri = string_value(find_member(params, "uri"));
  if (!uri) return fail(errc::usage, "params.uri must be a text");
  return *uri;
}

// A cursor is the place behind which a page begins.
Result<std::string> cursor_of(const Json& params) {
  const Json* cursor = find_member(params, "cursor");
  if (!cursor || cursor->is_null()) return "";
  const std::string* place = string_value(cursor);
  if (place && (place->starts_with("agent/") || place->starts_with("phone/"))) return *place;
  return fail(errc::usage, "the cursor is none of ours");
}

// The entry of a skill; `content` counts the bytes that were read for it.
Result<std::string> entry_json(const ServedSkill& skill, std::size_t* content) {
  std::vector<std::string> files;
  std::size_t total = 0;
  for (const std::string& file : skill.folder.files()) {
    const bool is_known = file == kSkillFile;
    TRY(const std::string bytes,
        is_known ? Result<std::string>(skill.text) : skill.folder.read(file));
    total += bytes.size();
    if (total > kMostBytes) return fail(errc::limit, "the skill has too many bytes");
    JsonObject each;
    each.text("uri", skill.uri_of(file)).text("digest", "sha256:" + adbproto::sha256_of(bytes));
    files.push_back(each.number("size", static_cast<std::int64_t>(bytes.size())).str());
  }
  *content += total;
  return JsonObject()
      .text("uri", skill.uri_of(kSkillFile))
      .json("frontmatter", write_json(*skill.frontmatter))
      .json("resources", list_json(files, std::identity{}))
      .str();
}

// Absent: no part of the list.
using Describe = std::optional<std::string> (*)(const ServedSkill& skill, std::size_t* content);

std::optional<std::string> listed_skill(const ServedSkill& skill, std::size_t* content) {
  if (!skill.is_conforming) return std::nullopt;
  auto entry = entry_json(skill, content);
  return entry ? std::optional(*std::move(entry)) : std::nullopt;
}

std::optional<std::string> listed_resource(const ServedSkill& skill, std::size_t*) {
  const auto text = [&skill](const char* field) {
    return skill.frontmatter ? string_value(find_member(*skill.frontmatter, field)) : nullptr;
  };
  const std::string* name = text("name");
  const std::string* about = text("description");
  JsonObject resource;
  resource.text("uri", skill.uri_of(kSkillFile));
  resource.text("name", name ? *name : skill.root.substr(skill.root.rfind('/') + 1));
  if (about) resource.text("description", *about);
  resource.text("mimeType", "text/markdown");
  return resource.number("size", static_cast<std::int64_t>(skill.text.size())).str();
}

// One page; a skill that cannot be read, or has too much, is left out.
Result<std::string> page(const Json& params, std::string_view member, Describe describe) {
  TRY(const std::string after, cursor_of(params));
  TRY(const std::vector<Candidate> all, find_candidates());
  auto at = std::ranges::upper_bound(all, after, {}, &Candidate::place);
  std::vector<std::string> items;
  std::size_t opened = 0, bytes = 0, content = 0;
  for (; at != all.end(); ++at) {
    if (items.size() == kMostInPage || opened++ == kMostOpened || bytes > kPageBytes ||
        content > kPageContent) {
      break;
    }
    const auto skill = open_skill(*at);
    auto item = skill ? describe(*skill, &content) : std::nullopt;
    if (!item) continue;
    bytes += item->size();
    items.push_back(*std::move(item));
  }
  JsonObject result;
  result.json(member, list_json(items, std::identity{}));
  if (at != all.end()) result.text("nextCursor", std::prev(at)->place);
  return with_lifetime(result);
}

Result<std::string> list_skills(const Json& params) { return page(params, "skills", listed_skill); }
Result<std::string> list_resources(const Json& params) {
  return page(params, "resources", listed_resource);
}

Result<std::string> list_templates(const Json&) {
  return with_lifetime(JsonObject().json("resourceTemplates", "[]"));
}

Result<std::string> get_skill(const Json& params) {
  TRY(const std::string uri, uri_of(params));
  TRY(const std::vector<Candidate> all, find_candidates());
  for (const Candidate& candidate : all) {
    if (!may_have(candidate, uri)) continue;
    const auto skill = open_skill(candidate);
    if (!skill || !skill->is_conforming || skill->uri_of(kSkillFile) != uri) continue;
    std::size_t content = 0;
    TRY(const std::string entry, entry_json(*skill, &content));
    return with_lifetime(JsonObject().json("skill", entry));
  }
  return unknown("no skill", uri);
}

std::string_view type_of(std::string_view file, bool is_text) {
  constexpr std::pair<std::string_view, std::string_view> kTypes[] = {
      {".md", "text/markdown"},      {".json", "application/json"}, {".html", "text/html"},
      {".css", "text/css"},          {".csv", "text/csv"},          {".xml", "application/xml"},
      {".yaml", "application/yaml"}, {".yml", "application/yaml"},  {".js", "text/javascript"},
      {".mjs", "text/javascript"},   {".png", "image/png"},         {".jpg", "image/jpeg"},
      {".jpeg", "image/jpeg"},       {".gif", "image/gif"},         {".svg", "image/svg+xml"},
      {".pdf", "application/pdf"}};
  for (const auto& [end, type] : kTypes) {
    if (file.ends_with(end)) return type;
  }
  return is_text ? "text/plain" : "application/octet-stream";
}

// Text arrives as it is, because its digest is of the bytes. Control characters would take six
// times their space; a SKILL.md is text for every client.
bool is_plain_text(std::string_view file, std::string_view bytes) {
  const auto is_control = [](char c) {
    return static_cast<unsigned char>(c) < ' ' && c != '\n' && c != '\t' && c != '\r';
  };
  return valid_utf8(bytes) == bytes &&
         (file == kSkillFile || std::ranges::none_of(bytes, is_control));
}

std::string contents_json(const std::string& uri, std::string_view file, const std::string& bytes) {
  const bool is_text = is_plain_text(file, bytes);
  JsonObject contents;
  contents.text("uri", uri).text("mimeType", type_of(file, is_text));
  if (is_text) {
    contents.text("text", bytes);
  } else {
    contents.text("blob", adbproto::encode_base64(adbproto::as_bytes(bytes)));
  }
  return with_lifetime(JsonObject().json("contents", "[" + contents.str() + "]"));
}

Result<std::string> read_resource(const Json& params) {
  TRY(const std::string uri, uri_of(params));
  TRY(const std::vector<Candidate> all, find_candidates());
  for (const Candidate& candidate : all) {
    if (!may_have(candidate, uri)) continue;
    const auto skill = open_skill(candidate);
    if (!skill) continue;
    for (const std::string& file : skill->folder.files()) {
      if (skill->uri_of(file) != uri) continue;
      TRY(const std::string bytes, skill->folder.read(file));
      return contents_json(uri, file, bytes);
    }
  }
  return unknown("no resource", uri);
}

using Method = Result<std::string> (*)(const Json& params);

template <Method method>
Task<std::string> answer(std::shared_ptr<const Json> params) {
  co_return co_await run_blocking([&params] { return method(*params); });
}

constexpr mcp::MethodRow kMethods[] = {
    {"skills/list", answer<list_skills>, kMostOfList},
    {"skills/get", answer<get_skill>, kMostOfList},
    {"resources/list", answer<list_resources>, kMostOfList},
    {"resources/templates/list", answer<list_templates>},
    {"resources/read", answer<read_resource>, kMostOfFile},
};
constexpr std::string_view kCapabilities =
    R"("resources":{},"extensions":{"io.modelcontextprotocol/skills":{}})";

}  // namespace

mcp::Additions additions() {
  return {.tools = phone_skills::tools(), .methods = kMethods, .capabilities = kCapabilities};
}

}  // namespace clawperator::skills_served
