#include "skills/phone/checkout.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <ranges>

#include "base/error_members.hpp"
#include "base/file_handle.hpp"
#include "base/files.hpp"
#include "runtime/fetch/part_file.hpp"
#include "skills/phone/checkout_plan.hpp"
#include "skills/phone/repository_files.hpp"

namespace clawperator::phone_skills {

namespace fs = std::filesystem;

namespace {

// Upwards, as long as the folders are empty.
void remove_empty_folders(fs::path folder, const fs::path& top) {
  while (folder != top && ::rmdir(folder.c_str()) == 0) folder = folder.parent_path();
}

// Writes a plan into a checkout completely or not at all: new files are staged first, each then
// takes its place by a rename, and the earlier ones are kept until the end.
class CheckoutJournal {
 public:
  // `staging`: a folder of our own on the file system of `folder`; it is made, and removed at the
  // end.
  CheckoutJournal(fs::path folder, fs::path staging)
      : folder_(std::move(folder)), staging_(std::move(staging)) {}

  ~CheckoutJournal() {
    if (!kept_) take_back();
    std::error_code ignored;
    fs::remove_all(staging_, ignored);
  }

  CheckoutJournal(const CheckoutJournal&) = delete;
  CheckoutJournal& operator=(const CheckoutJournal&) = delete;

  // Nothing in the checkout is changed yet.
  Result<void> stage(git_repository* repository, const std::vector<FileChange>& changes,
                     const std::stop_token& stop) {
    std::error_code ignored;
    fs::remove_all(staging_, ignored);  // left by a killed sync
    TRY_VOID(make_folders(staging_ / "new"));
    TRY_VOID(make_folders(staging_ / "old"));
    for (std::size_t i = 0; i < changes.size(); ++i) {
      if (stop.stop_requested()) return fail(errc::cancelled, "cancelled");
      if (!changes[i].content) continue;
      const FileChange::Content& content = *changes[i].content;
      const fs::path file = staging_ / "new" / std::to_string(i);
      auto text =
          content.text ? Result<std::string>(*content.text) : content_of(repository, content.blob);
      if (!text) return std::unexpected(std::move(text).error());
      TRY_VOID(write_new_file(file, *text, content.executable));
    }
    return ok();
  }

  Result<void> write(const std::vector<FileChange>& changes) {
    for (std::size_t i = 0; i < changes.size(); ++i) TRY_VOID(write_one(changes[i], i));
    return ok();
  }

  // Notes a file before it is replaced, so that a failure restores it with the others.
  Result<void> remember(const fs::path& file) {
    struct stat found{};
    fs::path before;
    if (::lstat(file.c_str(), &found) == 0 && S_ISREG(found.st_mode)) {
      before = staging_ / "old" / std::to_string(done_.size());
      TRY_VOID(link_file(file, before));
    }
    done_.push_back({file, before});
    return ok();
  }

  void keep() { kept_ = true; }

 private:
  struct Done {
    std::filesystem::path file{};
    std::filesystem::path before{};  // empty: there was no file
  };
  Result<void> write_one(const FileChange& change, std::size_t number) {
    const fs::path file = folder_ / change.path;
    TRY_VOID(remember(file));
    if (!change.content) {
      if (::unlink(file.c_str()) != 0 && errno != ENOENT) return cannot_write(file, errno);
      remove_empty_folders(file.parent_path(), folder_);
      return ok();
    }
    ::rmdir(file.c_str());  // folders that the removals have emptied
    TRY_VOID(make_folders(file.parent_path()));
    const fs::path staged = staging_ / "new" / std::to_string(number);
    if (::rename(staged.c_str(), file.c_str()) == 0) return ok();
    return cannot_write(file, errno);
  }

  void take_back() {
    std::error_code ignored;
    for (const Done& done : std::views::reverse(done_)) {
      if (done.before.empty()) {
        ::unlink(done.file.c_str());
        remove_empty_folders(done.file.parent_path(), folder_);
      } else {
        fs::create_directories(done.file.parent_path(), ignored);
        ::rename(done.before.c_str(), done.file.c_str());
      }
    }
  }

  std::filesystem::path folder_;
  std::filesystem::path staging_;
  std::vector<Done> done_;
  bool kept_ = false;
};

// The commit of the last sync: upstream's state then, even if its history was rewritten since.
constexpr const char* kSynced = "refs/clawperator/synced";

std::string branch_name(const std::string& ref) { return "refs/heads/" + ref; }

}  // namespace

// The result of prepare(), for write().
struct Checkout::Prepared {
  Prepared(Target wanted, const fs::path& folder, const fs::path& staging)
      : target(std::move(wanted)), commit(target.fetched.commit), journal(folder, staging) {}

