#include "skills/sync/https_transport.hpp"

#include <algorithm>
#include <cstring>

namespace clawperator::skills {
namespace {

constexpr long kOk = 200;
constexpr std::string_view kRefs = "/info/refs?service=git-upload-pack";
constexpr std::string_view kPack = "/git-upload-pack";
constexpr std::string_view kRefsType = "application/x-git-upload-pack-advertisement";
constexpr std::string_view kPackType = "application/x-git-upload-pack-result";

struct Https : git_smart_subtransport {
  FetchWatch* watch = nullptr;
  std::string moved_to{};  // the repository's URL after a redirect
};

// One request, asked at the first read.
class HttpsStream : public git_smart_subtransport_stream {
 public:
  HttpsStream(Https* https, std::string url, bool posts)
      : git_smart_subtransport_stream{}, https_(https), url_(std::move(url)), posts_(posts) {
    git_smart_subtransport_stream::subtransport = https;
  }

  [[nodiscard]] FetchWatch* watch() const { return https_->watch; }
  [[nodiscard]] const std::string& url() const { return url_; }
  void add(std::string_view bytes) { request_ += bytes; }

  // Empty at the end, once: libgit2 may ask for ever.
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

// libcurl does not say whom it asked.
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

}  // namespace

int make_https_transport(git_transport** out, git_remote* owner, void* watch) {
  git_smart_subtransport_definition definition{make_https, 1, watch};
  return git_transport_smart(out, owner, &definition);
}

}  // namespace clawperator::skills
