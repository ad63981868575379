#include "skills/hub/client.hpp"

#include <fcntl.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <mutex>

#include "base/file_handle.hpp"
#include "base/text.hpp"
#include "runtime/contract/errc.hpp"
#include "runtime/contract/error_members.hpp"
#include "runtime/host/http_stream.hpp"
#include "skills/hub/answers.hpp"
#include "skills/hub/places.hpp"
#include "skills/hub/plain_file.hpp"
#include "skills/unpack/fresh_folder.hpp"

namespace clawperator::hub {

namespace fs = std::filesystem;

namespace {

constexpr std::chrono::seconds kTry(15);
// Archives are long: what has to arrive within 15 s is something at all.
constexpr std::chrono::minutes kTransfer(5);
constexpr std::size_t kLongBody = std::size_t{64} << 10;
constexpr int kTries = 3;
constexpr long kUnauthorized = 401;
constexpr long kNotFound = 404;
constexpr long kGone = 410;
constexpr long kTooMany = 429;
constexpr long kServerError = 500;

bool is_success(long status) { return status >= 200 && status < 300; }
bool may_pass(long status) { return status == kTooMany || status >= kServerError; }
bool may_pass(const Error& error) {
  return error.code() == errc::io || error.code() == errc::deadline_exceeded;
}

// What takes the body of an answer, in memory or in a file.
class BodySink {
 public:
  static Result<BodySink> open(const fs::path& file) {
    BodySink sink;
    if (file.empty()) return sink;
    sink.file_ = FileHandle(
        ::open(file.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600));
    if (!sink.file_.is_open()) return cannot_write_to(file, errno);
    sink.path_ = file;
    return sink;
  }

  Result<void> take(std::string_view bytes) {
    taken_ += bytes.size();
    const std::uint64_t most = path_.empty() ? kMaxAnswer : kMaxArchive;
    if (taken_ > most) {
      return fail(errc::hub_request_failed,
                  "the hub's answer is longer than " + std::to_string(most) + " bytes");
    }
    if (path_.empty()) {
      text_ += bytes;
      return ok();
    }
    const int reason = unpack::write_bytes(file_.get(), bytes);
    return reason == 0 ? ok() : Result<void>(cannot_write_to(path_, reason));
  }

  Result<std::string> finish() {
    const int reason = file_.is_open() ? file_.close() : 0;
    if (reason != 0) return cannot_write_to(path_, reason);
    return std::move(text_);
  }

 private:
  FileHandle file_;
  fs::path path_;
  std::string text_;
  std::uint64_t taken_ = 0;
};

HttpOrder order_of(const Ask& ask, std::string url, const std::string& token, bool is_transfer) {
  HttpOrder order;
  order.url = std::move(url);
  order.limits = {kTry, kTry, is_transfer ? std::chrono::milliseconds(kTransfer) : kTry};
  order.headers = {is_transfer && !ask.body ? "Accept: application/zip, */*"
                                            : "Accept: application/json"};
  if (ask.with_token && !token.empty()) order.headers.push_back("Authorization: Bearer " + token);
  if (ask.method == "POST") {
    order.post = ask.body.value_or("");
    order.headers.push_back(ask.content_type.empty() ? "Content-Type:"
                                                     : "Content-Type: " + ask.content_type);
    order.headers.emplace_back("Expect:");
  } else if (ask.method != "GET") {
    order.method = ask.method;
  }
  return order;
}

Errc code_of(const Ask& ask, long status) {
  if (status == kUnauthorized) return errc::hub_not_logged_in;
  const bool is_missing = status == kNotFound || status == kGone;
  return ask.is_about_skill && is_missing ? errc::hub_skill_not_found : errc::hub_request_failed;
}

}  // namespace

std::string escaped(std::string_view text) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  constexpr std::string_view kPlain = "-_.~";
  std::string url;
  for (const char c : text) {
    const char lower = lower_char(c);
    if (is_digit(c) || (lower >= 'a' && lower <= 'z') || kPlain.contains(c)) {
      url += c;
    } else {
      const auto byte = static_cast<unsigned char>(c);
      url += '%';
      url += kDigits[byte >> 4U];
      url += kDigits[byte & 15U];
    }
  }
  return url;
}

