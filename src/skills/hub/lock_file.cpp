#include "skills/hub/lock_file.hpp"

#include <cmath>
#include <nlohmann/json.hpp>

#include "base/files.hpp"
#include "base/json_text.hpp"
#include "skills/hub/plain_file.hpp"
#include "skills/hub/staged_skill.hpp"

namespace clawperator::hub {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kMaxLocked = 100'000;  // three members a skill: room for 33,000 skills

bool is_version_one(const Json& document) {
  const Json* version = find_member(document, "version");
  return version != nullptr && version->is_number() && version->get<double>() == 1;
}

bool is_locked_skill(const Json& entry) {
  const Json* version = find_member(entry, "version");
  const Json* installed = find_member(entry, "installedAt");
  return version != nullptr && (version->is_string() || version->is_null()) &&
         installed != nullptr && installed->is_number();
}

bool is_lock(const Json& document) {
  const Json* skills = find_member(document, "skills");
  if (!is_version_one(document) || skills == nullptr || !skills->is_object()) return false;
  for (const auto& entry : skills->get_ref<const Json::object_t&>()) {
    if (!is_locked_skill(entry.second)) return false;
  }
  return true;
}

LockedSkill locked_skill(const std::string& slug, const Json& entry) {
  LockedSkill skill;
  skill.slug = slug;
  if (const std::string* version = string_member(entry, "version")) {
    skill.version = *version;
  }
  skill.installed_at = find_member(entry, "installedAt")->get<double>();
  skill.pinned = is_true_member(entry, "pinned");
  return skill;
}

fs::path lock_path(const Places& places) { return places.lock_folder / "lock.json"; }

}  // namespace

LockFile::LockFile() : document_(std::make_shared<Json>(Json::object())) {
  (*document_)["version"] = 1.0;
  (*document_)["skills"] = Json::object();
}

LockFile LockFile::read(std::string_view text) {
  LockFile lock;
  auto document = read_json(text, kMaxLockFile, kMaxLocked);
  if (document && is_lock(*document)) {
    *lock.document_ = *std::move(document);
  } else {
    lock.unreadable_ = true;
  }
  return lock;
}

std::vector<LockedSkill> LockFile::skills() const {
  std::vector<LockedSkill> all;
  const Json* skills = find_member(*document_, "skills");
  for (const auto& entry : skills->get_ref<const Json::object_t&>()) {
    all.push_back(locked_skill(entry.first, entry.second));
  }
  return all;
}

std::optional<LockedSkill> LockFile::find(std::string_view slug) const {
  const Json* entry = find_member(*find_member(*document_, "skills"), slug);
  if (entry == nullptr) return std::nullopt;
  return locked_skill(std::string(slug), *entry);
}

void LockFile::set(const std::string& slug, const std::string& version, std::int64_t installed_at) {
  Json& entry = (*document_)["skills"][slug];
  entry["version"] = version;
  entry["installedAt"] = static_cast<double>(installed_at);
}

bool LockFile::remove(const std::string& slug) { return (*document_)["skills"].erase(slug) > 0; }

std::string LockFile::text() const { return indent_json(write_json(*document_)) + "\n"; }

std::optional<Origin> read_origin(std::string_view text) {
  const auto document = read_json(text, kMaxLockFile);
  if (!document || !is_version_one(*document)) return std::nullopt;
  const std::string* registry = string_member(*document, "registry");
  const std::string* slug = string_member(*document, "slug");
  const std::string* version = string_member(*document, "installedVersion");
  const Json* installed = find_member(*document, "installedAt");
  const auto is_given = [](const std::string* member) { return member && !member->empty(); };
  if (!is_given(registry) || !is_given(slug) || !is_given(version)) return std::nullopt;
  if (installed == nullptr || !installed->is_number()) return std::nullopt;
  const double at = installed->get<double>();
  if (!(std::abs(at) < kMaxTime)) return std::nullopt;
  const std::string* fingerprint = string_member(*document, "fingerprint");
  const std::string* owner = string_member(*document, "ownerHandle");
  return Origin{*registry,
                *slug,
                *version,
                static_cast<std::int64_t>(at),
                fingerprint == nullptr ? std::string() : *fingerprint,
                owner == nullptr ? std::string() : *owner};
}

std::optional<Origin> read_origin_in(const fs::path& skill) {
  for (const char* marker : {".clawhub", ".clawdhub"}) {
    const auto text = read_plain_file(skill / marker / "origin.json", kMaxLockFile);
    if (!text || !*text) continue;
    if (auto origin = read_origin(**text)) return origin;
  }
  return std::nullopt;
}

std::string origin_text(const Origin& origin) {
  JsonObject json;
  json.number("version", 1).text("registry", origin.registry).text("slug", origin.slug);
  json.text("installedVersion", origin.version).number("installedAt", origin.installed_at);
  if (!origin.owner.empty()) json.text("ownerHandle", origin.owner);
  if (!origin.fingerprint.empty()) json.text("fingerprint", origin.fingerprint);
  return indent_json(json.str()) + "\n";
}

Result<LockFile> read_lock(const Places& places) {
  TRY(const auto text, read_plain_file(lock_path(places), kMaxLockFile));
  return text ? LockFile::read(*text) : LockFile();
}

Result<LockChange> LockChange::begin(const Places& places) {
  TRY(FileHandle alone, lock_made_folder(places.lock_folder));
  TRY(LockFile lock, read_lock(places));
  fs::path path = lock_path(places);
  if (lock.was_unreadable()) {
    TRY(const std::string name,
        with_code(errc::file_write_failed, set_aside(path, alone, "lock.json.unreadable")));
    places.warn(path.string() + " is no lock file of a hub's; it is " + name + " now");
  }
  return LockChange{std::move(path), std::move(alone), std::move(lock)};
}

Result<void> LockChange::write(const std::string& slug, const std::string& version,
                               std::int64_t at) {
  lock.set(slug, version, at);
  return save();
}

Result<void> LockChange::remove(const std::string& slug) {
  return lock.remove(slug) ? save() : ok();
}

Result<void> LockChange::save() const {
  return with_code(errc::file_write_failed,
                   write_file_atomically(path, lock.text(), ParentFolder::created, Durable::yes));
}

}  // namespace clawperator::hub
