#include "skills/hub/install.hpp"

#include <algorithm>
#include <cmath>

#include "base/clock.hpp"
#include "base/error_members.hpp"
#include "base/files.hpp"
#include "base/text.hpp"
#include "skills/agent/errc.hpp"
#include "skills/agent/unpack.hpp"
#include "skills/hub/client.hpp"
#include "skills/hub/errc.hpp"
#include "skills/hub/local_skill.hpp"
#include "skills/hub/names.hpp"
#include "skills/hub/plain_file.hpp"
#include "skills/hub/staged_skill.hpp"

namespace clawperator::hub {

namespace fs = std::filesystem;

namespace {

// Published in docs/guides/hub.md: the hub takes 50 MiB of files, and beyond 200 MiB a zip is a
// bomb.
constexpr unpack::Limits kArchiveLimits{
    .archive_bytes = kMaxArchive, .files = 5000, .bytes = 200ULL << 20, .file_bytes = 50ULL << 20};

Result<void> check_moderation(const std::string& slug, Moderation found, Force force) {
  const bool is_malware = found == Moderation::malware;
  if (found == Moderation::none || (!is_malware && force == Force::yes)) return ok();
  const std::string how =
      is_malware ? "malware; it is not installed" : "suspicious (use --force to install it anyway)";
  return fail_with(errc::hub_skill_flagged, slug + ": the hub marks it as " + how,
                   ErrorMembers().text("slug", slug).text("moderation", name_of(found)));
}

Result<void> write_lock(const Places& places, const std::string& slug, const std::string& version,
                        std::int64_t at) {
  TRY(LockChange lock, LockChange::begin(places));
  return lock.write(slug, version, at);
}

// Completes the lock file for skills that an interrupted run has put in place.
Result<void> say_in_place(const Places& places, const SkillName& name) {
  const auto origin = read_origin_in(places.skills / name.text());
  if (!origin || origin->slug != name.slug || !is_version_text(origin->version)) return ok();
  TRY(const LockFile lock, read_lock(places));
  const auto locked = lock.find(name.text());
  if (locked && locked->version == origin->version) return ok();
  return write_lock(places, name.text(), origin->version, origin->installed_at);
}

// Agents find a skill by this very file name.
std::string warning_of(const std::string& slug, const LocalSkill& fresh) {
  const auto is_it = [](std::string_view name) {
    return [name](const HashedFile& file) { return ascii_lower(file.path) == name; };
  };
  if (std::ranges::find(fresh.files, "SKILL.md", &HashedFile::path) != fresh.files.end()) return "";
  const auto other = std::ranges::find_if(fresh.files, is_it("skill.md"));
  return slug + " has no SKILL.md" + (other == fresh.files.end() ? "" : ", but " + other->path) +
         ": no agent finds it";
}

// One skill of one hub.
class SkillJob {
 public:
  SkillJob(const Places& places, const Client& client, SkillName name)
      : places_(places),
        client_(client),
        name_(std::move(name)),
        slug_(name_.text()),
        target_(places.skills / slug_) {
    owner_ = name_.owner;
    if (!owner_.empty()) return;
    // Where another owner takes the slug, too, this one stays the skill's.
    const auto origin = read_origin_in(target_);
    const bool is_ours = origin && origin->registry == client.registry() && origin->slug == slug_;
    if (is_ours && is_owner(origin->owner)) owner_ = origin->owner;
  }

  Result<Installed> install(const InstallRequest& request) {
    given_owner_ = request.name.owner;
    TRY(const LocalSkill before, read_local_skill(target_, client_.stop()));
    const bool is_new = before.kind == LocalSkill::Kind::absent;
    if (!is_new && request.force == Force::no) {
      return local_changes("Already installed: " + target_.string() + " (use --force)", target_);
    }
    std::string version = request.version;
    if (version.empty()) {
      TRY(version, latest_version());
    }
    TRY(StagedSkill staged, stage(version, request.force));
    return put_in_place(std::move(staged), before, version);
  }

