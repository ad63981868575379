#include "runtime/fetch/http_stream.hpp"

#include <curl/curl.h>
#include <unistd.h>

#include <algorithm>
#include <tuple>

#include "base/async/name_lookup.hpp"
#include "base/loaded_library.hpp"
#include "base/number.hpp"
#include "base/system/environment.hpp"
#include "base/url.hpp"

// clang-format off
#define CLAWPERATOR_LIBCURL(X)                                                                  \
  X(curl_easy_cleanup) X(curl_easy_getinfo) X(curl_easy_header) X(curl_easy_init)               \
  X(curl_easy_setopt) X(curl_easy_strerror) X(curl_global_init) X(curl_multi_add_handle)        \
  X(curl_multi_cleanup) X(curl_multi_info_read) X(curl_multi_init) X(curl_multi_perform)        \
  X(curl_multi_poll) X(curl_multi_remove_handle) X(curl_multi_wakeup) X(curl_slist_append)      \
  X(curl_slist_free_all)
// clang-format on

namespace clawperator {

namespace {

// libcurl as pointers, loaded with the first download: each start of the program would pay for it.
// These names hide libcurl's own, so calls read as they always do; nothing links it.
CLAWPERATOR_LIBCURL(LOADED_DEFINE)

Result<void> bind_curl() {
  LoadedLibrary library("libcurl.so.4");
  CLAWPERATOR_LIBCURL(LOADED_BIND)
  TRY_VOID(library.complete("libcurl4"));
  if (const CURLcode code = curl_global_init(CURL_GLOBAL_DEFAULT); code != CURLE_OK) {
    return fail(errc::unsupported,
                std::string("libcurl does not start: ") + curl_easy_strerror(code));
  }
  return ok();
}

Result<void> load_curl() {
  static const Result<void> kLoaded = bind_curl();
  return kLoaded;
}

// A stable URL leads to a version's file in one or two; a loop must end.
constexpr long kMaxRedirects = 5;
constexpr long kSlowest = 100;  // bytes a second
constexpr int kLongestWaitMs = 1000;

struct FreeEasy {
  void operator()(CURL* easy) const { curl_easy_cleanup(easy); }
};
struct FreeMulti {
  void operator()(CURLM* multi) const { curl_multi_cleanup(multi); }
};
struct FreeList {
  void operator()(curl_slist* list) const { curl_slist_free_all(list); }
};

// A libcurl from another distribution than the system's searches its own distribution's place only.
std::optional<std::string> certificates_of_the_system() {
  for (const char* file : {"/etc/ssl/certs/ca-certificates.crt",  // Debian, Arch
                           "/etc/pki/tls/certs/ca-bundle.crt",    // Fedora
                           "/etc/ssl/ca-bundle.pem"}) {           // openSUSE
    if (::access(file, R_OK) == 0) return file;
  }
  return std::nullopt;
}

// HOST of "HOST:PORT/PATH"; empty when it is not spelled plainly.
std::string_view host_of(std::string_view rest) {
  const std::string_view authority = rest.substr(0, rest.find_first_of("/?#"));
  const auto bracket = authority.starts_with('[') ? authority.find(']') : 0;
  if (bracket == authority.npos) return {};
  const auto colon = authority.find(':', bracket);
  const std::string_view host = authority.substr(0, colon);
  const std::string_view port = colon == authority.npos ? "1" : authority.substr(colon + 1);
  constexpr std::string_view kPlain =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789.-_";
  const bool plain =
      bracket == 0
          ? host.find_first_not_of(kPlain) == host.npos
          : host.size() == bracket + 1 &&
                host.substr(1, bracket - 1).find_first_not_of("0123456789abcdefABCDEF:.") ==
                    host.npos;
  const bool good_port =
      !port.empty() && port.size() <= 5 && port.find_first_not_of("0123456789") == port.npos;
  return plain && good_port ? host : std::string_view{};
}

// Its callback runs inside wait_for_bytes().
class CurlStream final : public HttpStream {
 public:
  CurlStream(HttpOrder order, std::stop_token stop)
      : order_(std::move(order)), stop_(std::move(stop)) {}
  ~CurlStream() override {
    if (easy_ && multi_) curl_multi_remove_handle(multi_.get(), easy_.get());
  }
  CurlStream(const CurlStream&) = delete;
  CurlStream& operator=(const CurlStream&) = delete;

  Result<void> begin() {
    if (!easy_ || !multi_) return fail(errc::io, "libcurl has no memory");
    set_up();
    curl_multi_add_handle(multi_.get(), easy_.get());
    return wait_for_bytes();
  }

  Result<std::string_view> read() override {
    TRY_VOID(wait_for_bytes());
    given_.clear();
    given_.swap(arrived_);
    return std::string_view(given_);
  }

