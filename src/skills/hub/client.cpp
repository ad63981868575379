#include "skills/hub/client.hpp"

#include <condition_variable>
#include <ctime>
#include <mutex>

#include "base/clock.hpp"
#include "base/error_members.hpp"
#include "base/number.hpp"
#include "base/text.hpp"
#include "base/url.hpp"
#include "runtime/fetch/part_file.hpp"
#include "skills/hub/answers.hpp"
#include "skills/hub/errc.hpp"

namespace clawperator::hub {

namespace fs = std::filesystem;

namespace {

constexpr std::chrono::seconds kTry(15);
// For long archives; a transfer without progress ends after 15 s.
constexpr std::chrono::minutes kTransfer(5);
constexpr std::size_t kLongBody = std::size_t{64} << 10;
constexpr int kTries = 3;  // as the hub's own client: two more after a 429, a 5xx or a lost link
constexpr long kUnauthorized = 401;
constexpr long kNotFound = 404;
constexpr long kGone = 410;
constexpr long kAmbiguous = 409;
constexpr long kTooMany = 429;
constexpr long kServerError = 500;

// A hub counts requests by the minute. Beyond that the user decides when to try again.
constexpr std::chrono::seconds kLongestPause(60);

bool is_success(long status) { return status >= 200 && status < 300; }
bool may_pass(long status) { return status == kTooMany || status >= kServerError; }
bool may_pass(const Error& error) {
  return error.code() == errc::io || error.code() == errc::deadline_exceeded;
}

// Receives the body of an answer, in memory or in a file.
class BodySink {
 public:
  static Result<BodySink> open(const fs::path& file) {
    BodySink sink;
    if (file.empty()) return sink;
    TRY(sink.part_, PartFile::open(file, {}));
    TRY_VOID(sink.part_->truncate());  // of an earlier try
    return sink;
  }

  Result<void> take(std::string_view bytes) {
    taken_ += bytes.size();
    const std::uint64_t most = part_ ? kMaxArchive : kMaxAnswer;
    if (taken_ > most) {
      return fail(errc::hub_request_failed,
                  "the hub's answer is longer than " + std::to_string(most) + " bytes");
    }
    if (part_) return part_->take(bytes);
    text_ += bytes;
    return ok();
  }

  Result<std::string> finish() {
    if (part_) TRY_VOID(part_->become_target());
    return std::move(text_);
  }

 private:
  std::unique_ptr<PartFile> part_;
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

// Older hubs send a text without the owners' names.
std::unexpected<Error> ambiguous(std::string_view text, ErrorMembers details) {
  const auto owners = read_owners(text);
  if (owners.empty()) {
    return fail_with(errc::hub_skill_ambiguous,
                     error_text(kAmbiguous, text) + " (name the skill as @OWNER/SLUG)", details);
  }
  details.strings("owners", owners);
  return fail_with(errc::hub_skill_ambiguous,
                   "several owners have a skill of this name; name it as @OWNER/SLUG, with one of "
                   "these: " +
                       joined(owners, ", "),
                   details);
}

constexpr std::string_view kLegacyRegistry = "https://auth.clawdhub.com";

struct SiteInfo {
  Discovery discovery{};
  std::string origin{};  // the server that answered: another one after a redirect
};

Result<SiteInfo> ask_site(const std::string& site, Names names, const std::stop_token& stop) {
  const std::string path = "/.well-known/" + std::string(name_of(names)) + ".json";
  SiteInfo info;
  TRY(const std::string text,
      Client(site, {}, stop).ask({.path = path, .tries = Ask::Tries::one}, &info.origin));
  TRY(info.discovery, read_discovery(text));
  return info;
}

// The site may have a document of the other name; a site that cannot be reached is not queried
// twice.
Result<SiteInfo> discover(const std::string& site, Names names, const std::stop_token& stop) {
  auto found = ask_site(site, names, stop);
  if (found || !found.error().members().contains("\"status\"")) return found;
  return ask_site(site, names == Names::clawdhub ? Names::clawhub : Names::clawdhub, stop);
}

// Empty for a URL that is missing or invalid.
std::string base_or_none(const std::string& url) {
  return url.empty() ? std::string() : checked_base("", url).value_or("");
}

std::string pages_of(const SiteInfo& info, const std::string& otherwise) {
  std::string pages = base_or_none(info.discovery.auth_base.value_or(""));
  return pages.empty() ? otherwise : pages;
}

constexpr std::string_view kHidden = "***";

// A decoded text: `starts` has the place of each of its characters in `source`.
struct Spelled {
  std::string_view source{};
  std::string read{};
  std::vector<std::uint32_t> starts{};