  Result<Update> update(const InstallRequest& request) {
    given_owner_ = request.name.owner;
    TRY(const LockFile lock, read_lock(places_));
    const auto locked = lock.find(slug_);
    TRY(const LocalSkill before, read_local_skill(target_, client_.stop()));
    if (!locked && before.kind == LocalSkill::Kind::absent) {
      return fail(errc::hub_skill_not_found, slug_ + ": not installed");
    }
    TRY(const Resolved resolved, resolve(before));
    TRY_VOID(correct_lock(locked, resolved));
    if (!resolved.latest) return fail(errc::hub_skill_not_found, slug_ + ": not found");
    const bool has_changes =
        !resolved.match && (before.kind == LocalSkill::Kind::other || !before.files.empty());
    if (has_changes && request.force == Force::no) {
      return local_changes(slug_ + ": local changes (no match). Use --force to overwrite.",
                           target_);
    }
    const std::string& wanted = request.version.empty() ? *resolved.latest : request.version;
    if (is_satisfied(request, resolved, wanted)) {
      return Update{slug_, UpdateStatus::up_to_date, *resolved.match, std::nullopt, target_};
    }
    TRY(StagedSkill staged, stage(wanted, request.force));
    TRY(const Installed done, put_in_place(std::move(staged), before, wanted));
    return Update{.slug = slug_,
                  .status = UpdateStatus::updated,
                  .version = wanted,
                  .previous = known_version(locked, resolved),
                  .path = target_,
                  .kept = done.kept,
                  .moderation = done.moderation,
                  .warning = done.warning};
  }

 private:
  // The hub's facts about this skill; one request for all callers.
  Result<HubSkill> about() {
    if (about_) return *about_;
    const std::string path =
        with_query("/api/v1/skills/" + percent_encoded(name_.slug), owner_query(owner_));
    TRY(const std::string text, client_.ask({.path = path, .is_about_skill = true}));
    TRY(about_, read_hub_skill(text));
    // A hub that does not know owners answers with any skill of that slug.
    const std::string& found = about_->owner;
    if (!given_owner_.empty() && found.empty()) {
      return fail(errc::hub_skill_not_found,
                  slug_ + ": the hub does not name the owner of its skill of this slug");
    }
    if (owner_.empty() || found.empty() || found == owner_) return *about_;
    return fail(errc::hub_skill_not_found,
                slug_ + ": the hub's skill of this slug is of @" + found + ", not of @" + owner_);
  }

  Result<std::string> latest_version() {
    TRY(const HubSkill skill, about());
    if (skill.latest && !skill.latest->empty()) return *skill.latest;
    return fail(errc::hub_skill_not_found, slug_ + ": the hub has no version of it");
  }

  Result<Resolved> ask_for(const std::vector<HashedFile>& files) {
    const std::string path = query("/api/v1/resolve", {"hash", fingerprint_of(files)});
    TRY(const std::string text, client_.ask({.path = path, .is_about_skill = true}));
    return read_resolved(text);
  }

  [[nodiscard]] std::string query(const char* path,
                                  std::pair<std::string, std::string> last) const {
    std::vector<std::pair<std::string, std::string>> all{{"slug", name_.slug}, std::move(last)};
    for (auto& each : owner_query(owner_)) all.push_back(std::move(each));
    return with_query(path, all);
  }

  // Older clients count the text files only, newer ones all files.
  Result<Resolved> resolve(const LocalSkill& local) {
    if (local.files.empty()) {
      TRY(std::string latest, latest_version());
      return Resolved{std::nullopt, std::move(latest)};
    }
    const auto texts = local.text_files();
    if (!texts.empty()) {
      TRY(Resolved resolved, ask_for(texts));
      if (resolved.match || texts.size() == local.files.size()) return resolved;
    }
    return ask_for(local.files);
  }

  Result<void> correct_lock(const std::optional<LockedSkill>& locked, const Resolved& resolved) {
    if (!resolved.match || (locked && locked->version == resolved.match)) return ok();
    const bool has_time = locked && std::abs(locked->installed_at) < kMaxTime;
    const auto at =
        has_time ? static_cast<std::int64_t>(locked->installed_at) : base::wall_milliseconds();
    return write_lock(places_, slug_, *resolved.match, at);
  }

