#include "runtime/host/phone_report/query.hpp"

#include <algorithm>

#include "adbproto/client/shell.hpp"
#include "base/text.hpp"
#include "runtime/android/chore_commands.hpp"
#include "runtime/engine/channel.hpp"

namespace clawperator {

namespace {

constexpr std::string_view kNameLetters =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._$";
constexpr std::size_t kShortestSerial = 4;  // shorter ones would eat ordinary words

void replace_all(std::string* text, std::string_view what, std::string_view with) {
  for (std::size_t at = 0; (at = text->find(what, at)) != text->npos; at += with.size()) {
    text->replace(at, what.size(), with);
  }
}

// Replaces every text between `before` and the next `after` by `with`.
void replace_between(std::string* text, std::string_view before, std::string_view after,
                     std::string_view with) {
  for (std::size_t at = 0; (at = text->find(before, at)) != text->npos;) {
    at += before.size();
    const auto end = std::min(text->find(after, at), text->find('\n', at));
    text->replace(at, (end == text->npos ? text->size() : end) - at, with);
    at += with.size();
  }
}

// UserInfo{0:NAME:c13}
void hide_users(std::string* text) {
  constexpr std::string_view kBegin = "UserInfo{";
  for (std::size_t at = 0; (at = text->find(kBegin, at)) != text->npos; at += kBegin.size()) {
    const auto name = text->find(':', at);
    const auto end = std::min(text->find('}', at), text->find('\n', at));
    if (name == text->npos || end == text->npos || name > end) continue;
    const auto flags = text->rfind(':', end);
    if (flags > name) text->replace(name + 1, flags - name - 1, "<name>");
  }
}

bool is_name_letter(char c) { return kNameLetters.find(c) != kNameLetters.npos; }

// "app/class" with a dot in the app's name; a path has its slash in front of it.
void hide_services(std::string* text, const std::string& ours) {
  for (std::size_t at = 0; (at = text->find('/', at)) != text->npos; ++at) {
    std::size_t begin = at;
    while (begin > 0 && is_name_letter((*text)[begin - 1])) --begin;
    const std::string app = text->substr(begin, at - begin);
    const bool is_app = app.find('.') != app.npos && !(begin > 0 && (*text)[begin - 1] == '/');
    if (!is_app || app == ours || app == ours + ".dev") continue;
    std::size_t end = at + 1;
    while (end < text->size() && is_name_letter((*text)[end])) ++end;
    constexpr std::string_view kHidden = "<app>/<service>";
    text->replace(begin, end - begin, kHidden);
    at = begin + kHidden.size() - 1;
  }
}

void hide_odd_bytes(std::string* text) {
  std::ranges::replace_if(
      *text,
      [](char c) {
        const auto byte = static_cast<unsigned char>(c);
        return (byte < 0x20 && c != '\n' && c != '\t') || byte >= 0x7f;
      },
      '?');
}

}  // namespace

std::string redact(std::string_view text, const ReportSecrets& secrets) {
  std::string kept(text);
  std::erase(kept, '\r');
  hide_odd_bytes(&kept);
  for (const std::string& serial : secrets.serials) {
    if (serial.size() >= kShortestSerial) replace_all(&kept, serial, "<serial>");
  }
  hide_users(&kept);
  replace_between(&kept, "displayName=\"", "\"", "<name>");
  hide_services(&kept, secrets.operator_package);
  return kept;
}

std::string lines_with(std::string_view text, const std::vector<std::string_view>& words) {
  std::string kept;
  while (!text.empty()) {
    const std::string_view line = take_line(&text);
    const bool wanted =
        std::ranges::any_of(words, [&](std::string_view word) { return line.contains(word); });
    if (wanted) kept.append(line).append("\n");
  }
  return kept;
}

namespace {

constexpr std::size_t kMaxKept = 2 * 1024 * 1024;    // of one answer, before it is shortened
constexpr std::uint64_t kMaxRead = 2 * 1024 * 1024;  // a device that does not stop is stopped
constexpr std::size_t kMaxText = 4096;               // of one answer in the file
constexpr std::size_t kMaxErr = 500;                 // one line of a tool, in the file
constexpr std::size_t kHeader = 16;
constexpr std::size_t kMostSerials = 4;  // the link's, two of `getprop`, one to spare
constexpr std::size_t kLongestSerial = 64;
// Two `getprop`; a person waits for them before the report begins.
constexpr auto kSerialLimit = std::chrono::seconds(3);

std::int64_t since(Clock::time_point start) {
  return std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - start).count();
}

// Kept current while the device sends, so that a deadline leaves what came until then.
struct Received {
  PhoneAnswer answer{};
  std::string out{};
};

// A header is complete long before a whole picture is.
bool has_enough(const PhoneQuestion& question, const Received& received) {
  return question.kept == Kept::header && received.out.size() >= kHeader;
}

Task<void> receive(adbproto::Device* device, const PhoneQuestion* question, Received* received) {
  PhoneAnswer& answer = received->answer;
  const auto start = Clock::now();
  const adbproto::Framing framing = adbproto::shell_framing(*device);
  CO_TRY(auto stream, co_await device->open(question->service));
  adbproto::OutputStream output(std::move(stream), framing);
  for (;;) {
    const auto piece = co_await output.next();
    answer.err = output.err();
    answer.status = output.exit_status();
    if (!piece && piece.error().code() == errc::closed) break;
    if (!piece) co_return std::unexpected(piece.error());
    if (!piece->empty() && !answer.first_ms) answer.first_ms = since(start);
    answer.bytes += piece->size();
    const auto room = kMaxKept - std::min(kMaxKept, received->out.size());
    received->out += as_text(piece->first(std::min(room, piece->size())));
    answer.ended = Ended::endless;
    if (answer.bytes > kMaxRead || has_enough(*question, *received)) co_return ok();
  }
  answer.ended = Ended::whole;
  co_return ok();
}

void judge_end(PhoneAnswer* answer, const Error& error) {
  const Errc code = error.code();
  answer->ended = Ended::broken;
  if (code == errc::deadline_exceeded) {
    answer->ended = Ended::late;
    return;
  }
  if (code == errc::refused && !names_lost_link(error)) answer->ended = Ended::refused;
  answer->err = error.message();
}

std::string in_hexadecimal(std::string_view bytes) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text;
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    text += kDigits[byte >> 4U];
    text += kDigits[byte & 15U];
  }
  return text;
}

