#include "skills/hub/install.hpp"

#include <chrono>

#include "base/files.hpp"
#include "base/text.hpp"
#include "runtime/contract/errc.hpp"
#include "runtime/contract/error_members.hpp"
#include "skills/hub/answers.hpp"
#include "skills/hub/local_skill.hpp"
#include "skills/hub/member_name.hpp"
#include "skills/hub/names.hpp"
#include "skills/hub/registry.hpp"
#include "skills/hub/staged_skill.hpp"
#include "skills/unpack/unpack.hpp"

namespace clawperator::hub {

namespace fs = std::filesystem;

namespace {

constexpr unpack::Limits kArchiveLimits{
    .archive_bytes = kMaxArchive, .files = 5000, .bytes = 200ULL << 20, .file_bytes = 50ULL << 20};
constexpr std::string_view kSkillsPath = "/api/v1/skills/";

std::int64_t milliseconds_now() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::milliseconds>(now).count();
}

fs::path lock_path(const Places& places) { return places.lock_folder / "lock.json"; }

LockFile read_lock(const Places& places) {
  auto text = read_file(lock_path(places), kMaxLockFile);
  if (text) return LockFile::read(*text);
  return text.error().code() == errc::io ? LockFile() : LockFile::read("");
}

// What a run that was killed while it wrote has left; the folder's lock is held.
void remove_drafts(const fs::path& folder) {
  std::error_code error;
  auto at = fs::directory_iterator(folder, error);
  for (; !error && at != fs::directory_iterator(); at.increment(error)) {
    const std::string name = at->path().filename().string();
    std::error_code ignored;
    if (name.starts_with(".clawperator-") && name.ends_with(".part"))
      fs::remove(at->path(), ignored);
  }
}

// One that cannot be read is kept beside the new one.
Result<void> lock_version(const Places& places, const std::string& slug, const std::string& version,
                          std::int64_t at) {
  TRY(const FileHandle alone, lock_made_folder(places.lock_folder));
  remove_drafts(places.lock_folder);
  LockFile lock = read_lock(places);
  std::error_code ignored;
  if (lock.was_unreadable()) {
    fs::rename(lock_path(places), lock_path(places).string() + ".unreadable", ignored);
  }
  lock.set(slug, version, at);
  auto written = write_file_atomically(lock_path(places), lock.text());
  return written ? ok() : fail(errc::file_write_failed, written.error().message());
}

std::optional<Origin> origin_in(const fs::path& skill) {
  for (const char* marker : {".clawhub", ".clawdhub"}) {
    if (const auto text = read_file(skill / marker / "origin.json", kMaxLockFile)) {
      if (auto origin = read_origin(*text)) return origin;
    }
  }
  return std::nullopt;
}

// What a run before this one has put in its place and did not come to say.
Result<void> finish_former_runs(const Places& places) {
  for (const std::string& slug : recover_skills(places.skills)) {
    const auto origin = origin_in(places.skills / slug);
    if (!origin || origin->slug != slug) continue;
    const auto locked = read_lock(places).find(slug);
    if (locked && locked->version == origin->version) continue;
    TRY_VOID(lock_version(places, slug, origin->version, origin->installed_at));
  }
  return ok();
}

Result<void> tidy_up(const Places& places) {
  std::error_code ignored;
  if (!fs::is_directory(places.skills, ignored)) return ok();
  TRY(const FileHandle alone, lock_made_folder(places.skills));
  return finish_former_runs(places);
}

// Where nothing can be said of a skill none is put in its place.
Result<StagedSkill> begin_staging(const Places& places, const std::string& slug) {
  std::error_code error;
  fs::create_directories(places.lock_folder, error);
  if (error) {
    return fail(errc::file_write_failed,
                "cannot write " + places.lock_folder.string() + ": " + error.message());
  }
  TRY(const FileHandle alone, lock_made_folder(places.skills));
  return StagedSkill::begin(places.skills, slug);
}

std::unexpected<Error> local_changes(const std::string& message, const fs::path& path) {
  return fail(errc::hub_local_changes, message,
              ErrorMembers().object("details", ErrorMembers().text("path", path.string())).str());
}

// One skill of one hub.
class SkillJob {
 public:
  SkillJob(const Places& places, const Client& client, std::string slug)
      : places_(places), client_(client), slug_(std::move(slug)), target_(places.skills / slug_) {}

