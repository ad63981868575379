#include "skills/sync/git_fetch.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <optional>
#include <span>

#include "runtime/device/environment.hpp"

namespace clawperator::skills {
namespace {

constexpr std::size_t kShortestId = 7;
constexpr const char* kBranches = "+refs/heads/*:refs/remotes/origin/*";
// Not over tags of the user's own.
constexpr const char* kTags = "+refs/tags/*:refs/clawperator/tags/*";

int give_up_fetch(FetchWatch* watch, Errc code, std::string why) {
  git_error_set_str(GIT_ERROR_CALLBACK, why.c_str());
  watch->failure.emplace(code, std::move(why));
  return GIT_EUSER;
}

int look_for_stop(FetchWatch* watch) {
  if (!watch->stop.stop_requested()) return 0;
  return give_up_fetch(watch, errc::cancelled, "cancelled");
}

int on_sideband(const char*, int, void* watch) {
  return look_for_stop(static_cast<FetchWatch*>(watch));
}

int on_transfer(const git_indexer_progress* at, void* payload) {
  auto* watch = static_cast<FetchWatch*>(payload);
  if (at->received_bytes > kMaxFetched) {
    return give_up_fetch(watch, errc::limit, "more than " + std::to_string(kMaxFetched) + " bytes");
  }
  if (const int stopped = look_for_stop(watch); stopped != 0) return stopped;
  if (watch->on_fetched) {
    watch->on_fetched(at->received_bytes, at->received_objects, at->total_objects);
  }
  return 0;
}

// What libgit2 found in known_hosts is the last word.
int on_host_key(git_cert*, int valid, const char* host, void* payload) {
  if (valid != 0) return 0;
  give_up_fetch(static_cast<FetchWatch*>(payload), errc::refused,
                "the ssh key of the host " + std::string(host != nullptr ? host : "") +
                    " is not the one in ~/.ssh/known_hosts, or there is none of it there; once "
                    "you have checked it, ssh-keyscan adds it");
  return GIT_ECERTIFICATE;
}

int on_credentials(git_credential** out, const char*, const char* user, unsigned allowed,
                   void* payload) {
  auto* watch = static_cast<FetchWatch*>(payload);
  if ((allowed & GIT_CREDENTIAL_USERNAME) != 0) {
    return git_credential_username_new(out, environment_variable("USER").value_or("git").c_str());
  }
  if (!environment_variable("SSH_AUTH_SOCK")) {
    return give_up_fetch(watch, errc::refused,
                         "ssh takes its keys from an ssh-agent, and SSH_AUTH_SOCK names none");
  }
  if (std::exchange(watch->asked_agent, true) || (allowed & GIT_CREDENTIAL_SSH_KEY) == 0) {
    return give_up_fetch(watch, errc::refused,
                         "the ssh server accepts no key that the ssh-agent holds");
  }
  return git_credential_ssh_key_from_agent(out, user);
}

git_remote_callbacks callbacks_of(const RepositoryUrl& url, FetchWatch* watch) {
  git_remote_callbacks callbacks{};
  callbacks.version = GIT_REMOTE_CALLBACKS_VERSION;
  callbacks.sideband_progress = on_sideband;
  callbacks.transfer_progress = on_transfer;
  if (url.way == RepositoryWay::ssh) callbacks.certificate_check = on_host_key;
  if (url.way == RepositoryWay::ssh) callbacks.credentials = on_credentials;
  if (url.way == RepositoryWay::https) callbacks.transport = make_https_transport;
  callbacks.payload = watch;
  return callbacks;
}

bool is_commit_id(const std::string& ref) {
  return ref.size() >= kShortestId && ref.size() <= GIT_OID_HEXSZ &&
         ref.find_first_not_of("0123456789abcdefABCDEF") == ref.npos;
}

// One conversation; what a callback of ours said is told rather than libgit2's words for it.
class GitFetch {
 public:
  GitFetch(git_repository* repository, const RepositoryUrl& url, FetchWatch* watch)
      : repository_(repository), url_(url), watch_(watch), callbacks_(callbacks_of(url, watch)) {}

  Result<FetchedRef> run(const std::string& ref) {
    std::optional<ForgetfulGit> scope;
    if (url_.way == RepositoryWay::ssh) scope.emplace();
    TRY_VOID(check_folder());
    TRY(remote_, made_by_git<git_remote>([this](git_remote** out) {
          const ForgetfulGit forgotten;
          return git_remote_create_anonymous(out, repository_, url_.text.c_str());
        }));
    TRY_VOID(told(
        git_remote_connect(remote_.get(), GIT_DIRECTION_FETCH, &callbacks_, nullptr, nullptr)));
    TRY(const auto advertised, advertised_ref(ref));
    if (!advertised && !is_commit_id(ref)) return unknown(ref);
    TRY_VOID(download());
    if (!advertised) return commit_by_id(ref);
    TRY(const git_oid commit, commit_of(repository_, advertised->commit));
    return FetchedRef{commit, advertised->is_branch};
  }

