#include "skills/phone/repository_scan.hpp"

#include <algorithm>
#include <unordered_set>

#include "base/system/environment.hpp"
#include "skills/phone/git_fetch.hpp"
#include "skills/privacy/errc.hpp"
#include "skills/privacy/scan_text.hpp"

namespace clawperator::phone_skills {

namespace fs = std::filesystem;

namespace {

struct ScanLimits {
  // Of HEAD, with the folders. The largest public repositories have about as many.
  static constexpr std::size_t kEntries = 500'000;
  // Of the history: commits, folders and files. An id takes about 40 bytes.
  static constexpr std::size_t kObjects = 5'000'000;
  static constexpr std::size_t kFile = 10U << 20;  // longer ones are data, not texts
  static constexpr std::size_t kCompared = 1000;   // each with each, as git's own limit
  static constexpr std::size_t kDeepest = 256;     // each level is a call
};

struct IdHash {
  std::size_t operator()(const git_oid& id) const {
    return std::hash<std::string_view>()(
        {reinterpret_cast<const char*>(static_cast<const unsigned char*>(id.id)), sizeof id.id});
  }
};
struct SameId {
  bool operator()(const git_oid& one, const git_oid& other) const { return same_id(one, other); }
};

// libgit2 reads no other kind.
constexpr const char* kPlainIndex =
    ". A sparse or split index becomes plain by `git sparse-checkout reapply --no-sparse-index` "
    "and "
    "`git update-index --no-split-index`";

std::unexpected<Error> too_large(std::string_view what) {
  return fail(errc::privacy_scan_failed, "the repository has too many " + std::string(what) +
                                             ": scan the staged lines, --staged, or HEAD alone");
}

bool is_file(std::uint16_t mode) {
  return mode == GIT_FILEMODE_BLOB || mode == GIT_FILEMODE_BLOB_EXECUTABLE ||
         mode == GIT_FILEMODE_LINK;
}

template <class T>
Result<Git<T>> found_object(git_repository* repository, const git_oid& id, git_object_t type) {
  return made_by_git<T>([&](T** out) {
    return git_object_lookup(reinterpret_cast<git_object**>(out), repository, &id, type);
  });
}

class RepositoryScan {
 public:
  RepositoryScan(git_repository* repository, const privacy::Terms* terms)
      : repository_(repository), terms_(terms) {}

  // Its path in the repository, if it is there.
  void leave_out(const fs::path& file) {
    const char* top = git_repository_workdir(repository_);
    std::error_code error;
    const fs::path real = fs::canonical(file, error);
    if (top == nullptr || error) return;
    left_out_ = real.lexically_relative(fs::canonical(top, error)).string();
  }

  Result<void> scan_head() {
    if (const auto head = id_of_head()) return scan_commit(*head);
    return ok();
  }

  Result<void> scan_history() {
    report_.has_commits = true;
    TRY(const auto commits, all_commits());
    for (const Commit& commit : commits) {
      prefix_ = text_of(commit.id).substr(0, 12) + ":";
      TRY_VOID(scan_commit(commit.id));
    }
    return ok();
  }

  Result<void> scan_staged(const fs::path& index_file) {
    if (git_repository_is_bare(repository_) != 0) {
      return fail(errc::privacy_scan_failed, "a bare repository has no staged lines: scan HEAD");
    }
    const auto index = made_by_git<git_index>([&](git_index** out) {
      return index_file.empty() ? git_repository_index(out, repository_)
                                : git_index_open(out, index_file.c_str());
    });
    if (!index) {
      return fail(errc::privacy_scan_failed,
                  "the index cannot be read: " + index.error().message() + kPlainIndex);
    }
    Git<git_tree> head;
    if (const auto id = id_of_head()) {
      TRY(head, tree_of(*id));
    }
    TRY(const auto diff, made_by_git<git_diff>([&](git_diff** out) {
          return git_diff_tree_to_index(out, repository_, head.get(), index->get(), nullptr);
        }));
    TRY_VOID(find_renames(diff.get()));
    const std::size_t count = git_diff_num_deltas(diff.get());
    for (std::size_t i = 0; i < count; ++i) {
      TRY_VOID(scan_delta(*git_diff_get_delta(diff.get(), i)));
    }
    return ok();
  }

  report::Report report() && { return std::move(report_); }

