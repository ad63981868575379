#include "runtime/host/operator/http_fetch.hpp"

#include <curl/curl.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <memory>

#include "adbproto/link/loopback.hpp"
#include "base/loaded_library.hpp"
#include "runtime/device/environment.hpp"

// clang-format off
#define CLAWPERATOR_LIBCURL(X)                                                                  \
  X(curl_easy_cleanup) X(curl_easy_getinfo) X(curl_easy_header) X(curl_easy_init)               \
  X(curl_easy_setopt) X(curl_easy_strerror) X(curl_global_init) X(curl_multi_add_handle)        \
  X(curl_multi_cleanup) X(curl_multi_info_read) X(curl_multi_init) X(curl_multi_perform)        \
  X(curl_multi_poll) X(curl_multi_remove_handle) X(curl_multi_wakeup)
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

constexpr long kMaxRedirects = 5;
constexpr long kSlowest = 100;  // bytes a second
constexpr int kLongestWaitMs = 1000;
constexpr long kOk = 200;
constexpr long kPartial = 206;

struct FreeEasy {
  void operator()(CURL* easy) const { curl_easy_cleanup(easy); }
};
struct FreeMulti {
  void operator()(CURLM* multi) const { curl_multi_cleanup(multi); }
};

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

// One exchange; its callbacks run inside run().
class Transfer {
 public:
  Transfer(const HttpRequest& request, HttpSink* sink) : request_(request), sink_(sink) {}

  Result<long> run(const std::stop_token& stop) {
    if (!easy_ || !multi_) return fail(errc::io, "libcurl has no memory");
    set_up();
    const std::stop_callback wake(stop, [this] { curl_multi_wakeup(multi_.get()); });
    curl_multi_add_handle(multi_.get(), easy_.get());
    const CURLcode code = perform(stop);
    auto outcome = judge(code, stop);
    curl_multi_remove_handle(multi_.get(), easy_.get());
    return outcome;
  }

 private:
  template <class Value>
  void set(CURLoption option, Value value) {
    curl_easy_setopt(easy_.get(), option, value);
  }

  void set_up() {
    const bool plain = request_.url.starts_with("http:");
    set(CURLOPT_URL, request_.url.c_str());
    set(CURLOPT_PROTOCOLS_STR, plain ? "http" : "https");
    set(CURLOPT_REDIR_PROTOCOLS_STR, "https");
    if (plain) set(CURLOPT_PROXY, "");  // it must not leave this computer
    set(CURLOPT_FOLLOWLOCATION, 1L);
    set(CURLOPT_MAXREDIRS, kMaxRedirects);
    set(CURLOPT_DISALLOW_USERNAME_IN_URL, 1L);
    set(CURLOPT_SSLVERSION, static_cast<long>(CURL_SSLVERSION_TLSv1_2));
    set(CURLOPT_USERAGENT, "clawperator");
    set(CURLOPT_NOSIGNAL, 1L);
    set(CURLOPT_QUICK_EXIT, 1L);  // a name server that does not answer is not waited for
    set(CURLOPT_CONNECTTIMEOUT_MS, static_cast<long>(request_.limits.connect.count()));
    set(CURLOPT_TIMEOUT_MS, static_cast<long>(request_.limits.whole.count()));
    set(CURLOPT_LOW_SPEED_LIMIT, kSlowest);
    set(CURLOPT_LOW_SPEED_TIME, static_cast<long>(request_.limits.stall.count()));
    set(CURLOPT_ERRORBUFFER, reason_.data());
    set(CURLOPT_WRITEFUNCTION, &Transfer::on_bytes);
    set(CURLOPT_WRITEDATA, this);
    if (request_.offset > 0) {
      range_ = std::to_string(request_.offset) + "-";
      set(CURLOPT_RANGE, range_.c_str());
    }
    set_certificates();
  }

  // Where the curl program looks; the library does not.
  void set_certificates() {
    auto file = environment_variable("CURL_CA_BUNDLE");
    if (!file) file = environment_variable("SSL_CERT_FILE");
    if (file) set(CURLOPT_CAINFO, file->c_str());
    if (const auto folder = environment_variable("SSL_CERT_DIR"))
      set(CURLOPT_CAPATH, folder->c_str());
  }

  CURLcode perform(const std::stop_token& stop) {
    int running = 1;
    while (running > 0 && !stop.stop_requested()) {
      if (curl_multi_perform(multi_.get(), &running) != CURLM_OK) break;
      if (running > 0) curl_multi_poll(multi_.get(), nullptr, 0, kLongestWaitMs, nullptr);
    }
    int left = 0;
    const CURLMsg* message = curl_multi_info_read(multi_.get(), &left);
    return message != nullptr ? message->data.result : CURLE_ABORTED_BY_CALLBACK;
  }