std::string kept_of(const PhoneQuestion& question, std::string_view out,
                    const ReportSecrets& secrets) {
  switch (question.kept) {
    case Kept::shape: return {};
    case Kept::header: return in_hexadecimal(out.substr(0, kHeader));
    case Kept::lines: return redact(lines_with(out, question.words), secrets).substr(0, kMaxText);
    default: return redact(out, secrets).substr(0, kMaxText);
  }
}

Task<PhoneAnswer> query(adbproto::Device* device, const PhoneQuestion* question,
                        const ReportSecrets* secrets) {
  Received received;
  const auto start = Clock::now();
  const auto done = co_await with_deadline(receive(device, question, &received), question->limit,
                                           std::string(question->id));
  if (!done && done.error().code() == errc::cancelled) co_return std::unexpected(done.error());
  if (!done) judge_end(&received.answer, done.error());
  PhoneAnswer answer = std::move(received.answer);
  answer.id = question->id;
  answer.service = question->service;
  answer.end_ms = since(start);
  answer.out = kept_of(*question, received.out, *secrets);
  answer.err = redact(answer.err.substr(0, kMaxErr), *secrets);
  co_return answer;
}

// The texts that must not be in the file have to be known first.
asio::awaitable<ReportSecrets> find_secrets(adbproto::Device* device,
                                            std::string operator_package) {
  ReportSecrets secrets{{device->serial()}, std::move(operator_package)};
  const auto listed = co_await adbproto::run_shell(device, serials_line(), kSerialLimit);
  std::string_view lines = listed ? std::string_view(listed->out) : std::string_view();
  while (!lines.empty() && secrets.serials.size() < kMostSerials) {
    const std::string_view serial = take_line(&lines).substr(0, kLongestSerial);
    if (!serial.empty()) secrets.serials.emplace_back(serial);
  }
  co_return secrets;
}

}  // namespace

Task<PhoneReport> query_phone(adbproto::Device* device, ReportRequest request) {
  PhoneReport report;
  report.program = request.program;
  report.route = device->route();
  report.operator_package = request.operator_package;
  report.max_service_size = device->max_service_size();
  report.settings_consented = request.consent == Consent::settings;
  for (const std::string& feature : device->features().names()) report.features.push_back(feature);
  const ReportSecrets secrets = co_await find_secrets(device, request.operator_package);
  for (const PhoneQuestion& question : phone_questions(request.operator_package, request.consent)) {
    CO_TRY(auto answer, co_await query(device, &question, &secrets));
    report.answers.push_back(std::move(answer));
  }
  co_return report;
}

}  // namespace clawperator
