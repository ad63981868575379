#include "adbproto/client/package_service.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "adbproto/wire/services.hpp"
#include "adbproto/wire/shell_commands.hpp"
#include "base/async/signal.hpp"

namespace adbproto {
namespace {

constexpr std::size_t kPiece = 256 * 1024;
// A verdict is "Success" or "Failure [CODE: reason]", some hundred bytes.
constexpr std::size_t kMaxVerdict = 64 * 1024;
// The longest delay before a passed limit is noticed.
constexpr auto kVerdictPause = std::chrono::milliseconds(250);

std::string exec_command(const FeatureSet& features, const std::vector<std::string>& words) {
  return exec(
      package_command(features.has("cmd") ? PackageProgram::cmd : PackageProgram::pm, words));
}

std::string abb_command(const std::vector<std::string>& words) {
  std::vector<std::string> arguments{"package"};
  arguments.insert(arguments.end(), words.begin(), words.end());
  return abb_exec(arguments);
}

// Writes the file and reads at the same time: a service may send its verdict early.
class Dialogue {
 public:
  Dialogue(ByteStreamPtr stream, const Apk* apk, PackageLimits limits,
           std::function<void(std::size_t)> on_bytes)
      : stream_(std::move(stream)),
        apk_(apk),
        limits_(limits),
        on_bytes_(std::move(on_bytes)),
        progress_at_(Clock::now()) {}

  // The device closed the stream without a verdict, and no error happened here.
  [[nodiscard]] bool was_silent() const { return was_silent_; }

  Task<std::string> run() {
    using namespace base::parallel;
    co_await ((read_verdict() && write_file()) || watch());
    if (error_) co_return std::unexpected(*error_);
    while (verdict_.ends_with('\n') || verdict_.ends_with('\r')) verdict_.pop_back();
    if (!verdict_.empty()) co_return std::move(verdict_);
    was_silent_ = !write_error_ || write_error_->code() == errc::closed;
    if (write_error_) co_return std::unexpected(*write_error_);
    co_return fail(errc::protocol, "device gave no verdict");
  }

 private:
  asio::awaitable<void> read_verdict() {
    Bytes buffer(4096);
    while (verdict_.size() < kMaxVerdict) {
      const auto size = co_await stream_->read_some(buffer);
      if (!size && size.error().code() != errc::closed) error_ = size.error();
      if (!size) break;
      verdict_ += as_text(ByteView(buffer).first(*size));
    }
    stream_->close();  // the unsent rest is discarded
  }

  asio::awaitable<void> write_file() {
    Result<void> sent;
    if (apk_ != nullptr) sent = co_await send();
    progress_at_ = Clock::now();
    all_sent_ = true;
    if (sent) co_return;
    if (sent.error().code() != errc::file_unreadable) {
      write_error_ = sent.error();  // the reader may receive the reason
      co_return;
    }
    error_ = sent.error();
    stream_->close();
  }

  Task<void> send() {
    Bytes buffer(kPiece);
    for (std::uint64_t left = apk_->size; left > 0;) {
      const auto wanted = static_cast<std::size_t>(std::min<std::uint64_t>(left, kPiece));
      const ssize_t got = ::read(apk_->file.get(), buffer.data(), wanted);
      if (got < 0 && errno == EINTR) continue;
      if (got < 0) {
        co_return file_failure(errc::file_unreadable, "failed to read '" + apk_->path + "'", errno);
      }
      if (got == 0) co_return fail(errc::file_unreadable, "'" + apk_->path + "' became shorter");
      const auto size = static_cast<std::size_t>(got);
      CO_TRY_VOID(co_await stream_->write_all(ByteView(buffer).first(size)));
      progress_at_ = Clock::now();
      left -= size;
      on_bytes_(size);
    }
    co_return ok();
  }

  asio::awaitable<void> watch() {
    for (;;) {
      const auto limit = all_sent_ ? limits_.verdict : limits_.stall;
      if (Clock::now() - progress_at_ >= limit) break;
      co_await sleep_for(std::min<Clock::duration>(kVerdictPause, limit));
    }
    error_ = Error(errc::deadline_exceeded,
                   all_sent_ ? "device gave no verdict in time" : "device takes no more data");
    stream_->close();
  }

