#include "runtime/host/phone_report/asking.hpp"

#include "adbproto/client/shell.hpp"
#include "base/text.hpp"
#include "runtime/android/chore_commands.hpp"
#include "runtime/engine/channel.hpp"
#include "runtime/host/phone_report/redaction.hpp"

namespace clawperator {

namespace {

constexpr std::size_t kMaxKept = 2 * 1024 * 1024;    // of one answer, before it is shortened
constexpr std::uint64_t kMaxRead = 2 * 1024 * 1024;  // a device that does not stop is stopped
constexpr std::size_t kMaxText = 4096;               // of one answer in the file
constexpr std::size_t kMaxErr = 500;
constexpr std::size_t kHeader = 16;
constexpr std::size_t kMostSerials = 4;
constexpr std::size_t kLongestSerial = 64;
constexpr auto kSerialLimit = std::chrono::seconds(3);

std::int64_t since(Clock::time_point start) {
  return std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - start).count();
}

// Kept current while the device speaks, so that a deadline leaves what came until then.
struct Heard {
  PhoneAnswer answer{};
  std::string out{};
};

// What a header needs is there long before a whole picture is.
bool has_enough(const PhoneQuestion& question, const Heard& heard) {
  return question.kept == Kept::header && heard.out.size() >= kHeader;
}

Task<void> listen(adbproto::Device* device, const PhoneQuestion* question, Heard* heard) {
  PhoneAnswer& answer = heard->answer;
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
    const auto room = kMaxKept - std::min(kMaxKept, heard->out.size());
    heard->out += as_text(piece->first(std::min(room, piece->size())));
    answer.ended = Ended::endless;
    if (answer.bytes > kMaxRead || has_enough(*question, *heard)) co_return ok();
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

std::string kept_of(const PhoneQuestion& question, std::string_view out, const Secrets& secrets) {
  switch (question.kept) {
    case Kept::shape: return {};
    case Kept::header: return in_hexadecimal(out.substr(0, kHeader));
    case Kept::lines: return redact(lines_with(out, question.words), secrets).substr(0, kMaxText);
    default: return redact(out, secrets).substr(0, kMaxText);
  }
}

Task<PhoneAnswer> ask(adbproto::Device* device, const PhoneQuestion* question,
                      const Secrets* secrets) {
  Heard heard;
  const auto start = Clock::now();
  const auto done = co_await with_deadline(listen(device, question, &heard), question->limit,
                                           std::string(question->id));
  if (!done && done.error().code() == errc::cancelled) co_return std::unexpected(done.error());
  if (!done) judge_end(&heard.answer, done.error());
  PhoneAnswer answer = std::move(heard.answer);
  answer.id = question->id;
  answer.service = question->service;
  answer.end_ms = since(start);
  answer.out = kept_of(*question, heard.out, *secrets);
  answer.err = redact(answer.err.substr(0, kMaxErr), *secrets);
  co_return answer;
}

// What must not be in the file has to be known first.
asio::awaitable<Secrets> find_secrets(adbproto::Device* device, std::string operator_package) {
  Secrets secrets{{device->serial()}, std::move(operator_package)};
  const auto told = co_await adbproto::run_shell(device, serials_line(), kSerialLimit);
  std::string_view lines = told ? std::string_view(told->out) : std::string_view();
  while (!lines.empty() && secrets.serials.size() < kMostSerials) {
    const std::string_view serial = take_line(&lines).substr(0, kLongestSerial);
    if (!serial.empty()) secrets.serials.emplace_back(serial);
  }
  co_return secrets;
}

}  // namespace

Task<PhoneReport> ask_phone(adbproto::Device* device, ReportRequest request) {
  PhoneReport report;
  report.program = request.program;
  report.route = device->route();
  report.operator_package = request.operator_package;
  report.max_service_size = device->max_service_size();
  report.settings_consented = request.consent == Consent::settings;
  for (const std::string& feature : device->features().names()) report.features.push_back(feature);
  const Secrets secrets = co_await find_secrets(device, request.operator_package);
  for (const PhoneQuestion& question : phone_questions(request.operator_package, request.consent)) {
    if (request.on_question) request.on_question(question);
    CO_TRY(auto answer, co_await ask(device, &question, &secrets));
    report.answers.push_back(std::move(answer));
  }
  co_return report;
}

}  // namespace clawperator