  Result<long> judge(CURLcode code, const std::stop_token& stop) {
    if (failure_) return std::unexpected(*std::move(failure_));
    if (stop.stop_requested()) return fail(errc::cancelled, "cancelled");
    if (uninteresting_) return status();
    if (code == CURLE_OK && !begun_ && has_content()) {
      TRY_VOID(begin());
    }
    if (code == CURLE_OK) return status();
    const std::string why = reason_.front() != '\0' ? reason_.data() : curl_easy_strerror(code);
    return fail(code == CURLE_OPERATION_TIMEDOUT ? errc::deadline_exceeded : errc::io, why);
  }

  static std::size_t on_bytes(char* data, std::size_t size, std::size_t count, void* self) {
    const std::string_view bytes(data, size * count);
    return static_cast<Transfer*>(self)->take(bytes) ? bytes.size() : CURL_WRITEFUNC_ERROR;
  }

  bool take(std::string_view bytes) {
    if (!has_content()) {
      uninteresting_ = true;  // the page of a 404
      return false;
    }
    if (!begun_) {
      if (auto begun = begin(); !begun) return give_up(std::move(begun).error());
    }
    position_ += bytes.size();
    if (position_ > request_.max_bytes) return give_up(too_long());
    if (auto taken = sink_->take(bytes); !taken) return give_up(std::move(taken).error());
    return true;
  }

  Result<void> begin() {
    begun_ = true;
    HttpBody body;
    curl_off_t length = -1;
    curl_easy_getinfo(easy_.get(), CURLINFO_CONTENT_LENGTH_DOWNLOAD_T, &length);
    if (length >= 0) body.size = static_cast<std::uint64_t>(length);
    if (status() == kPartial) {
      const auto range = content_range();
      if (!range || range->offset != request_.offset || request_.offset == 0) {
        return fail(errc::protocol, "the server sent a part of the file that nobody asked for");
      }
      body = *range;
    }
    if (body.size.value_or(0) > request_.max_bytes) return std::unexpected(too_long());
    position_ = body.offset;
    return sink_->begin(body);
  }

  [[nodiscard]] std::optional<HttpBody> content_range() const {
    curl_header* header = nullptr;
    const auto found = curl_easy_header(easy_.get(), "Content-Range", 0, CURLH_HEADER, -1, &header);
    return found == CURLHE_OK ? parse_content_range(header->value) : std::nullopt;
  }

  [[nodiscard]] long status() const {
    long status = 0;
    curl_easy_getinfo(easy_.get(), CURLINFO_RESPONSE_CODE, &status);
    return status;
  }
  [[nodiscard]] bool has_content() const { return status() == kOk || status() == kPartial; }

  bool give_up(Error error) {
    failure_ = std::move(error);
    return false;
  }

  [[nodiscard]] Error too_long() const {
    return {errc::limit,
            "the file is longer than " + std::to_string(request_.max_bytes) + " bytes"};
  }

  const HttpRequest& request_;
  HttpSink* sink_;
  std::unique_ptr<CURLM, FreeMulti> multi_{curl_multi_init()};
  std::unique_ptr<CURL, FreeEasy> easy_{curl_easy_init()};
  std::string range_;
  std::array<char, CURL_ERROR_SIZE> reason_{};
  std::optional<Error> failure_;
  std::uint64_t position_ = 0;
  bool begun_ = false;
  bool uninteresting_ = false;
};

}  // namespace

Result<void> check_url(std::string_view url) {
  const auto odd = [](char c) { return c <= ' ' || c > '~' || c == '\\'; };
  const bool secure = url.starts_with("https://");
  const bool plain = url.starts_with("http://");
  if (url.size() > 2000 || std::ranges::any_of(url, odd)) {
    return fail(errc::invalid_argument, "a URL is too long or has odd characters");
  }
  const std::string_view host = host_of(url.substr(secure ? 8 : plain ? 7 : 0));
  if (host.empty() || !(secure || (plain && is_loopback(host)))) {
    return fail(errc::invalid_argument, "not an https URL: " + std::string(url));
  }
  return ok();
}

std::optional<HttpBody> parse_content_range(std::string_view value) {
  constexpr std::string_view kUnit = "bytes ";
  if (!value.starts_with(kUnit)) return std::nullopt;
  const char* at = value.data() + kUnit.size();
  const char* const end = value.data() + value.size();
  HttpBody body;
  std::uint64_t last = 0;
  auto read = std::from_chars(at, end, body.offset);
  if (read.ec != std::errc{} || read.ptr == end || *read.ptr != '-') return std::nullopt;
  read = std::from_chars(read.ptr + 1, end, last);
  if (read.ec != std::errc{} || read.ptr == end || *read.ptr != '/') return std::nullopt;
  at = read.ptr + 1;
  if (last < body.offset) return std::nullopt;
  if (std::string_view(at, end) == "*") return body;
  std::uint64_t size = 0;
  read = std::from_chars(at, end, size);
  if (read.ec != std::errc{} || read.ptr != end || size <= last) return std::nullopt;
  body.size = size;
  return body;
}

Result<long> fetch(const HttpRequest& request, HttpSink* sink, std::stop_token stop) {
  TRY_VOID(check_url(request.url));
  TRY_VOID(load_curl());
  return Transfer(request, sink).run(stop);
}

}  // namespace clawperator