 private:
  static Result<void> find_renames(git_diff* diff) {
    git_diff_find_options options{};
    TRY_VOID(git_did(git_diff_find_options_init(&options, GIT_DIFF_FIND_OPTIONS_VERSION)));
    options.flags = GIT_DIFF_FIND_RENAMES;
    // As git: of many files only those with the same content.
    if (git_diff_num_deltas(diff) > ScanLimits::kCompared)
      options.flags |= GIT_DIFF_FIND_EXACT_MATCH_ONLY;
    return git_did(git_diff_find_similar(diff, &options));
  }

  [[nodiscard]] std::optional<git_oid> id_of_head() const {
    git_oid id;
    if (git_reference_name_to_id(&id, repository_, "HEAD") != 0) return std::nullopt;
    return id;
  }

  Result<Git<git_tree>> tree_of(const git_oid& commit) const {
    TRY(const auto object, found_object<git_object>(repository_, commit, GIT_OBJECT_ANY));
    return made_by_git<git_tree>([&](git_tree** out) {
      return git_object_peel(reinterpret_cast<git_object**>(out), object.get(), GIT_OBJECT_TREE);
    });
  }

  [[nodiscard]] std::size_t most_entries() const {
    return report_.has_commits ? ScanLimits::kObjects : ScanLimits::kEntries;
  }

  struct Commit {
    git_time_t time;
    std::ptrdiff_t before;  // its children, where they have the same time
    git_oid id;
  };
  // The oldest first.
  Result<std::vector<Commit>> all_commits() {
    TRY(auto open, commits_of_refs(repository_, "refs/*"));
    if (const auto head = id_of_head()) open.push_back(*head);
    std::vector<Commit> commits;
    while (!open.empty()) {
      const git_oid id = open.back();
      open.pop_back();
      if (!seen_.insert(id).second) continue;
      if (seen_.size() > ScanLimits::kObjects) return too_large("commits");
      const auto commit = found_object<git_commit>(repository_, id, GIT_OBJECT_COMMIT);
      // A shallow clone ends somewhere.
      if (!commit && git_repository_is_shallow(repository_) == 1) continue;
      if (!commit) return std::unexpected(commit.error());
      commits.push_back({git_commit_time(commit->get()), -std::ssize(commits), id});
      for (unsigned i = 0; i < git_commit_parentcount(commit->get()); ++i) {
        open.push_back(*git_commit_parent_id(commit->get(), i));
      }
    }
    std::ranges::sort(commits, {},
                      [](const Commit& each) { return std::pair(each.time, each.before); });
    return commits;
  }

  Result<void> scan_commit(const git_oid& id) {
    TRY(const auto tree, tree_of(id));
    return scan_tree(tree.get(), "", 0);
  }

  Result<void> scan_tree(const git_tree* tree, const std::string& folder, std::size_t depth) {
    if (depth > ScanLimits::kDeepest) return too_large("folders in one another");
    for (std::size_t i = 0; i < git_tree_entrycount(tree); ++i) {
      const git_tree_entry* entry = git_tree_entry_byindex(tree, i);
      const git_oid& id = *git_tree_entry_id(entry);
      const auto mode = git_tree_entry_filemode(entry);
      const std::string path = folder + git_tree_entry_name(entry);
      if (mode == GIT_FILEMODE_COMMIT) continue;  // a submodule
      if (path == left_out_) continue;            // before it is seen: a copy is not left out
      if (report_.has_commits && !seen_.insert(id).second) continue;
      if (++entries_ > most_entries()) return too_large("files");
      if (mode == GIT_FILEMODE_TREE) {
        TRY(const auto below, found_object<git_tree>(repository_, id, GIT_OBJECT_TREE));
        TRY_VOID(scan_tree(below.get(), path + "/", depth + 1));
      } else {
        TRY_VOID(scan_blob(id, path));
      }
    }
    return ok();
  }

  // Null: it is too large, and counted.
  Result<Git<git_blob>> text_blob(const git_oid& id) {
    if (!odb_) {
      TRY(odb_, made_by_git<git_odb>(
                    [this](git_odb** out) { return git_repository_odb(out, repository_); }));
    }
    std::size_t size = 0;
    git_object_t type = GIT_OBJECT_ANY;
    TRY_VOID(git_did(git_odb_read_header(&size, &type, odb_.get(), &id)));
    if (size > ScanLimits::kFile) {
      ++report_.skipped.large;
      return nullptr;
    }
    return found_object<git_blob>(repository_, id, GIT_OBJECT_BLOB);
  }

