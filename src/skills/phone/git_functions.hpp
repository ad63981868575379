#pragma once
// The functions of libgit2 that we call, as pointers: the library is loaded with the first sync or
// scan. It reads only the checkout's own configuration, so both do the same for every user, and it
// runs no program: no hooks, no filters, no credential helpers.

#include <git2.h>
#include <git2/sys/transport.h>

#include <map>

#if __has_include(<git2/sys/errors.h>)
#include <git2/sys/errors.h>  // since 1.8
#endif

#include "base/loaded_library.hpp"

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#include <sanitizer/lsan_interface.h>
#define CLAWPERATOR_LEAKS_ARE_LOOKED_FOR
#endif
#endif

// clang-format off
#define CLAWPERATOR_LIBGIT2(X)                                                                  \
  X(git_blob_free) X(git_blob_lookup) X(git_blob_rawcontent) X(git_blob_rawsize)                \
  X(git_buf_dispose) X(git_commit_parent_id) X(git_commit_parentcount) X(git_commit_time)       \
  X(git_commit_tree_id) X(git_config_add_file_ondisk) X(git_config_free)                        \
  X(git_config_get_string_buf) X(git_config_new) X(git_credential_ssh_key_from_agent)           \
  X(git_credential_username_new) X(git_diff_blobs) X(git_diff_find_options_init)                \
  X(git_diff_find_similar) X(git_diff_free) X(git_diff_get_delta) X(git_diff_num_deltas)        \
  X(git_diff_options_init) X(git_diff_tree_to_index) X(git_error_last) X(git_error_set_str)     \
  X(git_fetch_options_init) X(git_graph_reachable_from_any) X(git_index_add) X(git_index_free)  \
  X(git_index_get_bypath) X(git_index_has_conflicts) X(git_index_open) X(git_index_path)        \
  X(git_index_remove) X(git_index_write) X(git_libgit2_init) X(git_libgit2_opts)                \
  X(git_object_free) X(git_object_id) X(git_object_lookup) X(git_object_lookup_prefix)          \
  X(git_object_peel) X(git_odb_free) X(git_odb_hashfile) X(git_odb_read_header)                 \
  X(git_oid_equal) X(git_oid_fromstrn) X(git_oid_tostr) X(git_reference_create)                 \
  X(git_reference_foreach_glob) X(git_reference_free) X(git_reference_name_to_id)               \
  X(git_reference_remove) X(git_remote_connect) X(git_remote_create)                            \
  X(git_remote_create_anonymous) X(git_remote_download) X(git_remote_free)                      \
  X(git_remote_lookup) X(git_remote_ls) X(git_remote_set_url) X(git_remote_update_tips)         \
  X(git_remote_url) X(git_repository_commondir) X(git_repository_config)                        \
  X(git_repository_free) X(git_repository_head_detached) X(git_repository_index)                \
  X(git_repository_init) X(git_repository_is_bare) X(git_repository_is_shallow)                 \
  X(git_repository_odb) X(git_repository_open_ext) X(git_repository_path)                       \
  X(git_repository_set_head) X(git_repository_set_head_detached) X(git_repository_state)        \
  X(git_repository_workdir) X(git_transport_smart) X(git_tree_entry_byindex)                    \
  X(git_tree_entry_filemode) X(git_tree_entry_id) X(git_tree_entry_name)                        \
  X(git_tree_entrycount)
// clang-format on

namespace clawperator::phone_skills {

// Written once, by load_git().
CLAWPERATOR_LIBGIT2(LOADED_DECLARE)

// At the first call; `unsupported` where it is not installed. No function above may be called
// before it.
Result<void> load_git();

struct FreeGit {
  void operator()(git_repository* it) const { git_repository_free(it); }
  void operator()(git_remote* it) const { git_remote_free(it); }
  void operator()(git_reference* it) const { git_reference_free(it); }
  void operator()(git_object* it) const { git_object_free(it); }
  void operator()(git_blob* it) const { git_blob_free(it); }
  void operator()(git_odb* it) const { git_odb_free(it); }
  void operator()(git_index* it) const { git_index_free(it); }
  void operator()(git_diff* it) const { git_diff_free(it); }
  void operator()(git_config* it) const { git_config_free(it); }
  // A commit is an object.
  void operator()(git_commit* it) const { git_object_free(reinterpret_cast<git_object*>(it)); }
  // A tree is an object.
  void operator()(git_tree* it) const { git_object_free(reinterpret_cast<git_object*>(it)); }
};
template <class T>
using Git = std::unique_ptr<T, FreeGit>;

// `io` with libgit2's text for a negative result.
Result<void> git_did(int code);

// Owns the result of `call(&pointer)`.
template <class T, class Call>
Result<Git<T>> made_by_git(Call call) {
  T* made = nullptr;
  TRY_VOID(git_did(call(&made)));
  return Git<T>(made);
}

// libgit2 1.5 leaks a remote's configuration lookup and parts of its ssh code. In a build that
// checks for leaks, these are ignored.
class [[maybe_unused]] ForgetfulGit {
 public:
#ifdef CLAWPERATOR_LEAKS_ARE_LOOKED_FOR
  ForgetfulGit() { __lsan_disable(); }
  ~ForgetfulGit() { __lsan_enable(); }
#else
  ForgetfulGit() = default;
  ~ForgetfulGit() = default;
#endif
  ForgetfulGit(const ForgetfulGit&) = delete;
  ForgetfulGit& operator=(const ForgetfulGit&) = delete;
};

inline bool same_id(const git_oid& one, const git_oid& other) {
  return git_oid_equal(&one, &other) != 0;
}
// 40 hex digits.
std::string text_of(const git_oid& id);

// A file of a commit.
struct TreeFile {
  git_oid id{};
  bool executable = false;

  bool operator==(const TreeFile& other) const {
    return same_id(id, other.id) && executable == other.executable;
  }
};
using TreeFiles = std::map<std::string, TreeFile>;

// strict: for files that are about to be written. Refuses, by name, a link, a name that leads out
// of the folder or into .git, and more files than any repository of skills has. lenient: for
// existing files; links are left out. Submodules are not followed; `submodules` receives them.
enum class Reading { strict, lenient };
Result<TreeFiles> files_of(git_repository* repository, const git_oid& commit, Reading reading,
                           TreeFiles* submodules = nullptr);

Result<std::string> content_of(git_repository* repository, const git_oid& id);

}  // namespace clawperator::phone_skills