  [[nodiscard]] long status() const override {
    long status = 0;
    curl_easy_getinfo(easy_.get(), CURLINFO_RESPONSE_CODE, &status);
    return status;
  }

  [[nodiscard]] std::optional<std::uint64_t> content_length() const override {
    curl_off_t length = -1;
    curl_easy_getinfo(easy_.get(), CURLINFO_CONTENT_LENGTH_DOWNLOAD_T, &length);
    return length < 0 ? std::nullopt : std::optional(static_cast<std::uint64_t>(length));
  }

  [[nodiscard]] std::optional<std::string> header(const char* name) const override {
    curl_header* found = nullptr;
    const auto code = curl_easy_header(easy_.get(), name, 0, CURLH_HEADER, -1, &found);
    return code == CURLHE_OK ? std::optional<std::string>(found->value) : std::nullopt;
  }

  [[nodiscard]] std::string url() const override {
    const char* url = nullptr;
    curl_easy_getinfo(easy_.get(), CURLINFO_EFFECTIVE_URL, &url);
    return url != nullptr ? url : order_.url;
  }

 private:
  template <class Value>
  void set(CURLoption option, Value value) {
    curl_easy_setopt(easy_.get(), option, value);
  }

  void set_up() {
    set_way();
    set_request();
    set_limits();
    set_certificates();
    set(CURLOPT_ERRORBUFFER, reason_.data());
    set(CURLOPT_WRITEFUNCTION, &CurlStream::on_bytes);
    set(CURLOPT_WRITEDATA, this);
  }

  void set_way() {
    const bool plain = order_.url.starts_with("http:");
    set(CURLOPT_URL, order_.url.c_str());
    set(CURLOPT_PROTOCOLS_STR, plain ? "http" : "https");
    set(CURLOPT_REDIR_PROTOCOLS_STR, "https");
    if (plain) set(CURLOPT_PROXY, "");  // it must not leave this computer
    set(CURLOPT_FOLLOWLOCATION, order_.post || !order_.method.empty() ? 0L : 1L);
    set(CURLOPT_MAXREDIRS, kMaxRedirects);
    set(CURLOPT_DISALLOW_USERNAME_IN_URL, 1L);
  }

  void set_request() {
    set(CURLOPT_USERAGENT, "clawperator");
    if (!order_.method.empty()) set(CURLOPT_CUSTOMREQUEST, order_.method.c_str());
    if (!order_.range.empty()) set(CURLOPT_RANGE, order_.range.c_str());
    if (order_.post) {
      set(CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(order_.post->size()));
      set(CURLOPT_POSTFIELDS, order_.post->data());
    }
    for (const std::string& line : order_.headers) {
      curl_slist* longer = curl_slist_append(headers_.get(), line.c_str());
      if (longer == nullptr) return;
      std::ignore = headers_.release();
      headers_.reset(longer);
    }
    if (headers_) set(CURLOPT_HTTPHEADER, headers_.get());
  }

  void set_limits() {
    set(CURLOPT_NOSIGNAL, 1L);
    set(CURLOPT_QUICK_EXIT, 1L);  // a name server that does not answer is not waited for
    set(CURLOPT_CONNECTTIMEOUT_MS, static_cast<long>(order_.limits.connect.count()));
    set(CURLOPT_TIMEOUT_MS, static_cast<long>(order_.limits.whole.count()));
    set(CURLOPT_LOW_SPEED_LIMIT, kSlowest);
    set(CURLOPT_LOW_SPEED_TIME, static_cast<long>(order_.limits.stall.count()));
  }

  // The curl program's places of certificates; the library does not search them.
  void set_certificates() {
    set(CURLOPT_SSLVERSION, static_cast<long>(CURL_SSLVERSION_TLSv1_2));
    auto file = environment_variable("CURL_CA_BUNDLE");
    if (!file) file = environment_variable("SSL_CERT_FILE");
    if (!file) file = certificates_of_the_system();
    if (file) set(CURLOPT_CAINFO, file->c_str());
    if (const auto folder = environment_variable("SSL_CERT_DIR"))
      set(CURLOPT_CAPATH, folder->c_str());
  }

  // Or for the end, which is no error if the exchange was none.
  Result<void> wait_for_bytes() {
    while (arrived_.empty() && !end_ && !stop_.stop_requested()) step();
    if (stop_.stop_requested()) return fail(errc::cancelled, "cancelled");
    if (!arrived_.empty() || *end_ == CURLE_OK) return ok();
    const std::string why = reason_.front() != '\0' ? reason_.data() : curl_easy_strerror(*end_);
    return fail(*end_ == CURLE_OPERATION_TIMEDOUT ? errc::deadline_exceeded : errc::io, why);
  }