  static std::string_view text_of_blob(const git_blob* blob) {
    return {static_cast<const char*>(git_blob_rawcontent(blob)),
            static_cast<std::size_t>(git_blob_rawsize(blob))};
  }

  Result<void> scan_blob(const git_oid& id, const std::string& path) {
    TRY(const auto blob, text_blob(id));
    if (blob) privacy::scan_text(prefix_ + path, text_of_blob(blob.get()), terms_, &report_);
    return ok();
  }

  struct AddedLines {
    RepositoryScan* scan;
    std::string file;
  };
  static int on_line(const git_diff_delta*, const git_diff_hunk*, const git_diff_line* line,
                     void* payload) {
    if (line->origin != GIT_DIFF_LINE_ADDITION) return 0;
    const auto& [scan, file] = *static_cast<const AddedLines*>(payload);
    std::string_view text(line->content, line->content_len);
    if (text.ends_with('\n')) text.remove_suffix(1);
    privacy::scan_line(file, static_cast<std::size_t>(line->new_lineno), text, scan->terms_,
                       &scan->report_);
    return 0;
  }

  Result<void> scan_delta(const git_diff_delta& delta) {
    if (!is_file(delta.new_file.mode) || delta.status == GIT_DELTA_DELETED) return ok();
    const std::string path = delta.new_file.path;
    if (path == left_out_) return ok();
    TRY(const auto blob, text_blob(delta.new_file.id));
    if (!blob) return ok();
    const auto old = is_file(delta.old_file.mode)
                         ? found_object<git_blob>(repository_, delta.old_file.id, GIT_OBJECT_BLOB)
                         : Git<git_blob>();
    const std::string_view text = text_of_blob(blob.get());
    if (!old || !*old || privacy::is_binary(text) ||
        static_cast<std::size_t>(git_blob_rawsize(old->get())) > ScanLimits::kFile) {
      privacy::scan_text(path, text, terms_, &report_);
      return ok();
    }
    ++report_.count;
    // Also where the old file was none. Without a path no attribute of the repository counts.
    git_diff_options options{};
    TRY_VOID(git_did(git_diff_options_init(&options, GIT_DIFF_OPTIONS_VERSION)));
    options.flags = GIT_DIFF_FORCE_TEXT;
    options.context_lines = 0;
    AddedLines added{this, path};
    return git_did(git_diff_blobs(old->get(), nullptr, blob.get(), nullptr, &options, nullptr,
                                  nullptr, nullptr, on_line, &added));
  }

  git_repository* repository_;
  const privacy::Terms* terms_;
  report::Report report_{.counted = "files"};
  Git<git_odb> odb_;
  std::string left_out_;
  std::string prefix_;
  std::unordered_set<git_oid, IdHash, SameId> seen_;
  std::size_t entries_ = 0;
};

Result<void> run(RepositoryScan* scan, const ScanOrder& order) {
  if (order.what == Scanned::head) return scan->scan_head();
  if (order.what == Scanned::history) return scan->scan_history();
  // `git commit FILE` and `git commit -a` give their hook another index.
  const auto index = order.folder.empty() ? environment_variable("GIT_INDEX_FILE") : std::nullopt;
  return scan->scan_staged(index.value_or(""));
}

}  // namespace

Result<Git<git_repository>> open_repository_around(const fs::path& folder) {
  TRY_VOID(load_git());
  const fs::path start =
      folder.empty() ? environment_variable("GIT_DIR").value_or(".") : folder.string();
  auto repository = made_by_git<git_repository>([&](git_repository** out) {
    return git_repository_open_ext(out, start.c_str(), 0, nullptr);
  });
  if (repository) return repository;
  return fail(errc::privacy_scan_failed, start.string() +
                                             " is in no git repository that can be "
                                             "read: " +
                                             repository.error().message());
}

Result<report::Report> scan_repository(const ScanOrder& order) {
  TRY(const auto repository, open_repository_around(order.folder));
  RepositoryScan scan(repository.get(), order.terms);
  if (order.terms != nullptr) scan.leave_out(order.terms_file);
  TRY_VOID(with_code(errc::privacy_scan_failed, run(&scan, order)));
  return std::move(scan).report();
}

}  // namespace clawperator::phone_skills