  ByteStreamPtr stream_;
  const Apk* apk_;
  PackageLimits limits_;
  std::function<void(std::size_t)> on_bytes_;
  Clock::time_point progress_at_;
  bool all_sent_ = false;
  std::string verdict_;
  std::optional<Error> error_;
  std::optional<Error> write_error_;
  bool was_silent_ = false;
};

// The streamed and the pushed way count the same bytes.
class Counter {
 public:
  explicit Counter(std::function<void(std::size_t)> report) : report_(std::move(report)) {}
  void begin() { at_ = 0; }
  void add(std::size_t size) {
    at_ += size;
    if (at_ > reported_) report_(static_cast<std::size_t>(at_ - std::exchange(reported_, at_)));
  }

 private:
  std::function<void(std::size_t)> report_;
  std::uint64_t at_ = 0;
  std::uint64_t reported_ = 0;
};

struct Question {
  Device* device;
  const Apk* apk;
  PackageLimits limits;
  Counter counter;
};

// nullopt: the service was refused, or it ended without output.
Task<std::optional<std::string>> call_service(Question* question, std::string service) {
  auto stream = co_await question->device->open(std::move(service));
  if (!stream && stream.error().code() == errc::refused) co_return std::nullopt;
  if (!stream) co_return std::unexpected(stream.error());
  Dialogue dialogue(*std::move(stream), question->apk, question->limits,
                    [question](std::size_t size) { question->counter.add(size); });
  auto verdict = co_await dialogue.run();
  if (verdict) co_return *std::move(verdict);
  if (dialogue.was_silent()) co_return std::nullopt;
  co_return std::unexpected(verdict.error());
}

}  // namespace

Result<Apk> open_apk(const std::string& path, const std::string& shown) {
  Apk apk{.path = path, .file = {}};
  struct stat status{};
  if (::stat(path.c_str(), &status) != 0) {
    return file_failure(errc::file_unreadable, "failed to stat " + shown, errno);
  }
  TRY(apk.file, open_to_read(path));
  apk.size = static_cast<std::uint64_t>(status.st_size);
  return apk;
}

Task<std::string> call_package_service(Device* device, std::vector<std::string> words,
                                       const Apk* apk, PackageLimits limits,
                                       std::function<void(std::size_t)> on_bytes) {
  // The service may be announced without a binder behind it, or be broken: the shell may still
  // work.
  const std::string abb = abb_command(words);
  if (device->features().has("abb_exec") && check_service(abb)) {
    Question question{device, apk, limits, Counter(on_bytes)};
    CO_TRY(auto verdict, co_await call_service(&question, abb));
    if (verdict) co_return *std::move(verdict);
    if (apk != nullptr) ::lseek(apk->file.get(), 0, SEEK_SET);
    question.counter.begin();
    on_bytes = [counter = question.counter](std::size_t size) mutable { counter.add(size); };
  }
  CO_TRY(auto stream, co_await device->open(exec_command(device->features(), words)));
  Dialogue dialogue(std::move(stream), apk, limits, std::move(on_bytes));
  co_return co_await dialogue.run();
}

bool is_success(std::string_view verdict) { return verdict.starts_with("Success"); }

Result<std::string> parse_session_id(std::string_view verdict) {
  const std::size_t begin = verdict.rfind('[');
  const std::size_t end = verdict.rfind(']');
  const bool bracketed = begin != verdict.npos && end != verdict.npos && begin + 1 < end;
  const auto id = bracketed ? verdict.substr(begin + 1, end - begin - 1) : std::string_view{};
  const bool number =
      !id.empty() && id.size() <= 20 && id.find_first_not_of("0123456789") == id.npos;
  if (!is_success(verdict) || !number) {
    return fail(errc::refused, "failed to create session\n" + std::string(verdict));
  }
  return std::string(id);
}

}  // namespace adbproto