  void step() {
    int running = 1;
    if (curl_multi_perform(multi_.get(), &running) != CURLM_OK) running = 0;
    if (running == 0) {
      int left = 0;
      const CURLMsg* message = curl_multi_info_read(multi_.get(), &left);
      end_ = message != nullptr ? message->data.result : CURLE_ABORTED_BY_CALLBACK;
    } else if (arrived_.empty()) {
      curl_multi_poll(multi_.get(), nullptr, 0, kLongestWaitMs, nullptr);
    }
  }

  static std::size_t on_bytes(char* data, std::size_t size, std::size_t count, void* self) {
    static_cast<CurlStream*>(self)->arrived_.append(data, size * count);
    return size * count;
  }

  HttpOrder order_;
  std::stop_token stop_;
  std::unique_ptr<curl_slist, FreeList> headers_;
  std::array<char, CURL_ERROR_SIZE> reason_{};
  std::string arrived_;
  std::string given_;
  std::optional<CURLcode> end_;
  std::unique_ptr<CURLM, FreeMulti> multi_{curl_multi_init()};
  std::unique_ptr<CURL, FreeEasy> easy_{curl_easy_init()};
  std::stop_callback<std::function<void()>> wake_{stop_,
                                                  [this] { curl_multi_wakeup(multi_.get()); }};
};

}  // namespace

Result<void> check_url(std::string_view url) {
  const auto odd = [](char c) { return c <= ' ' || c > '~' || c == '\\'; };
  const bool secure = url.starts_with("https://");
  const bool plain = url.starts_with("http://");
  if (url.size() > 2000 || std::ranges::any_of(url, odd)) {
    return fail(errc::invalid_argument, "a URL is too long or has forbidden characters");
  }
  if (const std::string shown = shown_url(url); shown != url) {
    return fail(errc::invalid_argument, "a URL must not hold a password: " + shown);
  }
  const std::string_view host = host_of(url.substr(secure ? 8 : plain ? 7 : 0));
  if (host.empty() || !(secure || (plain && is_loopback(host)))) {
    return fail(errc::invalid_argument, "not an https URL: " + std::string(url));
  }
  return ok();
}

Result<std::unique_ptr<HttpStream>> open_http(HttpOrder order, std::stop_token stop) {
  TRY_VOID(check_url(order.url));
  TRY_VOID(load_curl());
  auto stream = std::make_unique<CurlStream>(std::move(order), std::move(stop));
  TRY_VOID(stream->begin());
  return stream;
}

namespace {

constexpr long kOk = 200;
constexpr long kPartial = 206;

std::unexpected<Error> too_long(const HttpRequest& request) {
  return fail(errc::limit,
              "the file is longer than " + std::to_string(request.max_bytes) + " bytes");
}

// The announced body, which must be the requested one.
Result<HttpBody> announced(const HttpStream& stream, const HttpRequest& request) {
  HttpBody body{.size = stream.content_length()};
  if (stream.status() == kPartial) {
    const auto range = parse_content_range(stream.header("Content-Range").value_or(""));
    if (!range || range->offset != request.offset || request.offset == 0) {
      return fail(errc::protocol, "the server sent a part of the file that was not requested");
    }
    body = *range;
  }
  if (body.size.value_or(0) > request.max_bytes) return too_long(request);
  return body;
}

}  // namespace

std::optional<HttpBody> parse_content_range(std::string_view value) {
  constexpr std::string_view kUnit = "bytes ";
  if (!value.starts_with(kUnit)) return std::nullopt;
  value.remove_prefix(kUnit.size());
  const auto dash = value.find('-');
  const auto slash = value.find('/');
  if (dash == value.npos || slash == value.npos || slash < dash) return std::nullopt;
  const auto first = whole_number<std::uint64_t>(value.substr(0, dash));
  const auto last = whole_number<std::uint64_t>(value.substr(dash + 1, slash - dash - 1));
  if (!first || !last || *last < *first) return std::nullopt;
  if (value.substr(slash + 1) == "*") return HttpBody{.offset = *first};
  const auto size = whole_number<std::uint64_t>(value.substr(slash + 1));
  if (!size || *size <= *last) return std::nullopt;
  return HttpBody{.offset = *first, .size = size};
}

Result<long> fetch(const HttpRequest& request, HttpSink* sink, std::stop_token stop) {
  HttpOrder order;
  order.url = request.url;
  order.limits = request.limits;
  if (request.offset > 0) order.range = std::to_string(request.offset) + "-";
  TRY(const auto stream, open_http(std::move(order), std::move(stop)));
  const long status = stream->status();
  if (status != kOk && status != kPartial) return status;  // the page of a 404 is not wanted
  TRY(const HttpBody body, announced(*stream, request));
  TRY_VOID(sink->begin(body));
  for (std::uint64_t position = body.offset;;) {
    TRY(const std::string_view bytes, stream->read());
    if (bytes.empty()) return status;
    position += bytes.size();
    if (position > request.max_bytes) return too_long(request);
    TRY_VOID(sink->take(bytes));
  }
}

}  // namespace clawperator