  Result<Installed> install(const InstallRequest& request) {
    TRY(const LocalSkill before, read_local_skill(target_, client_.stop()));
    const bool is_new = before.kind == LocalSkill::Kind::absent;
    if (!is_new && request.force == Force::no) {
      return local_changes("Already installed: " + target_.string() + " (use --force)", target_);
    }
    std::string version = request.version;
    if (version.empty()) {
      TRY(version, latest_version());
    }
    TRY(StagedSkill staged, stage(version));
    if (is_new) return put_in_place(std::move(staged), before, StagedSkill::Old::none, version);
    const auto resolved = resolve(before);
    const bool is_kept = !resolved || !resolved->match || has_more_than_version(before);
    return put_in_place(std::move(staged), before,
                        is_kept ? StagedSkill::Old::kept : StagedSkill::Old::dropped, version);
  }

  Result<Update> update(const InstallRequest& request) {
    const LockFile lock = read_lock(places_);
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
    TRY(StagedSkill staged, stage(wanted));
    TRY(const Installed done,
        put_in_place(std::move(staged), before, old_of(before, has_changes), wanted));
    return Update{slug_,    UpdateStatus::updated, wanted, known_version(locked, resolved), target_,
                  done.kept};
  }

 private:
  Result<std::string> latest_version() {
    Ask ask;
    ask.path = std::string(kSkillsPath) + escaped(slug_);
    ask.is_about_skill = true;
    TRY(const std::string text, client_.ask(ask));
    TRY(auto latest, read_latest(text));
    if (latest && !latest->empty()) return *std::move(latest);
    return fail(errc::hub_skill_not_found, slug_ + ": the hub has no version of it");
  }

  Result<Resolved> ask_for(const std::vector<HashedFile>& files) {
    Ask ask;
    ask.path = with_query("/api/v1/resolve", {{"slug", slug_}, {"hash", fingerprint_of(files)}});
    ask.is_about_skill = true;
    TRY(const std::string text, client_.ask(ask));
    return read_resolved(text);
  }

  // Older clients count the texts only, newer ones all files.
  Result<Resolved> resolve(const LocalSkill& local) {
    if (local.files.empty()) {
      TRY(std::string latest, latest_version());
      return Resolved{std::nullopt, std::move(latest)};
    }
    const auto texts = local.text_files();
    if (!texts.empty()) {
      TRY(Resolved resolved, ask_for(texts));
      has_more_files_ = texts.size() != local.files.size();
      if (resolved.match || !has_more_files_) return resolved;
    }
    has_more_files_ = false;
    return ask_for(local.files);
  }

  // Whether there is something in the folder that the version which matches does not tell of.
  [[nodiscard]] bool has_more_than_version(const LocalSkill& local) const {
    return local.kind == LocalSkill::Kind::other || local.has_uncounted || has_more_files_;
  }

  [[nodiscard]] StagedSkill::Old old_of(const LocalSkill& before, bool has_changes) const {
    if (before.kind == LocalSkill::Kind::absent) return StagedSkill::Old::none;
    const bool is_kept = has_changes || has_more_than_version(before);
    return is_kept ? StagedSkill::Old::kept : StagedSkill::Old::dropped;
  }

