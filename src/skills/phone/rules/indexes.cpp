#include "skills/phone/rules/indexes.hpp"

#include <algorithm>

#include "adbproto/crypto/sha256.hpp"
#include "base/js_string.hpp"
#include "base/json_text.hpp"

namespace clawperator::phone_skills {
namespace {

using Entries = std::vector<const Skill*>;

std::string list_of(const Entries& entries) {
  return list_json(entries, [](const Skill* entry) -> const std::string& { return entry->json; });
}

JsonObject index_of(const Entries& entries) {
  JsonObject index;
  index.text("schemaVersion", "1.0");
  index.number("count", static_cast<std::int64_t>(entries.size()));
  return index;
}

std::string_view prefix_of(const Skill& skill) {
  return std::string_view(skill.application_id).substr(0, skill.application_id.find('.'));
}

std::string lines_of(const Entries& entries) {
  std::string lines;
  for (const Skill* entry : entries) lines += entry->json + "\n";
  return lines;
}

std::string manifest_of(const IndexFiles& files, std::size_t count) {
  JsonObject digests;
  for (const auto& [path, text] : files) digests.text(path, adbproto::sha256_of(text));
  JsonObject manifest;
  manifest.text("schemaVersion", "1.0").number("count", static_cast<std::int64_t>(count));
  return manifest.object("files", digests).str() + "\n";
}

}  // namespace

IndexFiles make_indexes(const Registry& registry) {
  Entries all;
  for (const Skill& skill : registry.skills) all.push_back(&skill);
  std::ranges::sort(
      all, {}, [](const Skill* skill) { return std::pair(std::string_view(skill->id), skill); });
  std::map<std::string, Entries> by_app;
  std::map<std::string, Entries> by_prefix;
  for (const Skill* skill : all) {
    by_app[skill->application_id].push_back(skill);
    by_prefix[std::string(prefix_of(*skill))].push_back(skill);
  }
  const std::string folder = std::string(kIndexFolder) + "/";
  IndexFiles files;
  files[folder + "skills-index.min.json"] = index_of(all).json("skills", list_of(all)).str() + "\n";
  files[folder + "skills-index.jsonl"] = lines_of(all);
  for (const auto& [app, entries] : by_app) {
    auto index = index_of(entries).text("applicationId", app).json("skills", list_of(entries));
    files[folder + "by-app/" + app + ".json"] = index.str() + "\n";
  }
  for (const auto& [prefix, entries] : by_prefix) {
    auto index = index_of(entries).text("prefix", prefix).json("skills", list_of(entries));
    files[folder + "by-prefix/" + prefix + ".json"] = index.str() + "\n";
  }
  files[folder + "manifest.json"] = manifest_of(files, all.size());
  return files;
}

}  // namespace clawperator::phone_skills
