#include "skills/phone/git_fetch.hpp"

#include <algorithm>
#include <cstring>
#include <filesystem>

#include "base/system/environment.hpp"
#include "base/url.hpp"

namespace clawperator::phone_skills {
namespace {

// git's smart protocol over our own HTTPS (runtime/fetch/http_stream) beneath libgit2, whose own
// has no time limit and no TLS 1.3.
//
//   GET  URL/info/refs?service=git-upload-pack       redirects are followed, and then apply to:
//   POST URL/git-upload-pack

constexpr long kOk = 200;
constexpr std::string_view kRefs = "/info/refs?service=git-upload-pack";
constexpr std::string_view kPack = "/git-upload-pack";
constexpr std::string_view kRefsType = "application/x-git-upload-pack-advertisement";
constexpr std::string_view kPackType = "application/x-git-upload-pack-result";

struct Https : git_smart_subtransport {
  FetchWatch* watch = nullptr;
  std::string moved_to{};  // the repository's URL after a redirect
};

// One request, sent at the first read.
class HttpsStream : public git_smart_subtransport_stream {
 public:
  HttpsStream(Https* https, std::string url, bool posts)
      : git_smart_subtransport_stream{}, https_(https), url_(std::move(url)), posts_(posts) {
    git_smart_subtransport_stream::subtransport = https;
  }

  [[nodiscard]] FetchWatch* watch() const { return https_->watch; }
  [[nodiscard]] const std::string& url() const { return url_; }
  void add(std::string_view bytes) { request_ += bytes; }

  // Empty at the end, once: libgit2 may read without end.
  Result<std::string_view> take(std::size_t at_most) {
    if (!answer_) TRY_VOID(ask());
    if (unread_.empty()) {
      if (ended_) return fail(errc::protocol, url_ + ": the answer ends too early");
      TRY(unread_, answer_->read());
      ended_ = unread_.empty();
      TRY_VOID(count(unread_.size()));
    }
    const std::string_view part = unread_.substr(0, at_most);
    unread_.remove_prefix(part.size());
    return part;
  }

 private:
  Result<void> ask() {
    HttpOrder order;
    order.url = url_ + std::string(posts_ ? kPack : kRefs);
    order.limits = https_->watch->limits;
    order.headers = {"Accept: " + std::string(wanted_type())};
    if (posts_) {
      order.headers.emplace_back("Content-Type: application/x-git-upload-pack-request");
      order.headers.emplace_back("Expect:");
      order.post = request_;
    }
    TRY(answer_, open_http(std::move(order), https_->watch->stop));
    TRY_VOID(check_answer());
    return posts_ ? ok() : note_redirect();
  }

  [[nodiscard]] std::string_view wanted_type() const { return posts_ ? kPackType : kRefsType; }

  [[nodiscard]] Result<void> check_answer() const {
    if (const long status = answer_->status(); status != kOk) {
      const bool hidden = status == 401 || status == 403 || status == 404;
      return fail(errc::refused, url_ + ": the server answered with status " +
                                     std::to_string(status) +
                                     (hidden ? "; it has no such repository for everybody" : ""));
    }
    const std::string type = answer_->header("Content-Type").value_or("");
    if (type.starts_with(wanted_type())) return ok();
    return fail(errc::protocol, url_ + ": this is no git repository (the server sent " +
                                    (type.empty() ? "no content type" : type) + ")");
  }

  Result<void> note_redirect() {
    std::string url = answer_->url();
    if (!url.ends_with(kRefs)) {
      return fail(errc::protocol, url_ + ": redirected to what is no repository: " + url);
    }
    url.resize(url.size() - kRefs.size());
    if (url != url_) https_->moved_to = std::move(url);
    return ok();
  }

  Result<void> count(std::size_t bytes) {
    https_->watch->fetched += bytes;
    if (https_->watch->fetched <= kMaxFetched) return ok();
    return fail(errc::limit, url_ + ": more than " + std::to_string(kMaxFetched) + " bytes");
  }