  static bool is_satisfied(const InstallRequest& request, const Resolved& resolved,
                           const std::string& wanted) {
    if (!resolved.match) return false;
    if (!request.version.empty()) return *resolved.match == wanted;
    return *resolved.match == wanted || (is_version(*resolved.match) && is_version(wanted) &&
                                         compare_versions(*resolved.match, wanted) >= 0);
  }

  static std::optional<std::string> known_version(const std::optional<LockedSkill>& locked,
                                                  const Resolved& resolved) {
    if (resolved.match || !locked) return resolved.match;
    return locked->version;
  }

  // Downloads and unpacks the skill and marks it as ours; the skill in use is unchanged.
  Result<StagedSkill> stage(const std::string& version, Force force) {
    TRY(const HubSkill skill, about());
    TRY_VOID(check_moderation(slug_, skill.moderation, force));
    TRY(StagedSkill staged, begin_staging(places_, name_));
    const std::string path = query("/api/v1/download", {"version", version});
    TRY_VOID(client_.download({.path = path, .is_about_skill = true}, staged.archive()));
    TRY(const auto files, unpack::unpack(staged.archive(), unpack::Format::zip, staged.fresh(),
                                         member_path, kArchiveLimits, client_.stop()));
    if (files.empty()) return fail(errc::archive_refused, "the archive has no file of a skill");
    TRY(const LocalSkill fresh, read_local_skill(staged.fresh(), client_.stop()));
    warning_ = warning_of(slug_, fresh);
    const Origin origin{client_.registry(),
                        name_.slug,
                        version,
                        base::wall_milliseconds(),
                        fingerprint_of(fresh.files),
                        owner_.empty() ? skill.owner : owner_};
    const fs::path marker = staged.fresh() / places_.lock_folder.filename() / "origin.json";
    TRY_VOID(
        with_code(errc::file_write_failed, write_file_atomically(marker, origin_text(origin))));
    return staged;
  }

  // Whether all files in `old` came from this hub, by our own notes: the hub's list of versions
  // must not decide about its users' files. `before`: the folder's state at the last check.
  [[nodiscard]] bool may_go(const fs::path& old, const LocalSkill& before) const {
    if (before.kind != LocalSkill::Kind::folder || before.has_uncounted) return false;
    const auto origin = read_origin_in(old);
    const bool is_ours = origin && origin->slug == name_.slug &&
                         origin->registry == client_.registry() &&
                         origin->fingerprint == fingerprint_of(before.files);
    if (!is_ours && !before.files.empty()) return false;
    const auto last = read_local_skill(old, client_.stop());
    return last && last->is_same_as(before);
  }

  Result<Installed> put_in_place(StagedSkill staged, const LocalSkill& before,
                                 const std::string& version) {
    TRY(const FileHandle alone, lock_made_folder(places_.skills));
    TRY(const LocalSkill now, read_local_skill(target_, client_.stop()));
    if (!now.is_same_as(before)) {
      return local_changes(target_.string() + " has changed meanwhile; nothing was touched",
                           target_);
    }
    TRY(LockChange lock, LockChange::begin(places_));
    if (client_.stop().stop_requested()) return fail(errc::cancelled, "cancelled");
    const bool is_new = before.kind == LocalSkill::Kind::absent;
    Installed done{slug_, version, client_.registry(), target_, {}, about_->moderation, warning_};
    TRY(done.kept, staged.put_in_place(is_new ? StagedSkill::Old::none : StagedSkill::Old::replaced,
                                       [&](const fs::path& old) { return may_go(old, before); }));
    if (const auto written = lock.write(slug_, version, base::wall_milliseconds()); !written) {
      return not_locked(written.error(), done.kept);
    }
    staged.finish();
    return done;
  }

  // The skill is in place, and the next run will complete the lock file.
  std::unexpected<Error> not_locked(const Error& error, const fs::path& kept) const {
    ErrorMembers details;
    details.text("path", target_.string());
    if (!kept.empty()) details.text("kept", kept.string());
    return fail_with(
        error.code(),
        error.message() + "; the skill is in its place" +
            (kept.empty() ? "" : ", and the earlier content is kept in " + kept.string()),
        details);
  }