  [[nodiscard]] std::size_t start(std::size_t at) const { return starts.empty() ? at : starts[at]; }
};

// The number of so many hex digits at the front; nullopt: they are no digits.
std::optional<unsigned> hex_number(std::string_view text, std::size_t digits) {
  if (text.size() < digits) return std::nullopt;
  return whole_number<unsigned>(text.substr(0, digits), 16);
}

// The character that begins a text, and the length of its spelling: "%2F", "\\/", "\\u002f".
char spelled_char(std::string_view text, std::size_t* length) {
  *length = 1;
  if (text[0] == '%') {
    const auto code = hex_number(text.substr(1), 2);
    if (code) *length = 3;
    return static_cast<char>(code.value_or('%'));
  }
  if (text[0] != '\\' || text.size() < 2) return text[0];
  *length = 2;
  if (text[1] != 'u') return text[1];
  const auto code = hex_number(text.substr(2), 4);
  if (!code || *code >= 0x80) return 'u';  // no token has others
  *length = 6;
  return static_cast<char>(*code);
}

Spelled read_spelled(std::string_view source) {
  Spelled spelled{source, {}, {}};
  spelled.read.reserve(source.size());
  spelled.starts.reserve(source.size() + 1);
  for (std::size_t at = 0; at < source.size();) {
    std::size_t length = 0;
    spelled.read += spelled_char(source.substr(at), &length);
    spelled.starts.push_back(static_cast<std::uint32_t>(at));
    at += length;
  }
  spelled.starts.push_back(static_cast<std::uint32_t>(source.size()));
  return spelled;
}

// For each beginning of the token the longest proper end that is a beginning, too (Knuth, Morris,
// Pratt): each byte of a text is read once, whatever it contains.
std::vector<std::size_t> fallbacks_of(std::string_view token) {
  std::vector<std::size_t> fallbacks(token.size());
  for (std::size_t at = 1, known = 0; at < token.size(); ++at) {
    while (known > 0 && token[at] != token[known]) known = fallbacks[known - 1];
    if (token[at] == token[known]) ++known;
    fallbacks[at] = known;
  }
  return fallbacks;
}

std::string hidden_in(const Spelled& spelled, std::string_view text, std::string_view token) {
  const auto fallbacks = fallbacks_of(token);
  std::string shown;
  std::size_t done = 0;
  std::size_t known = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    while (known > 0 && text[at] != token[known]) known = fallbacks[known - 1];
    if (text[at] == token[known]) ++known;
    if (known < token.size()) continue;
    shown += spelled.source.substr(done, spelled.start(at + 1 - token.size()) - done);
    shown += kHidden;
    done = spelled.start(at + 1);
    known = 0;
  }
  shown += spelled.source.substr(done);
  return shown;
}

}  // namespace

std::optional<std::chrono::seconds> read_retry_after(std::string_view value,
                                                     std::chrono::seconds now) {
  constexpr std::chrono::seconds kFirstHub(1'700'000'000);  // below it is no moment of a hub
  constexpr std::chrono::hours kLongestWait(24);            // a longer one is a mistake
  const std::string text(trimmed(value));
  // As a Unix time it is far below 2^40, the bound of what is added here.
  const auto number = whole_number<std::uint64_t>(text);
  std::chrono::seconds moment(std::min(number.value_or(0), std::uint64_t{1} << 40U));
  if (number && moment < kFirstHub) now = std::chrono::seconds(0);
  std::tm date{};
  if (!number) {
    const char* end = ::strptime(text.c_str(), "%a, %d %b %Y %H:%M:%S GMT", &date);
    if (end == nullptr || *end != '\0') return std::nullopt;
    moment = std::chrono::seconds(::timegm(&date));
  }
  const auto wait = std::max(moment - now, std::chrono::seconds(0));
  return wait > kLongestWait ? std::nullopt : std::optional(wait);
}

std::string with_query(std::string path,
                       const std::vector<std::pair<std::string, std::string>>& query) {
  char separator = '?';
  for (const auto& [name, value] : query) {
    path += separator + name + "=" + percent_encoded(value);
    separator = '&';
  }
  return path;
}

std::vector<std::pair<std::string, std::string>> owner_query(const std::string& owner) {
  if (owner.empty()) return {};
  return {{"ownerHandle", owner}};
}

Result<std::string> Client::ask(const Ask& ask, std::string* came_from) const {
  auto reply = try_until_it_holds(ask, {});
  if (reply && came_from != nullptr) *came_from = reply->origin;
  return judged(ask, std::move(reply));
}

Result<void> Client::download(const Ask& ask, const fs::path& file) const {
  TRY_VOID(judged(ask, try_until_it_holds(ask, file)));
  return ok();
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
    std::chrono::seconds length(tries);
    if (reply && reply->retry_after) {
      length = *reply->retry_after;
      if (length > kLongestPause) return reply;
      warn_("the hub has too many requests; the next try is in " + std::to_string(length.count()) +
            " s");
    }
    TRY_VOID(pause(length));
  }
}

Result<Client::Reply> Client::exchange(const Ask& ask, const fs::path& file) const {
  const bool is_transfer = !file.empty() || ask.body.value_or("").size() > kLongBody;
  TRY(const auto stream,
      open_http(order_of(ask, registry_ + ask.path, token_, is_transfer), stop_));
  Reply reply{stream->status()};
  reply.origin = origin_of(stream->url());
  if (const auto given = stream->header("Retry-After")) {
    const auto now = std::chrono::milliseconds(base::wall_milliseconds());
    reply.retry_after =
        read_retry_after(*given, std::chrono::duration_cast<std::chrono::seconds>(now));
  }
  TRY(BodySink sink, BodySink::open(is_success(reply.status) ? file : fs::path()));
  for (;;) {
    TRY(const std::string_view bytes, stream->read());
    if (bytes.empty()) break;
    TRY_VOID(sink.take(bytes));
  }
  TRY(reply.text, sink.finish());
  return reply;
}

Result<void> Client::pause(std::chrono::seconds length) const {
  std::mutex mutex;
  std::condition_variable_any stopped;
  std::unique_lock lock(mutex);
  stopped.wait_for(lock, stop_, length, [] { return false; });
  return stop_.stop_requested() ? fail(errc::cancelled, "cancelled") : ok();
}

Result<std::string> Client::judged(const Ask& ask, Result<Reply> reply) const {
  ErrorMembers details;
  details.text("url", registry_ + ask.path);
  if (!reply) {
    const Error& error = reply.error();
    if (!may_pass(error)) return std::unexpected(error);
    return fail_with(errc::hub_request_failed, "cannot reach " + registry_ + ": " + error.message(),
                     details);
  }
  std::string text = without_token(reply->text, token_);  // a hub may repeat the request
  if (is_success(reply->status)) return text;
  details.number("status", reply->status);
  if (reply->status == kAmbiguous && ask.is_about_skill) return ambiguous(text, details);
  std::string message = error_text(reply->status, text);
  if (reply->retry_after && may_pass(reply->status)) {
    const auto seconds = reply->retry_after->count();
    details.number("retryAfterSeconds", seconds);
    message += " (try again in " + std::to_string(seconds) + " s)";
  }
  if (reply->is_repeated && ask.method != "GET") {
    message += " (an earlier try got no answer; its request may have been carried out)";
  }
  return fail_with(code_of(ask, reply->status), std::move(message), details);
}

bool is_unreachable(const Error& error) {
  // An archive whose transfer breaks off does not make the hub unreachable for the next one.
  const std::string& members = error.members();
  return error.code() == errc::hub_request_failed && members.contains("\"url\"") &&
         !members.contains("\"status\"") && !members.contains("/api/v1/download");
}

Result<Registry> find_registry(const Places& places, const std::stop_token& stop) {
  if (!places.registry.empty()) return Registry{places.registry, places.site};
  const auto info = discover(places.site, places.names, stop);
  if (stop.stop_requested()) return fail(errc::cancelled, "cancelled");
  if (!info && info.error().code() == errc::unsupported) return std::unexpected(info.error());
  const std::string base = info ? base_or_none(info->discovery.registry) : "";
  if (!base.empty()) {
    const bool by_site = info->origin == origin_of(places.site);
    return Registry{base, pages_of(*info, by_site ? places.site : info->origin), by_site};
  }
  const std::string cached = base_or_none(read_hub_config(places.names).registry);
  const bool is_usable = !cached.empty() && origin_of(cached) != kLegacyRegistry;
  return Registry{is_usable ? cached : places.site, places.site};
}

Result<Registry> find_login(const Places& places, const std::stop_token& stop) {
  TRY(Registry registry, find_registry(places, stop));
  if (places.registry.empty() || places.is_site_given) return registry;
  const auto info = discover(registry.url, places.names, stop);
  if (stop.stop_requested()) return fail(errc::cancelled, "cancelled");
  registry.auth_base = info ? pages_of(*info, registry.url) : registry.url;
  return registry;
}

bool may_get_token(const Registry& registry, const std::string& brought, const Places& places) {
  const std::string_view used = origin_of(registry.url);
  const std::string_view pages = origin_of(registry.auth_base);
  return origin_of(brought) == used || pages == used ||
         (registry.by_site && pages == origin_of(places.site));
}

std::string token_for(const HubConfig& config, const Registry& registry, const Places& places) {
  const std::string_view of_login = origin_of(config.registry);
  const bool is_same = of_login == origin_of(registry.url);
  const bool is_of_site = registry.by_site && of_login == origin_of(places.site);
  return is_same || is_of_site ? config.token : std::string();
}

Result<Client> client_as_user(const Places& places, const std::stop_token& stop) {
  const HubConfig config = read_hub_config(places.names);
  constexpr std::string_view kLogIn = "Not logged in. Run: clawperator hub login";
  if (config.token.empty()) return fail(errc::hub_not_logged_in, std::string(kLogIn));
  TRY(const Registry registry, find_registry(places, stop));
  std::string token = token_for(config, registry, places);
  if (!token.empty()) return Client(registry.url, std::move(token), stop, places.warn);
  return fail(errc::hub_not_logged_in, "Not logged in at " + registry.url + ", but at " +
                                           shown_url(config.registry) +
                                           ". Run: clawperator hub login");
}

Result<Client> client_as_anybody(const Places& places, const std::stop_token& stop,
                                 const std::string& noted) {
  const std::string known = base_or_none(noted);
  const bool is_usable = !known.empty() && origin_of(known) != kLegacyRegistry;
  if (is_usable && places.registry.empty() && !places.is_site_given) {
    return Client(known, {}, stop, places.warn);
  }
  TRY(const Registry registry, find_registry(places, stop));
  return Client(registry.url, {}, stop, places.warn);
}

std::string without_token(std::string_view text, const std::string& token) {
  if (token.empty()) return std::string(text);
  std::string shown = hidden_in(Spelled{text, {}, {}}, text, token);
  if (!shown.contains('%') && !shown.contains('\\')) return shown;
  const Spelled spelled = read_spelled(shown);
  return hidden_in(spelled, spelled.read, token);
}

}  // namespace clawperator::hub
