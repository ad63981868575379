#pragma once
// What a command's log entries add up to: its envelope, the hierarchies, events. Pure.
//
//   log entries --> per writer (pid, tid, tag): put together what the app's logger split
//                     "[Clawperator-Result] {json}"        -> envelope, when the command id is ours
//                     "[TaskScope] UI Hierarchy:\n<xml>"   -> hierarchy, up to </hierarchy>
//               --> one entry each
//                     "[Clawperator-Result-Chunk] {json}"  -> envelope, put together by
//                     ResultChunks
//                     "[Clawperator-Publication] {json}"   -> whether all of a result was written
//                     "[Clawperator-Command] ..."          -> whose the hierarchies are; on_stage
//                     "[Clawperator-Event] ..."            -> on_event
//
// An answer is ours when it names our command id, which is fresh and cannot be guessed, and comes
// from the process that named it first. Another process that names it later is the app after a
// restart: an error. A hierarchy without our id counts between the app's lines that our command
// starts and ends.
//
// A message comes as one entry, as one per line (long ones, and every one where logcat prints
// text), its longer lines in pieces. Entries of other writers never enter a text. Of results only
// ours is kept and read, once; one that is broken is an error. Time and memory are linear in the
// bytes of the log, and bounded.

#include <map>

#include "base/error.hpp"
#include "runtime/contract/envelope.hpp"
#include "runtime/engine/log_writer.hpp"
#include "runtime/engine/result_chunks.hpp"

namespace clawperator {

class ResultCollector {
 public:
  // Of a plan with so many snapshots.
  ResultCollector(std::string dispatch_id, std::size_t snapshots);

  void on_event(std::function<void(std::string_view)> callback) { on_event_ = std::move(callback); }
  // Called with the app's lines about the steps of our command.
  void on_stage(std::function<void(const Stage&)> callback) { on_stage_ = std::move(callback); }

  // Fails with result_envelope_malformed: a broken result of our command.
  Result<void> add(const LogLine& line);

  // add(), which must not take long, does not read results of more bytes: the caller reads them
  // elsewhere and returns their outcome here.
  void leave_results_above(std::size_t bytes) { most_read_at_once_ = bytes; }
  [[nodiscard]] const std::string* unread() const { return unread_ ? &*unread_ : nullptr; }
  Result<void> finish_unread(Result<Envelope> parsed);

  [[nodiscard]] const std::optional<Envelope>& envelope() const { return envelope_; }
  // The app wrote the result, and the log lost a part of it.
  [[nodiscard]] bool is_lost() const { return lost_; }
  // Records of the result so far.
  [[nodiscard]] const ResultChunks& chunks() const { return chunks_; }
  // LogLine::time of the entry that was added last.
  [[nodiscard]] std::chrono::nanoseconds entry_time() const { return entry_time_; }
  // Whether the app has started our command.
  [[nodiscard]] bool started() const { return started_; }
  // Whether the app has our command and has not started it yet.
  [[nodiscard]] bool is_queued() const { return queued_ && !started_; }
  // Ids of other commands that the app queued or started meanwhile; the first eight.
  [[nodiscard]] const std::vector<std::string>& other_commands() const { return others_; }
  // Lines that name our command, the last 30, each cut to 2048 bytes.
  [[nodiscard]] const std::vector<std::string>& correlated() const { return correlated_; }

  Envelope take_envelope() { return *std::move(envelope_); }
  // Ours, in the order in which they began.
  std::vector<Hierarchy> take_hierarchies();
  // Bytes of entries that it has not handed over yet.
  [[nodiscard]] std::size_t held() const;

  // How many bytes were read more than once so far: repeats of folded entries, results that were
  // parsed. For tests.
  [[nodiscard]] std::size_t extra_work() const { return extra_work_; }

 private:
  using Kind = LogWriter::Kind;
  using Writer = LogWriter;
  using Writers = std::map<WriterKey, Writer>;
  struct Mark;

  [[nodiscard]] std::optional<Mark> find_mark(std::string_view message,
                                              const std::optional<AppLine>& app_line) const;
  Result<void> add_to(Writers::iterator at, const LogLine& line,
                      const std::optional<AppLine>& app_line);
  [[nodiscard]] static bool is_real(const Writer& writer, const Mark& mark);
  bool hold_mark(Writers::iterator at, const LogLine& line, const Mark& mark);
  void flush_mark(Writers::iterator at);
  Result<void> begin(const LogLine& line, const Mark& mark);
  Result<void> go_on(Writers::iterator at, std::string_view message);
  Result<void> resolve_mark(Writers::iterator at, std::string_view message);
  Result<void> append_result(Writers::iterator at, std::string_view piece, Flaw flaw);
  void append_hierarchy(Writers::iterator at, std::string_view piece);
  void keep_text(Writers::iterator at, std::string_view piece);
  Result<void> finish_result(std::string text);
  Result<void> take_result(Result<Envelope> parsed);
  Result<void> be_written_by(std::int32_t pid);
  [[nodiscard]] bool is_own_hierarchy(std::int32_t pid, const Writer& writer) const;
  Result<void> on_plain(const LogLine& line, const std::optional<AppLine>& app_line);
  Result<void> on_command(const LogLine& line, const CommandMark& mark);
  void on_other_command(const LogLine& line, const CommandMark& mark);
  std::optional<Result<void>> on_record(const LogLine& line, const AppLine& app_line);
  Result<void> on_chunk(const nlohmann::ordered_json& record);
  Result<void> on_publication(const nlohmann::ordered_json& publication);
  Result<void> on_fold(const LogLine& line, const Fold& fold);
  void lose_lines(const LogLine& line);
  void abandon(Writers::iterator at);
  void forget(Writers::iterator at);
  void forget_oldest();
  void keep_bounded(Writers::iterator kept);

  std::string dispatch_id_;
  std::string quoted_id_;  // as JSON spells it
  std::function<void(std::string_view)> on_event_;
  std::function<void(const Stage&)> on_stage_;
  std::optional<std::int32_t> pid_;  // that named our command first
  bool queued_ = false;
  bool started_ = false;
  bool running_ = false;  // between the app's lines that it starts and ends
  bool lost_ = false;
  std::vector<std::string> others_;
  std::chrono::nanoseconds entry_time_{};
  Writers writers_;                    // only those with an unfinished text
  std::size_t held_ = 0;               // bytes of all unfinished texts
  std::optional<WriterKey> previous_;  // whose the entry before this one was
  std::uint64_t uses_ = 0;
  std::size_t extra_work_ = 0;
  std::size_t repeated_ = 0;  // bytes of folded entries that were put back
  std::optional<Envelope> envelope_;
  std::size_t most_read_at_once_ = SIZE_MAX;
  std::optional<std::string> unread_;
  ResultChunks chunks_;
  HierarchyShelf shelf_;
  std::vector<std::string> correlated_;
};

}  // namespace clawperator