  const Places& places_;
  const Client& client_;
  SkillName name_;
  std::string slug_;  // with the owner's name, if that was given
  fs::path target_;
  std::string owner_;        // given, or that of the installed skill
  std::string given_owner_;  // by the user, in this command
  std::string warning_;
  std::optional<HubSkill> about_{};
};

Update failed_update(const std::string& slug, Error error) {
  return {.slug = slug, .error = std::move(error)};
}

Result<Update> update_locked(const Places& places, const Client& client, const LockedSkill& locked,
                             Force force) {
  TRY(const SkillName name, checked_name(locked.slug));
  if (name.text() != locked.slug) return fail(errc::usage, locked.slug + " is no slug");
  if (locked.pinned) {
    return Update{locked.slug, UpdateStatus::pinned, locked.version.value_or(""), std::nullopt,
                  places.skills / locked.slug};
  }
  return SkillJob(places, client, name).update({.force = force});
}

}  // namespace

Result<void> tidy_up(const Places& places) {
  if (!is_folder(places.skills)) return ok();
  std::error_code ignored;
  if (fs::equivalent(places.skills, places.lock_folder, ignored)) {
    return fail(errc::usage,
                "the folder of skills is that of the lock file: " + places.lock_folder.string());
  }
  TRY(const FileHandle alone, lock_made_folder(places.skills));
  return recover_skills(places,
                        [&places](const SkillName& name) { return say_in_place(places, name); });
}

Result<StagedSkill> begin_staging(const Places& places, const SkillName& name) {
  std::error_code error;
  fs::create_directories(places.lock_folder, error);
  if (error) return cannot_write(places.lock_folder, error.value());
  TRY_VOID(read_lock(places));
  TRY(const FileHandle alone, lock_made_folder(places.skills));
  TRY(const fs::path folder, make_owner_folder(places.skills, name));
  return StagedSkill::begin(folder, name.slug);
}

std::unexpected<Error> local_changes(const std::string& message, const fs::path& path) {
  return fail_with(errc::hub_local_changes, message, ErrorMembers().text("path", path.string()));
}

Result<Installed> install_skill(const Places& places, const InstallRequest& request,
                                const std::stop_token& stop) {
  if (!request.version.empty() && !is_version_text(request.version)) {
    return fail(errc::usage, "--version must be 1 to 256 visible characters");
  }
  TRY_VOID(tidy_up(places));
  // Refused before the first request. SkillJob repeats the check, because the folder may appear
  // meanwhile.
  std::error_code ignored;
  const fs::path target = places.skills / request.name.text();
  const bool is_there = fs::symlink_status(target, ignored).type() != fs::file_type::not_found;
  if (is_there && request.force == Force::no) {
    return local_changes("Already installed: " + target.string() + " (use --force)", target);
  }
  TRY(const Client client, client_as_anybody(places, stop));
  return SkillJob(places, client, request.name).install(request);
}

Result<std::vector<Update>> update_skills(const Places& places, const InstallRequest& request,
                                          const std::stop_token& stop) {
  TRY_VOID(tidy_up(places));
  std::vector<Update> updates;
  TRY(const auto locked, list_skills(places));
  if (request.name.slug.empty() && locked.empty()) return updates;
  TRY(const Client client, client_as_anybody(places, stop));
  if (!request.name.slug.empty()) {
    TRY(Update update, SkillJob(places, client, request.name).update(request));
    updates.push_back(std::move(update));
    return updates;
  }
  std::optional<Error> unreachable;
  for (const LockedSkill& each : locked) {
    if (unreachable) {  // for all remaining skills
      updates.push_back(failed_update(each.slug, *unreachable));
      continue;
    }
    auto update = update_locked(places, client, each, request.force);
    if (!update && is_unreachable(update.error())) unreachable = update.error();
    if (!update && stop.stop_requested()) return std::unexpected(update.error());
    updates.push_back(update ? *std::move(update) : failed_update(each.slug, update.error()));
  }
  return updates;
}

Result<std::vector<LockedSkill>> list_skills(const Places& places) {
  TRY(const LockFile lock, read_lock(places));
  return lock.skills();
}

}  // namespace clawperator::hub
