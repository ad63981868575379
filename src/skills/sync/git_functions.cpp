#include "skills/sync/git_functions.hpp"

#include <array>

namespace clawperator::skills {

CLAWPERATOR_LIBGIT2(LOADED_DEFINE)

namespace {

constexpr std::size_t kMostObjects = 1'000'000;  // of one pack

// What is somebody else's is read all the same: nothing of a repository is ever run.
void set_options() {
  for (const int level : {GIT_CONFIG_LEVEL_PROGRAMDATA, GIT_CONFIG_LEVEL_SYSTEM,
                          GIT_CONFIG_LEVEL_XDG, GIT_CONFIG_LEVEL_GLOBAL}) {
    git_libgit2_opts(GIT_OPT_SET_SEARCH_PATH, level, "");
  }
  git_libgit2_opts(GIT_OPT_SET_OWNER_VALIDATION, 0);
  git_libgit2_opts(GIT_OPT_SET_PACK_MAX_OBJECTS, kMostObjects);
}

Result<void> bind_git() {
  LoadedLibrary library("libgit2.so." LIBGIT2_SOVERSION);
  CLAWPERATOR_LIBGIT2(LOADED_BIND)
  TRY_VOID(library.complete("libgit2-" LIBGIT2_SOVERSION));
  if (const int code = git_libgit2_init(); code < 0) return git_did(code);
  set_options();
  return ok();
}

}  // namespace

Result<void> load_git() {
  static const Result<void> kLoaded = bind_git();
  return kLoaded;
}

Result<void> git_did(int code) {
  if (code >= 0) return ok();
  const git_error* error = git_error_last();
  const bool told = error != nullptr && error->message != nullptr && *error->message != '\0';
  return fail(errc::io, told ? error->message : "git failed with " + std::to_string(code));
}

std::string text_of(const git_oid& id) {
  std::array<char, GIT_OID_HEXSZ + 1> text{};
  return git_oid_tostr(text.data(), text.size(), &id);
}

}  // namespace clawperator::skills
