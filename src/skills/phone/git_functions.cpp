#include "skills/phone/git_functions.hpp"

#include <set>

#include "base/git_name.hpp"

namespace clawperator::phone_skills {

CLAWPERATOR_LIBGIT2(LOADED_DEFINE)

namespace {

constexpr std::size_t kMostObjects = 1'000'000;  // of one pack

// Files of another user are read all the same, because nothing in a repository is ever run.
void set_options() {
  for (const int level : {GIT_CONFIG_LEVEL_PROGRAMDATA, GIT_CONFIG_LEVEL_SYSTEM,
                          GIT_CONFIG_LEVEL_XDG, GIT_CONFIG_LEVEL_GLOBAL}) {
    git_libgit2_opts(GIT_OPT_SET_SEARCH_PATH, level, "");
  }
  git_libgit2_opts(GIT_OPT_SET_OWNER_VALIDATION, 0);
  git_libgit2_opts(GIT_OPT_SET_PACK_MAX_OBJECTS, kMostObjects);
  // Sparse and partial clones: what they add to a repository changes no object. A missing one is an
  // error where it is read.
  const char* harmless[] = {"worktreeconfig", "partialclone"};
  git_libgit2_opts(GIT_OPT_SET_EXTENSIONS, harmless, std::size(harmless));
}

Result<void> bind_git() {
  LoadedLibrary library("libgit2.so." LIBGIT2_SOVERSION);
  CLAWPERATOR_LIBGIT2(LOADED_BIND)
  TRY_VOID(library.complete("libgit2-" LIBGIT2_SOVERSION));
  if (const int code = git_libgit2_init(); code < 0) return git_did(code);
  set_options();
  return ok();
}

constexpr std::size_t kDeepest = 32;
// Ten thousand skills of five files each fit.
constexpr std::size_t kMostFiles = 50'000;
// About 10 KiB for each of kMostFiles; a hostile repository must not fill the disk.
constexpr std::uint64_t kMostBytes = 512ULL << 20;

bool is_plain_name(std::string_view name) {
  if (name.empty() || name == "." || name == ".." || name.size() > 255) return false;
  if (name.find_first_of(std::string_view("/\\\0", 3)) != name.npos) return false;
  return !is_git_name(name);
}

class TreeWalk {
 public:
  TreeWalk(git_repository* repository, Reading reading, TreeFiles* submodules)
      : repository_(repository), reading_(reading), submodules_(submodules) {}

  Result<TreeFiles> run(const git_oid& commit) {
    TRY(odb_, made_by_git<git_odb>(
                  [this](git_odb** out) { return git_repository_odb(out, repository_); }));
    TRY_VOID(walk(commit, "", 0));
    return std::move(files_);
  }

 private:
  // `id`: of a tree, or of the commit that has it.
  Result<void> walk(const git_oid& id, const std::string& prefix, std::size_t depth) {
    if (depth > kDeepest || ++folders_ > kMostFiles) {
      return fail(errc::limit, "the repository has too many folders: " + prefix);
    }
    TRY(const auto object, made_by_git<git_object>([&](git_object** out) {
          return git_object_lookup(out, repository_, &id, GIT_OBJECT_ANY);
        }));
    TRY(const auto peeled, made_by_git<git_object>([&](git_object** out) {
          return git_object_peel(out, object.get(), GIT_OBJECT_TREE);
        }));
    const auto* tree = reinterpret_cast<const git_tree*>(peeled.get());
    std::set<std::string> names;
    for (std::size_t i = 0; i < git_tree_entrycount(tree); ++i) {
      const git_tree_entry* entry = git_tree_entry_byindex(tree, i);
      const std::string name = git_tree_entry_name(entry);
      if (!is_plain_name(name) || !names.insert(name).second) {
        return fail(errc::protocol,
                    "the repository has a file of a name that is refused: " + prefix + name);
      }
      TRY_VOID(add(entry, prefix + name, depth));
    }
    return ok();
  }

  Result<void> add(const git_tree_entry* entry, const std::string& path, std::size_t depth) {
    const git_oid& id = *git_tree_entry_id(entry);
    switch (git_tree_entry_filemode(entry)) {
      case GIT_FILEMODE_TREE: return walk(id, path + "/", depth + 1);
      case GIT_FILEMODE_COMMIT:
        if (submodules_ != nullptr) submodules_->emplace(path, TreeFile{id});
        return ok();
      case GIT_FILEMODE_LINK:
        if (reading_ == Reading::lenient) return ok();
        return fail(errc::protocol,
                    "the repository has a symbolic link, and skills need none: " + path);
      default: break;
    }
    const bool executable = git_tree_entry_filemode(entry) == GIT_FILEMODE_BLOB_EXECUTABLE;
    files_.emplace(path, TreeFile{id, executable});
    return reading_ == Reading::strict ? count(id) : ok();
  }

  Result<void> count(const git_oid& id) {
    std::size_t size = 0;
    git_object_t type = GIT_OBJECT_ANY;
    TRY_VOID(git_did(git_odb_read_header(&size, &type, odb_.get(), &id)));
    bytes_ += size;
    if (bytes_ <= kMostBytes && files_.size() <= kMostFiles && type == GIT_OBJECT_BLOB) return ok();
    return fail(errc::limit, "the repository has too many files, or too large ones");
  }

  git_repository* repository_;
  Reading reading_;
  TreeFiles* submodules_;
  Git<git_odb> odb_;
  TreeFiles files_;
  std::size_t folders_ = 0;
  std::uint64_t bytes_ = 0;
};

}  // namespace

Result<void> load_git() {
  static const Result<void> kLoaded = bind_git();
  return kLoaded;
}

Result<void> git_did(int code) {
  if (code >= 0) return ok();
  const git_error* error = git_error_last();
  const bool has_message = error != nullptr && error->message != nullptr && *error->message != '\0';
  return fail(errc::io, has_message ? error->message : "git failed with " + std::to_string(code));
}

std::string text_of(const git_oid& id) {
  std::array<char, GIT_OID_HEXSZ + 1> text{};
  return git_oid_tostr(text.data(), text.size(), &id);
}

Result<TreeFiles> files_of(git_repository* repository, const git_oid& commit, Reading reading,
                           TreeFiles* submodules) {
  return TreeWalk(repository, reading, submodules).run(commit);
}

Result<std::string> content_of(git_repository* repository, const git_oid& id) {
  TRY(const auto blob,
      made_by_git<git_blob>([&](git_blob** out) { return git_blob_lookup(out, repository, &id); }));
  const auto size = static_cast<std::size_t>(git_blob_rawsize(blob.get()));
  return std::string(static_cast<const char*>(git_blob_rawcontent(blob.get())), size);
}

}  // namespace clawperator::phone_skills