std::string with_query(std::string path,
                       const std::vector<std::pair<std::string, std::string>>& query) {
  char separator = '?';
  for (const auto& [name, value] : query) {
    path += separator + name + "=" + escaped(value);
    separator = '&';
  }
  return path;
}

Result<std::string> Client::ask(const Ask& ask, std::string* came_from) const {
  auto reply = try_until_it_holds(ask, {});
  if (reply && came_from != nullptr) *came_from = reply->origin;
  return judged(ask, std::move(reply));
}

Result<void> Client::download(const Ask& ask, const fs::path& file) const {
  auto text = judged(ask, try_until_it_holds(ask, file));
  return text ? ok() : std::unexpected(std::move(text).error());
}

Result<Client::Reply> Client::try_until_it_holds(const Ask& ask, const fs::path& file) const {
  const int most = ask.tries == Ask::Tries::one ? 1 : kTries;
  bool was_lost = false;
  for (int tries = 1;; ++tries) {
    auto reply = exchange(ask, file);
    const bool again = reply ? may_pass(reply->status) : may_pass(reply.error());
    if (reply) reply->is_repeated = was_lost;
    was_lost = was_lost || !reply;
    if (!again || tries == most) return reply;
    TRY_VOID(pause(tries));
  }
}

Result<Client::Reply> Client::exchange(const Ask& ask, const fs::path& file) const {
  const bool is_transfer = !file.empty() || ask.body.value_or("").size() > kLongBody;
  TRY(const auto stream,
      open_http(order_of(ask, registry_ + ask.path, token_, is_transfer), stop_));
  Reply reply{stream->status()};
  reply.origin = origin_of(stream->url());
  TRY(BodySink sink, BodySink::open(is_success(reply.status) ? file : fs::path()));
  for (;;) {
    TRY(const std::string_view bytes, stream->read());
    if (bytes.empty()) break;
    TRY_VOID(sink.take(bytes));
  }
  TRY(reply.text, sink.finish());
  return reply;
}

Result<void> Client::pause(int tries) const {
  std::mutex mutex;
  std::condition_variable_any stopped;
  std::unique_lock lock(mutex);
  stopped.wait_for(lock, stop_, std::chrono::seconds(tries), [] { return false; });
  return stop_.stop_requested() ? fail(errc::cancelled, "cancelled") : ok();
}

Result<std::string> Client::judged(const Ask& ask, Result<Reply> reply) const {
  ErrorMembers details;
  details.text("url", registry_ + ask.path);
  if (!reply) {
    const Error& error = reply.error();
    if (!may_pass(error)) return std::unexpected(error);
    return fail(errc::hub_request_failed, "cannot reach " + registry_ + ": " + error.message(),
                ErrorMembers().object("details", details).str());
  }
  std::string text = without_token(reply->text, token_);  // a hub may repeat what it was sent
  if (is_success(reply->status)) return text;
  details.number("status", reply->status);
  std::string message = error_text(reply->status, text);
  if (reply->is_repeated && ask.method != "GET") {
    message += " (an earlier try was not answered; what it asked for may be done)";
  }
  return fail(code_of(ask, reply->status), std::move(message),
              ErrorMembers().object("details", details).str());
}

bool is_unreachable(const Error& error) {
  // An archive that breaks off again and again says nothing of the next one.
  const std::string& members = error.members();
  return error.code() == errc::hub_request_failed && members.contains("\"url\"") &&
         !members.contains("\"status\"") && !members.contains("/api/v1/download");
}

}  // namespace clawperator::hub
