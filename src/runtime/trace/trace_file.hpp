#pragma once
// Events of the Trace Event Format, which ui.perfetto.dev and chrome://tracing read, as JSON text,
// and the file that holds them. Times are the monotonic clock's, in microseconds with three
// decimals, so that what nests here nests there.

#include <condition_variable>
#include <filesystem>
#include <mutex>
#include <thread>

#include "base/clock.hpp"
#include "base/error.hpp"
#include "base/file_handle.hpp"
#include "base/json_text.hpp"
#include "base/prelude.hpp"

namespace clawperator {

using TraceTime = base::Clock::time_point;

// A row of the picture; the format's thread.
enum class Track : std::uint32_t { process = 0 };

struct TraceEvent {
  enum class Kind : char { complete = 'X', begin = 'B', end = 'E', instant = 'i', name = 'M' };

  Kind kind = Kind::instant;
  std::string_view name{};  // of `name`: process_name or thread_name
  std::string_view category{};
  Track track = Track::process;
  TraceTime at{};
  std::chrono::nanoseconds duration{};  // of `complete`
  JsonObject args{};
};

std::string encode_event(const TraceEvent& event, std::int64_t process);

// Foreign text as far as an event takes it: 512 bytes, without named secrets.
std::string clipped_for_trace(std::string_view text);

// Takes events as JSON text.
class TraceSink {
 public:
  virtual ~TraceSink() = default;
  virtual void add(std::string_view event) = 0;
};

struct TraceLimits {
  std::size_t buffer = std::size_t{4} << 20;
  std::uint64_t file = std::uint64_t{256} << 20;
};

// The file of a trace: one JSON array, an event a line, whole after every write.
//
// Events wait in a bounded buffer for a thread that writes them, so a slow disk costs events (a
// note contains their number) and never time. A file that has grown to its limit gets a closing
// note and nothing more.
class TraceFile final : public TraceSink {
 public:
  // Its user's alone (0600). A file that is there is emptied; file_write_failed for anything that
  // is no regular file of this user, or that another process writes a trace to.
  static Result<std::unique_ptr<TraceFile>> open(const std::filesystem::path& path,
                                                 TraceLimits limits = {});
  ~TraceFile() override;
  TraceFile(const TraceFile&) = delete;
  TraceFile& operator=(const TraceFile&) = delete;

  void add(std::string_view event) override;
  // Until everything is written; nothing can be added from then on. Fails with file_write_failed
  // when the trace lacks what could not be written.
  Result<void> finish();

 private:
  TraceFile(base::FileHandle file, std::string path, TraceLimits limits);
  void append(std::string_view event);
  void note(std::string_view name, std::uint64_t count);
  void write_events();
  void write_out(std::string batch);
  void give_up(std::string_view why, std::uint64_t whole);

  base::FileHandle file_;
  std::string path_;
  TraceLimits limits_;
  std::uint64_t offset_ = 0;  // the writer's: where the next event goes

  std::mutex mutex_;  // of everything below
  std::condition_variable changed_;
  std::string buffer_;
  std::uint64_t taken_ = 0;  // bytes, since the beginning
  std::uint64_t dropped_ = 0;
  bool full_ = false;
  bool finishing_ = false;
  std::string failure_;

  std::thread writer_;
};

}  // namespace clawperator
