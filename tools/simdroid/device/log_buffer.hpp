#pragma once
// logd's buffer: a bounded ring of log entries, numbered from 1 in the order of arrival.
//
//   append ->  [ first() ........ end() )  -> readers, each with its own position
//
// When the ring is full the oldest entries are removed; a slow reader has lost them, as on a phone.
// Readers sleep on `changed()` between reads.

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <string>

#include "base/async/signal.hpp"
#include "simdroid/device/phone_clock.hpp"

namespace simdroid {

enum class LogPriority : std::uint8_t { verbose = 2, debug, info, warn, error, fatal, silent };

// The letters of the text formats: V D I W E F S.
char letter(LogPriority priority);

enum class LogBufferId : std::uint8_t { main = 0, events = 2, system = 3, crash = 4 };

const char* name(LogBufferId id);

struct LogEntry {
  LogBufferId buffer = LogBufferId::main;
  std::int32_t pid = 0;
  std::uint32_t tid = 0;
  std::uint32_t uid = 0;
  WallTime time;
  LogPriority priority = LogPriority::info;
  std::string tag;
  std::string message;

  bool operator==(const LogEntry&) const = default;
};

class LogBuffer {
 public:
  using Position = std::uint64_t;
  static constexpr std::size_t kDefaultCapacity = 8 * 1024 * 1024;
  // Priority, tag, NUL, message, NUL: liblog cuts the message to fit, without notice.
  static constexpr std::size_t kMaxPayload = 4068;

  explicit LogBuffer(const asio::any_io_executor& executor, std::size_t capacity = kDefaultCapacity)
      : changed_(executor), capacity_(capacity) {}

  void append(LogEntry entry);
  // Decides whether logd accepts an entry; absent: it accepts all.
  void set_filter(std::function<bool(const LogEntry&)> filter) { filter_ = std::move(filter); }
  // Android 8 to 11: of equal lines of a thread the first and the last are kept and, from three
  // on, one "chatty" entry that counts the others; all but the first wait for a different line.
  void set_folding(bool on);

  // Positions stay valid for ever; entries before first() are removed.
  [[nodiscard]] Position first() const { return first_; }
  [[nodiscard]] Position end() const { return first_ + entries_.size(); }
  // Requires first() <= position < end().
  [[nodiscard]] const LogEntry& at(Position position) const {
    return entries_[static_cast<std::size_t>(position - first_)];
  }

  // `logcat -c`.
  void clear();
  // `logcat -G`, in bytes; removes the oldest entries if they need more.
  void set_capacity(std::size_t capacity);
  [[nodiscard]] std::size_t capacity() const { return capacity_; }

  [[nodiscard]] std::size_t bytes() const { return bytes_; }
  [[nodiscard]] std::uint64_t lost_to_overflow() const { return lost_; }
  Signal& changed() { return changed_; }

 private:
  struct Repeats {
    LogEntry last;
    int held = 0;  // equal entries that are not in the ring yet, the last one included
  };

  void drop_oldest();
  void make_room();
  bool hold_back(const LogEntry& entry);
  void release(Repeats* repeats);
  void push(LogEntry entry);

  Signal changed_;
  std::deque<LogEntry> entries_;
  Position first_ = 1;
  std::size_t bytes_ = 0;
  std::size_t capacity_;
  std::uint64_t lost_ = 0;
  std::function<bool(const LogEntry&)> filter_;
  bool folding_ = false;
  std::map<LogBufferId, Repeats> repeats_;
};

}  // namespace simdroid
