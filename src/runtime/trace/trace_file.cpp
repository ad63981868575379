#include "runtime/trace/trace_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <system_error>

#include "base/named_secrets.hpp"
#include "base/system/file_lock.hpp"

namespace clawperator {

namespace {

// One line of a viewer's details; a plan's text would swell the file.
constexpr std::size_t kMaxText = 512;

std::string micros(std::chrono::nanoseconds time) {
  const std::string nanos = std::to_string(1000 + time.count() % 1000);
  return std::to_string(time.count() / 1000) + "." + nanos.substr(1);
}

}  // namespace

std::string encode_event(const TraceEvent& event, std::int64_t process) {
  const char kind = static_cast<char>(event.kind);
  JsonObject json;
  json.text("ph", std::string_view(&kind, 1));
  if (!event.name.empty()) json.text("name", event.name);
  if (!event.category.empty()) json.text("cat", event.category);
  json.number("pid", process).number("tid", static_cast<std::int64_t>(event.track));
  if (event.kind != TraceEvent::Kind::name) json.json("ts", micros(event.at.time_since_epoch()));
  if (event.kind == TraceEvent::Kind::complete) json.json("dur", micros(event.duration));
  if (event.kind == TraceEvent::Kind::instant) {
    json.text("s", event.track == Track::process ? "p" : "t");  // as wide as the process, the track
  }
  if (!event.args.empty()) json.object("args", event.args);
  return json.str();
}

std::string clipped_for_trace(std::string_view text) {
  return without_named_secrets(text.substr(0, kMaxText));
}

namespace {

constexpr std::string_view kBeginning = "[";
constexpr std::string_view kEnd = "\n]\n";

Result<base::FileHandle> open_own_file(const std::string& path) {
  const auto failure = [&path](const std::string& why) {
    return fail(errc::file_write_failed, "cannot write the trace " + path + ": " + why);
  };
  // Not to wait for the reader of a pipe.
  constexpr int kHow = O_WRONLY | O_CREAT | O_CLOEXEC | O_NOCTTY | O_NONBLOCK;
  base::FileHandle file(::open(path.c_str(), kHow, 0600));
  if (!file.is_open()) return failure(std::strerror(errno));
  struct stat found{};
  if (::fstat(file.get(), &found) != 0) return failure(std::strerror(errno));
  if (!S_ISREG(found.st_mode)) return failure("it is no regular file");
  if (found.st_uid != ::geteuid()) return failure("it belongs to another user");
  if (base::try_lock(file) != base::Locking::locked) return failure("another process writes there");
  if (::ftruncate(file.get(), 0) != 0 || ::fchmod(file.get(), 0600) != 0) {
    return failure(std::strerror(errno));
  }
  return file;
}

}  // namespace

Result<std::unique_ptr<TraceFile>> TraceFile::open(const std::filesystem::path& path,
                                                   TraceLimits limits) {
  TRY(auto file, open_own_file(path.string()));
  std::unique_ptr<TraceFile> trace(new TraceFile(std::move(file), path.string(), limits));
  trace->write_out({});
  if (!trace->failure_.empty()) return fail(errc::file_write_failed, trace->failure_);
  try {
    trace->writer_ = std::thread([own = trace.get()] { own->write_events(); });
  } catch (const std::system_error& error) {
    return fail(errc::limit, std::string("no thread for the trace: ") + error.what());
  }
  return trace;
}

TraceFile::TraceFile(base::FileHandle file, std::string path, TraceLimits limits)
    : file_(std::move(file)), path_(std::move(path)), limits_(limits) {}

TraceFile::~TraceFile() { [[maybe_unused]] const auto ended = finish(); }

void TraceFile::add(std::string_view event) {
  const std::lock_guard lock(mutex_);
  if (full_ || finishing_ || !failure_.empty()) return;
  if (buffer_.size() + event.size() > limits_.buffer) {
    ++dropped_;
    return;
  }
  if (dropped_ != 0) note("events dropped", std::exchange(dropped_, 0));
  full_ = taken_ + event.size() > limits_.file;
  if (full_) return note("trace full", limits_.file);
  append(event);
}

// With the lock.
void TraceFile::append(std::string_view event) {
  if (buffer_.empty()) changed_.notify_one();
  buffer_.append(taken_ == 0 ? "\n" : ",\n").append(event);
  taken_ += event.size() + 2;
}

void TraceFile::note(std::string_view name, std::uint64_t count) {
  TraceEvent event{.name = name, .category = "trace", .at = base::Clock::now()};
  event.args.number("count", static_cast<std::int64_t>(count));
  append(encode_event(event, ::getpid()));
}

// On a thread of its own.
void TraceFile::write_events() {
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [this] { return finishing_ || !buffer_.empty(); });
    if (buffer_.empty()) return;
    std::string batch = std::exchange(buffer_, {});
    lock.unlock();
    write_out(std::move(batch));
    lock.lock();
  }
}

// Over the end of the array, which follows again: a process that is killed leaves a whole one.
void TraceFile::write_out(std::string batch) {
  if (offset_ == 0) batch.insert(0, kBeginning);
  const std::uint64_t start = offset_;
  const std::uint64_t end = offset_ + batch.size();
  std::string_view left = batch.append(kEnd);
  while (!left.empty()) {
    const auto written =
        ::pwrite(file_.get(), left.data(), left.size(), static_cast<::off_t>(offset_));
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return give_up(std::strerror(errno), start);
    left.remove_prefix(static_cast<std::size_t>(written));
    offset_ += static_cast<std::uint64_t>(written);
  }
  offset_ = end;
}

// The complete events stay.
void TraceFile::give_up(std::string_view why, std::uint64_t whole) {
  const bool cut = ::ftruncate(file_.get(), static_cast<::off_t>(whole)) == 0;
  if (cut && whole != 0) {
    [[maybe_unused]] const auto ended =
        ::pwrite(file_.get(), kEnd.data(), kEnd.size(), static_cast<::off_t>(whole));
  }
  const std::lock_guard lock(mutex_);
  failure_ = "cannot write the trace " + path_ + ": " + std::string(why);
}

Result<void> TraceFile::finish() {
  {
    const std::lock_guard lock(mutex_);
    if (!finishing_ && dropped_ != 0) note("events dropped", std::exchange(dropped_, 0));
    finishing_ = true;
    changed_.notify_one();
  }
  if (writer_.joinable()) writer_.join();
  file_.reset();
  if (!failure_.empty()) return fail(errc::file_write_failed, failure_);
  return ok();
}

}  // namespace clawperator