  Target target;
  git_oid commit;  // the target's, or a branch of the user's that is ahead of it
  Git<git_index> index;
  TreeFiles base;
  TreeFiles incoming;
  TreeFiles base_modules;
  TreeFiles incoming_modules;
  CheckoutPlan plan;
  CheckoutJournal journal;
};

Checkout::Checkout(fs::path folder) : folder_(std::move(folder)) {}
Checkout::Checkout(Checkout&&) noexcept = default;
Checkout::~Checkout() = default;

Result<Checkout> Checkout::create(const fs::path& folder) {
  Checkout checkout(folder);
  TRY(checkout.repository_, made_by_git<git_repository>([&](git_repository** out) {
        return git_repository_init(out, folder.c_str(), 0);
      }));
  return checkout;
}

Result<Checkout> Checkout::open(const fs::path& folder) {
  Checkout checkout(folder);
  TRY(checkout.repository_, made_by_git<git_repository>([&](git_repository** out) {
        return git_repository_open_ext(out, folder.c_str(), GIT_REPOSITORY_OPEN_NO_SEARCH, nullptr);
      }));
  git_repository* repository = checkout.repository();
  if (git_repository_is_bare(repository) != 0) {
    return fail(errc::refused, folder.string() + " is a bare repository, no checkout");
  }
  if (git_repository_state(repository) != GIT_REPOSITORY_STATE_NONE) {
    return fail(errc::refused, folder.string() + " is in the middle of a merge or rebase");
  }
  return checkout;
}

std::string Checkout::origin() const {
  const ForgetfulGit scope;
  const auto remote = made_by_git<git_remote>(
      [this](git_remote** out) { return git_remote_lookup(out, repository(), "origin"); });
  const char* url = remote ? git_remote_url(remote->get()) : nullptr;
  return url != nullptr ? url : "";
}

Result<void> Checkout::note_upstream() {
  for (const char* glob : {"refs/remotes/*", "refs/clawperator/tags/*", kSynced}) {
    TRY(const auto commits, commits_of_refs(repository(), glob));
    upstream_.insert(upstream_.end(), commits.begin(), commits.end());
  }
  return ok();
}

std::optional<git_oid> Checkout::id_of(const std::string& name) const {
  git_oid id;
  if (git_reference_name_to_id(&id, repository(), name.c_str()) != 0) return std::nullopt;
  return id;
}

bool Checkout::is_reachable(const git_oid& commit, const std::vector<git_oid>& from) const {
  return git_graph_reachable_from_any(repository(), &commit, from.data(), from.size()) == 1;
}

Result<void> Checkout::check_no_local_commits(const git_oid& commit,
                                              const std::string& where) const {
  if (is_reachable(commit, upstream_)) return ok();
  return fail(errc::refused, where + " of " + folder_.string() +
                                 " has commits that the repository does not have (" +
                                 text_of(commit).substr(0, 12) +
                                 "): push them, or move them to a branch of another name");
}

// No branch would reach these commits any more.
Result<void> Checkout::check_detached_head() const {
  const auto head = id_of("HEAD");
  if (!head || git_repository_head_detached(repository()) != 1) return ok();
  TRY(const auto branches, commits_of_refs(repository(), "refs/heads/*"));
  if (is_reachable(*head, branches)) return ok();
  return check_no_local_commits(*head, "The detached HEAD");
}

Result<void> Checkout::choose_commit(const Target& target) {
  TRY_VOID(note_upstream());
  TRY_VOID(check_detached_head());
  if (!target.fetched.is_branch) return ok();
  const auto branch = id_of(branch_name(target.ref));
  if (!branch || same_id(*branch, prepared_->commit)) return ok();
  if (!is_reachable(prepared_->commit, {*branch}) || is_reachable(*branch, upstream_)) {
    return check_no_local_commits(*branch, "The branch " + target.ref);
  }
  prepared_->commit = *branch;  // the user's own commits on top of upstream's last one
  return ok();
}

Result<void> Checkout::read_trees() {
  if (const auto head = id_of("HEAD")) {
    TRY(prepared_->base, files_of(repository(), *head, Reading::lenient, &prepared_->base_modules));
  }
  TRY(prepared_->incoming,
      files_of(repository(), prepared_->commit, Reading::strict, &prepared_->incoming_modules));
  return ok();
}

Result<void> Checkout::plan() {
  TRY(prepared_->index, made_by_git<git_index>([this](git_index** out) {
        return git_repository_index(out, repository());
      }));
  if (git_index_has_conflicts(prepared_->index.get()) != 0) {
    return fail(errc::refused, folder_.string() + " has files with unresolved conflicts");
  }
  TRY(prepared_->plan, plan_checkout({repository(), prepared_->index.get(), folder_,
                                      &prepared_->base, &prepared_->incoming}));
  const auto& conflicts = prepared_->plan.conflicts;
  if (conflicts.empty()) return ok();
  ErrorMembers members;
  members.text("hint", "Move your versions away, or remove them, and run it again.");
  members.object("details", ErrorMembers().strings("conflicts", conflicts));
  std::string names = conflicts.front();
  if (conflicts.size() > 1) names += " and " + std::to_string(conflicts.size() - 1) + " more";
  return fail(errc::refused,
              "you and the repository both changed " + names + "; nothing was touched",
              members.str());
}

Result<void> Checkout::prepare(const Target& target, const std::stop_token& stop) {
  const fs::path git_folder = git_repository_path(repository());
  prepared_ = std::make_unique<Prepared>(target, folder_, git_folder / "clawperator-sync");
  TRY_VOID(choose_commit(target));
  TRY_VOID(read_trees());
  TRY_VOID(plan());
  return prepared_->journal.stage(repository(), prepared_->plan.changes, stop);
}

Result<std::size_t> Checkout::write() {
  CheckoutJournal& journal = prepared_->journal;
  TRY_VOID(journal.write(prepared_->plan.changes));
  if (const char* file = git_index_path(prepared_->index.get())) TRY_VOID(journal.remember(file));
  TRY_VOID(write_index());
  const std::string origin_before = origin();
  TRY_VOID(write_origin());
  if (auto written = write_refs(); !written) {
    if (!origin_before.empty()) {
      git_remote_set_url(repository(), "origin", origin_before.c_str());
    }
    return std::unexpected(std::move(written).error());
  }
  journal.keep();
  const std::size_t files = prepared_->plan.changes.size();
  prepared_.reset();
  return files;
}

// Only files that upstream changed: what the user staged stays staged.
Result<void> Checkout::write_index() {
  git_index* index = prepared_->index.get();
  for (const auto& [path, file] : prepared_->base) {
    if (!prepared_->incoming.contains(path)) git_index_remove(index, path.c_str(), 0);
  }
  for (const auto& [path, file] : prepared_->incoming) {
    const auto before = prepared_->base.find(path);
    if (before != prepared_->base.end() && before->second == file) continue;
    git_index_entry entry{};
    entry.mode = file.executable ? GIT_FILEMODE_BLOB_EXECUTABLE : GIT_FILEMODE_BLOB;
    entry.id = file.id;
    entry.path = path.c_str();
    TRY_VOID(git_did(git_index_add(index, &entry)));
  }
  TRY_VOID(write_submodules(index));
  return git_did(git_index_write(index));
}

// Git lists a submodule in the index, and has an empty folder in its place. Without both it would
// report that the user has removed it.
Result<void> Checkout::write_submodules(git_index* index) {
  const TreeFiles& incoming = prepared_->incoming_modules;
  for (const auto& [path, module] : prepared_->base_modules) {
    if (incoming.contains(path) || prepared_->incoming.contains(path)) continue;
    git_index_remove(index, path.c_str(), 0);
    ::rmdir((folder_ / path).c_str());
  }
  for (const auto& [path, module] : incoming) {
    git_index_entry entry{};
    entry.mode = GIT_FILEMODE_COMMIT;
    entry.id = module.id;
    entry.path = path.c_str();
    TRY_VOID(git_did(git_index_add(index, &entry)));
    std::error_code ignored;  // what is in its place stays
    fs::create_directories((folder_ / path).parent_path(), ignored);
    ::mkdir((folder_ / path).c_str(), 0777);
  }
  return ok();
}

Result<void> Checkout::point(const std::string& name, const git_oid& id) {
  TRY_VOID(made_by_git<git_reference>([&](git_reference** out) {
    return git_reference_create(out, repository(), name.c_str(), &id, 1, "clawperator skills");
  }));
  return ok();
}

Result<void> Checkout::write_refs() {
  const Target& target = prepared_->target;
  TRY_VOID(point(kSynced, target.fetched.commit));
  if (!target.fetched.is_branch) {
    return git_did(git_repository_set_head_detached(repository(), &prepared_->commit));
  }
  const std::string branch = branch_name(target.ref);
  const auto before = id_of(branch);
  TRY_VOID(point(branch, prepared_->commit));
  const auto done = git_did(git_repository_set_head(repository(), branch.c_str()));
  if (done) return ok();
  if (before) std::ignore = point(branch, *before);
  if (!before) git_reference_remove(repository(), branch.c_str());
  return done;
}

// The next update uses the repository of this sync.
Result<void> Checkout::write_origin() {
  const ForgetfulGit scope;
  const std::string& url = prepared_->target.url;
  const std::string before = origin();
  if (before == url) return ok();
  if (!before.empty()) return git_did(git_remote_set_url(repository(), "origin", url.c_str()));
  TRY_VOID(made_by_git<git_remote>([&](git_remote** out) {
    return git_remote_create(out, repository(), "origin", url.c_str());
  }));
  return ok();
}

}  // namespace clawperator::phone_skills