  Https* https_;
  std::string url_;
  bool posts_;
  std::string request_;
  std::unique_ptr<HttpStream> answer_;
  std::string_view unread_;
  bool ended_ = false;
};

// libcurl's errors do not contain the URL.
Error with_url(const Error& error, const std::string& url) {
  if (error.code() == errc::cancelled || error.message().contains(url)) return error;
  return {error.code(), url + ": " + error.message()};
}

int refuse(FetchWatch* watch, Error error) {
  git_error_set_str(GIT_ERROR_HTTP, error.message().c_str());
  watch->failure = std::move(error);
  return GIT_EUSER;
}

int on_read(git_smart_subtransport_stream* stream, char* buffer, std::size_t size,
            std::size_t* read) {
  *read = 0;
  auto* https = static_cast<HttpsStream*>(stream);
  const auto bytes = https->take(size);
  if (!bytes) return refuse(https->watch(), with_url(bytes.error(), https->url()));
  if (!bytes->empty()) std::memcpy(buffer, bytes->data(), bytes->size());
  *read = bytes->size();
  return 0;
}

int on_write(git_smart_subtransport_stream* stream, const char* buffer, std::size_t size) {
  static_cast<HttpsStream*>(stream)->add({buffer, size});
  return 0;
}

void on_free_stream(git_smart_subtransport_stream* stream) {
  delete static_cast<HttpsStream*>(stream);
}

int on_action(git_smart_subtransport_stream** out, git_smart_subtransport* transport,
              const char* url, git_smart_service_t action) {
  auto* https = static_cast<Https*>(transport);
  if (action != GIT_SERVICE_UPLOADPACK_LS && action != GIT_SERVICE_UPLOADPACK) {
    return refuse(https->watch, {errc::unsupported, "nothing is ever pushed"});
  }
  std::string base = https->moved_to.empty() ? url : https->moved_to;
  base.erase(base.find_last_not_of('/') + 1);
  const bool posts = action == GIT_SERVICE_UPLOADPACK;
  auto stream = std::make_unique<HttpsStream>(https, std::move(base), posts);
  stream->read = on_read;
  stream->write = on_write;
  stream->free = on_free_stream;
  *out = stream.release();
  return 0;
}

int on_close(git_smart_subtransport*) { return 0; }

void on_free(git_smart_subtransport* transport) { delete static_cast<Https*>(transport); }

int make_https(git_smart_subtransport** out, git_transport*, void* watch) {
  auto https = std::make_unique<Https>();
  https->action = on_action;
  https->close = on_close;
  https->free = on_free;
  https->watch = static_cast<FetchWatch*>(watch);
  *out = https.release();
  return 0;
}

// For git_remote_callbacks::transport, of https:// and http:// URLs.
int make_https_transport(git_transport** out, git_remote* owner, void* watch) {
  git_smart_subtransport_definition definition{make_https, 1, watch};
  return git_transport_smart(out, owner, &definition);
}

constexpr std::size_t kShortestId = 7;
constexpr const char* kBranches = "+refs/heads/*:refs/remotes/origin/*";
// In a name space of our own, so that the user's tags stay.
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

// libgit2's result from known_hosts is final.
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

// One connection; an error of our callback replaces libgit2's text for it.
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
    TRY_VOID(checked(
        git_remote_connect(remote_.get(), GIT_DIRECTION_FETCH, &callbacks_, nullptr, nullptr)));
    TRY(const auto advertised, advertised_ref(ref));
    if (!advertised && !is_commit_id(ref)) return unknown(ref);
    TRY_VOID(download());
    if (!advertised) return commit_by_id(ref);
    TRY(const git_oid commit, commit_of(repository_, advertised->commit));
    return FetchedRef{commit, advertised->is_branch};
  }

 private:
  Result<void> checked(int code) {
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
    TRY_VOID(checked(git_remote_ls(&heads, &count, remote_.get())));
    const std::span all(heads, count);
    const std::string head = ref.empty() || ref == "HEAD" ? "HEAD" : "refs/heads/" + ref;
    for (const std::string& name : {head, "refs/tags/" + ref, ref}) {
      const auto found =
          std::ranges::find_if(all, [&](const auto* it) { return it->name == name; });
      if (found == all.end() || (name != head && !name.starts_with("refs/"))) continue;
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
    TRY_VOID(checked(git_remote_download(remote_.get(), &wanted, &options)));
    return checked(git_remote_update_tips(remote_.get(), &callbacks_, 0,
                                          GIT_REMOTE_DOWNLOAD_TAGS_NONE, "clawperator skills"));
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

// "user@host:path", as ssh and git take it.
bool is_scp_like(std::string_view given) {
  const auto colon = given.find(':');
  const auto at = given.find('@');
  return colon != given.npos && at != given.npos && at > 0 && at < colon &&
         given.find('/') > colon && colon + 1 < given.size();
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

Result<RepositoryUrl> read_repository_url(std::string_view given) {
  const auto odd = [](char c) { return static_cast<unsigned char>(c) < ' ' || c == '\x7f'; };
  if (given.empty() || given.size() > 2000 || std::ranges::any_of(given, odd)) {
    return fail(errc::invalid_argument, "the repository's URL is empty, too long or odd");
  }
  if (const std::string shown = shown_url(given); shown != given) {
    return fail(errc::invalid_argument, "a repository's URL must not hold a password: " + shown);
  }
  const auto scheme_end = given.find("://");
  if (scheme_end == given.npos) {
    if (is_scp_like(given)) return RepositoryUrl{std::string(given), RepositoryWay::ssh};
    const auto path = std::filesystem::absolute(given).lexically_normal();
    return RepositoryUrl{path.string(), RepositoryWay::local};
  }
  const std::string_view scheme = given.substr(0, scheme_end);
  if (scheme == "file") return RepositoryUrl{std::string(given), RepositoryWay::local};
  if (scheme == "ssh") return RepositoryUrl{std::string(given), RepositoryWay::ssh};
  TRY_VOID(check_url(given));
  return RepositoryUrl{std::string(given), RepositoryWay::https};
}

}  // namespace clawperator::phone_skills