  Result<void> correct_lock(const std::optional<LockedSkill>& locked, const Resolved& resolved) {
    if (!resolved.match || (locked && locked->version == resolved.match)) return ok();
    const auto at = locked ? static_cast<std::int64_t>(locked->installed_at) : milliseconds_now();
    return lock_version(places_, slug_, *resolved.match, at);
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

  // Downloaded, unpacked and marked as ours; nothing that is in use has changed.
  Result<StagedSkill> stage(const std::string& version) {
    TRY(StagedSkill staged, begin_staging(places_, slug_));
    Ask ask;
    ask.path = with_query("/api/v1/download", {{"slug", slug_}, {"version", version}});
    ask.is_about_skill = true;
    TRY_VOID(client_.download(ask, staged.archive()));
    TRY(const auto files, unpack::unpack(staged.archive(), unpack::Format::zip, staged.fresh(),
                                         member_path, kArchiveLimits, client_.stop()));
    if (files.empty()) return fail(errc::archive_refused, "the archive has no file of a skill");
    const Origin origin{client_.registry(), slug_, version, milliseconds_now()};
    const fs::path marker = staged.fresh() / marker_of(places_) / "origin.json";
    auto written = write_file_atomically(marker, origin_text(origin));
    if (!written) return fail(errc::file_write_failed, written.error().message());
    return staged;
  }

  Result<Installed> put_in_place(StagedSkill staged, const LocalSkill& before, StagedSkill::Old old,
                                 const std::string& version) {
    TRY(const FileHandle alone, lock_made_folder(places_.skills));
    TRY(const LocalSkill now, read_local_skill(target_, client_.stop()));
    if (!now.is_same_as(before)) {
      return local_changes(target_.string() + " has changed meanwhile; nothing was touched",
                           target_);
    }
    if (client_.stop().stop_requested()) return fail(errc::cancelled, "cancelled");
    Installed done{slug_, version, client_.registry(), target_, {}};
    TRY(done.kept, staged.put_in_place(old));
    TRY_VOID(lock_version(places_, slug_, version, milliseconds_now()));
    return done;
  }

  const Places& places_;
  const Client& client_;
  std::string slug_;
  fs::path target_;
  bool has_more_files_ = false;  // than those that resolve() went by
};

Update failed_update(const std::string& slug, Error error) {
  Update update;
  update.slug = slug;
  update.error = std::move(error);
  return update;
}

Result<Update> update_locked(const Places& places, const Client& client, const LockedSkill& locked,
                             Force force) {
  TRY(const std::string slug, checked_slug(locked.slug));
  if (slug != locked.slug) return fail(errc::usage, locked.slug + " is no slug");
  if (locked.pinned) {
    return Update{slug, UpdateStatus::pinned, locked.version.value_or(""), std::nullopt,
                  places.skills / slug};
  }
  return SkillJob(places, client, slug).update({.force = force});
}

}  // namespace

Result<Installed> install_skill(const Places& places, const InstallRequest& request,
                                const std::stop_token& stop) {
  TRY_VOID(tidy_up(places));
  // Before anything is asked; once more when it is put in its place.
  std::error_code ignored;
  const fs::path target = places.skills / request.slug;
  const bool is_there = fs::symlink_status(target, ignored).type() != fs::file_type::not_found;
  if (is_there && request.force == Force::no) {
    return local_changes("Already installed: " + target.string() + " (use --force)", target);
  }
  TRY(const Client client, client_as_anybody(places, stop));
  return SkillJob(places, client, request.slug).install(request);
}

Result<std::vector<Update>> update_skills(const Places& places, const InstallRequest& request,
                                          const std::stop_token& stop) {
  TRY_VOID(tidy_up(places));
  std::vector<Update> updates;
  const auto locked = list_skills(places);
  if (request.slug.empty() && locked.empty()) return updates;
  TRY(const Client client, client_as_anybody(places, stop));
  if (!request.slug.empty()) {
    TRY(Update update, SkillJob(places, client, request.slug).update(request));
    updates.push_back(std::move(update));
    return updates;
  }
  for (const LockedSkill& each : locked) {
    auto update = update_locked(places, client, each, request.force);
    if (!update && stop.stop_requested()) return std::unexpected(update.error());
    updates.push_back(update ? *std::move(update) : failed_update(each.slug, update.error()));
  }
  return updates;
}

std::vector<LockedSkill> list_skills(const Places& places) { return read_lock(places).skills(); }

}  // namespace clawperator::hub
