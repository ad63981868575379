#pragma once
// What a command's log entries add up to: its envelope, the hierarchies, events. Pure.
//
//   log entries --> per writer (pid, tid, tag): put together what the app's logger split
//                     "[Clawperator-Result] {json}"      -> envelope, when the command id is ours
//                     "[TaskScope] UI Hierarchy:\n<xml>" -> hierarchy, up to </hierarchy>
//                     "[Clawperator-Event] ..."          -> on_event
//
// The app's logger (Timber) writes a message of 4000 UTF-16 units or more as one entry per line,
// longer lines in pieces of 4000. Entries of other writers never enter a text; foreign and
// malformed results are ignored, except a malformed one that names our command id. A text beyond
// kMaxAssembledText is dropped.

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "adbproto/base/error.hpp"
#include "runtime/contract/envelope.hpp"

namespace clawperator {

// One entry as any log format gives it; -1 where it does not say.
struct LogLine {
  std::int32_t pid = -1;
  std::int32_t tid = -1;
  std::string_view tag;
  std::string_view message;  // may hold line breaks
};

inline constexpr std::size_t kMaxAssembledText = std::size_t{32} << 20;

class ResultCollector {
 public:
  // Keeps the last `snapshots` hierarchies.
  ResultCollector(std::string command_id, std::size_t snapshots);

  void on_event(std::function<void(std::string_view)> callback) { on_event_ = std::move(callback); }

  // Fails with result_envelope_malformed: a broken result that names our command.
  adbproto::Result<void> add(const LogLine& line);

  [[nodiscard]] const std::optional<Envelope>& envelope() const { return envelope_; }
  // Whole ones, in the order they ended; together at most 64 MiB, the last ones win. Those of other
  // commands are left out where the log tells: a marker that names another command, and everything
  // before the line that says our command starts.
  [[nodiscard]] const std::vector<std::string>& hierarchies() const { return hierarchies_; }
  // Lines that name our command, the last 30, each cut to 2048 bytes.
  [[nodiscard]] const std::vector<std::string>& correlated() const { return correlated_; }

  Envelope take_envelope() { return *std::move(envelope_); }
  std::vector<std::string> take_hierarchies() { return std::move(hierarchies_); }

 private:
  enum class Kind { result, hierarchy, foreign_hierarchy };
  struct Writer {
    Kind kind = Kind::result;
    std::string text;
    bool cut = false;  // the last entry was a full piece: the next one goes on in the same line
    std::uint64_t last_use = 0;
  };
  struct WriterKey {
    std::int32_t pid;
    std::int32_t tid;
    std::string tag;
    auto operator<=>(const WriterKey&) const = default;
  };

  using Writers = std::map<WriterKey, Writer>;
  struct Mark;

  [[nodiscard]] std::optional<Mark> find_mark(std::string_view message) const;
  [[nodiscard]] bool begins_anew(const Writer& writer, const Mark& mark) const;
  adbproto::Result<void> begin(const LogLine& line, const Mark& mark);
  adbproto::Result<void> go_on(Writers::iterator at, const LogLine& line);
  adbproto::Result<void> append(Writers::iterator at, std::string_view piece);
  adbproto::Result<void> finish_if_whole(Writers::iterator at);
  adbproto::Result<void> finish_result(std::string text);
  void finish_hierarchy(std::string text);
  void on_plain(std::string_view message);
  void forget(Writers::iterator at);
  void forget_oldest();
  [[nodiscard]] bool names_us(std::string_view text) const;

  std::string command_id_;
  std::string quoted_id_;  // as JSON spells it
  std::size_t snapshots_;
  std::function<void(std::string_view)> on_event_;
  Writers writers_;       // only those with an unfinished text
  std::size_t held_ = 0;  // bytes of all unfinished texts
  std::uint64_t uses_ = 0;
  std::optional<Envelope> envelope_;
  std::vector<std::string> hierarchies_;
  std::size_t hierarchy_bytes_ = 0;
  std::vector<std::string> correlated_;
};

}  // namespace clawperator
