#pragma once
// What a command's log entries add up to: its envelope, the hierarchies, events. Pure.
//
//   log entries --> per writer (pid, tid, tag): put together what the app's logger split
//                     "[Clawperator-Result] {json}"      -> envelope, when the command id is ours
//                     "[TaskScope] UI Hierarchy:\n<xml>" -> hierarchy, up to </hierarchy>
//                     "[Clawperator-Command] ..."        -> whose the hierarchies are; on_stage
//                     "[Clawperator-Event] ..."          -> on_event
//
// A message comes as one entry, as one per line (long ones, and every one where logcat prints
// text), its longer lines in pieces. Entries of other writers never enter a text. Of results only
// ours is kept and read, once; one that is broken is an error. Time and memory are linear in the
// bytes of the log, and bounded.

#include <map>

#include "base/error.hpp"
#include "runtime/contract/envelope.hpp"
#include "runtime/engine/hierarchy_shelf.hpp"
#include "runtime/engine/log_pieces.hpp"

namespace clawperator {

// One entry as any log format gives it; -1 where it does not say.
struct LogLine {
  std::int32_t pid = -1;
  std::int32_t tid = -1;
  std::string_view tag;
  std::string_view message;         // may hold line breaks
  std::chrono::nanoseconds time{};  // of the device, since 1970; zero where it does not say
};

inline constexpr std::size_t kMaxAssembledText = kMaxEnvelopeBytes;

class ResultCollector {
 public:
  // Keeps the last `snapshots` hierarchies.
  ResultCollector(std::string command_id, std::size_t snapshots);

  void on_event(std::function<void(std::string_view)> callback) { on_event_ = std::move(callback); }
  // Called with what the app tells of the steps of our command.
  void on_stage(std::function<void(const Stage&)> callback) { on_stage_ = std::move(callback); }

  // Fails with result_envelope_malformed: a broken result of our command.
  Result<void> add(const LogLine& line);

  // Results of more bytes are not read by add(), which must not take long: whoever can wait reads
  // them and tells what they are, as add() would have.
  void leave_results_above(std::size_t bytes) { most_read_at_once_ = bytes; }
  [[nodiscard]] const std::string* unread() const { return unread_ ? &unread_->text : nullptr; }
  Result<void> finish_unread(Result<Envelope> parsed);

  [[nodiscard]] const std::optional<Envelope>& envelope() const { return envelope_; }
  // Whether reading on may bring a hierarchy that the envelope speaks of.
  [[nodiscard]] bool awaits_hierarchies() const { return shelf_.awaits_more(); }
  // LogLine::time of the entry that was added last.
  [[nodiscard]] std::chrono::nanoseconds entry_time() const { return entry_time_; }
  // Whether the app began with our command.
  [[nodiscard]] bool started() const { return started_; }
  // Lines that name our command, the last 30, each cut to 2048 bytes.
  [[nodiscard]] const std::vector<std::string>& correlated() const { return correlated_; }

  Envelope take_envelope() { return *std::move(envelope_); }
  // Ours, in the order in which they began.
  std::vector<Hierarchy> take_hierarchies();
  // Bytes of what it has not handed over yet.
  [[nodiscard]] std::size_t held() const;

  // How many bytes were looked at more than once so far: repeats of folded entries, results that
  // were read. For tests.
  [[nodiscard]] std::size_t extra_work() const { return extra_work_; }

 private:
  enum class Kind { result, hierarchy };
  struct Writer {
    Kind kind = Kind::result;
    std::string text;
    JsonExtent json;                           // result
    std::optional<bool> named;                 // hierarchy: its marker names a command, ours or not
    std::optional<HierarchyShelf::Slot> slot;  // hierarchy: once its XML has begun, if it is kept
    bool xml_began = false;
    std::string held_mark;         // a marker on a line of its own: the next line tells what it is
    std::string last;              // entry, which may be folded
    std::size_t message_size = 0;  // of all entries, were they lines of one message
    bool goes_on = false;          // the last entry was a full piece
    Flaw flaw = Flaw::none;
    std::uint64_t last_use = 0;
  };
  struct Unread {
    std::int32_t pid;
    std::string text;
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
  Result<void> add_to(Writers::iterator at, const LogLine& line);
  [[nodiscard]] static bool is_real(const Writer& writer, const Mark& mark);
  bool hold_mark(Writers::iterator at, const LogLine& line, const Mark& mark);
  void flush_mark(Writers::iterator at);
  Result<void> begin(const LogLine& line, const Mark& mark);
  Result<void> go_on(Writers::iterator at, std::string_view message);
  Result<void> resolve_mark(Writers::iterator at, std::string_view message);
  Result<void> append_result(Writers::iterator at, std::string_view piece, Flaw flaw);
  void append_hierarchy(Writers::iterator at, std::string_view piece);
  void keep_text(Writers::iterator at, std::string_view piece);
  Result<void> finish_result(std::int32_t pid, std::string text);
  Result<void> take_result(std::int32_t pid, Result<Envelope> parsed);
  void on_plain(const LogLine& line);
  void on_own_command(const CommandMark& mark);
  Result<void> on_fold(const LogLine& line, const Fold& fold);
  void lose_lines(const LogLine& line);
  void abandon(Writers::iterator at);
  void forget(Writers::iterator at);
  void forget_oldest();
  void keep_bounded(Writers::iterator kept);

  std::string command_id_;
  std::string quoted_id_;  // as JSON spells it
  std::function<void(std::string_view)> on_event_;
  std::function<void(const Stage&)> on_stage_;
  bool started_ = false;
  std::chrono::nanoseconds entry_time_{};
  Writers writers_;                    // only those with an unfinished text
  std::size_t held_ = 0;               // bytes of all unfinished texts
  std::optional<WriterKey> previous_;  // whose the entry before this one was
  std::uint64_t uses_ = 0;
  std::size_t extra_work_ = 0;
  std::size_t repeated_ = 0;  // bytes of folded entries that were put back
  std::optional<Envelope> envelope_;
  std::size_t most_read_at_once_ = SIZE_MAX;
  std::optional<Unread> unread_;
  HierarchyShelf shelf_;
  std::vector<std::string> correlated_;
};

}  // namespace clawperator