 private:
  Result<void> told(int code) {
    if (code >= 0) return ok();
    if (watch_->failure) return std::unexpected(*watch_->failure);
    const auto failed = git_did(code);
    return fail(failed.error().code(), url_.text + ": " + failed.error().message());
  }

  [[nodiscard]] Result<void> check_folder() const {
    std::error_code ignored;
    const bool is_path = url_.way == RepositoryWay::local && url_.text.starts_with('/');
    if (!is_path || std::filesystem::is_directory(url_.text, ignored)) return ok();
    return fail(errc::refused, "there is no folder " + url_.text);
  }

  Result<std::optional<FetchedRef>> advertised_ref(const std::string& ref) {
    const git_remote_head** heads = nullptr;
    std::size_t count = 0;
    TRY_VOID(told(git_remote_ls(&heads, &count, remote_.get())));
    const std::span all(heads, count);
    for (const std::string& name : {"refs/heads/" + ref, "refs/tags/" + ref, ref}) {
      const auto found =
          std::ranges::find_if(all, [&](const auto* it) { return it->name == name; });
      if (found == all.end() || !name.starts_with("refs/")) continue;
      return FetchedRef{(*found)->oid, name == "refs/heads/" + ref};
    }
    return std::nullopt;
  }

  Result<void> download() {
    git_fetch_options options;
    git_fetch_options_init(&options, GIT_FETCH_OPTIONS_VERSION);
    options.callbacks = callbacks_;
    options.download_tags = GIT_REMOTE_DOWNLOAD_TAGS_NONE;  // they are in the list
    std::array<std::string, 2> specs{kBranches, kTags};
    std::array<char*, 2> pointers{specs[0].data(), specs[1].data()};
    const git_strarray wanted{pointers.data(), pointers.size()};
    TRY_VOID(told(git_remote_download(remote_.get(), &wanted, &options)));
    return told(git_remote_update_tips(remote_.get(), &callbacks_, 0, GIT_REMOTE_DOWNLOAD_TAGS_NONE,
                                       "clawperator skills"));
  }

  Result<FetchedRef> commit_by_id(const std::string& ref) {
    git_oid prefix;
    TRY_VOID(git_did(git_oid_fromstrn(&prefix, ref.data(), ref.size())));
    const auto found = made_by_git<git_object>([&](git_object** out) {
      return git_object_lookup_prefix(out, repository_, &prefix, ref.size(), GIT_OBJECT_COMMIT);
    });
    if (!found) return unknown(ref);
    return FetchedRef{*git_object_id(found->get()), false};
  }

  [[nodiscard]] std::unexpected<Error> unknown(const std::string& ref) const {
    return fail(errc::refused, url_.text + " has no branch, tag or commit '" + ref + "'");
  }

  git_repository* repository_;
  const RepositoryUrl& url_;
  FetchWatch* watch_;
  git_remote_callbacks callbacks_;
  Git<git_remote> remote_;
};

int on_ref_name(const char* name, void* names) {
  static_cast<std::vector<std::string>*>(names)->emplace_back(name);
  return 0;
}

}  // namespace

Result<FetchedRef> fetch_ref(git_repository* repository, const RepositoryUrl& url,
                             const std::string& ref, FetchWatch* watch) {
  return GitFetch(repository, url, watch).run(ref);
}

Result<git_oid> commit_of(git_repository* repository, const git_oid& id) {
  TRY(const auto object, made_by_git<git_object>([&](git_object** out) {
        return git_object_lookup(out, repository, &id, GIT_OBJECT_ANY);
      }));
  TRY(const auto commit, made_by_git<git_object>([&](git_object** out) {
        return git_object_peel(out, object.get(), GIT_OBJECT_COMMIT);
      }));
  return *git_object_id(commit.get());
}

Result<std::vector<git_oid>> commits_of_refs(git_repository* repository, const char* glob) {
  std::vector<std::string> names;
  TRY_VOID(git_did(git_reference_foreach_glob(repository, glob, on_ref_name, &names)));
  std::vector<git_oid> commits;
  for (const std::string& name : names) {
    git_oid id;
    if (git_reference_name_to_id(&id, repository, name.c_str()) != 0) continue;
    if (const auto commit = commit_of(repository, id)) commits.push_back(*commit);
  }
  return commits;
}

}  // namespace clawperator::skills
