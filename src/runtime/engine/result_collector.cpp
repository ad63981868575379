#include "runtime/engine/result_collector.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/error_members.hpp"
#include "base/json_document.hpp"
#include "base/json_text.hpp"
#include "base/text.hpp"
#include "runtime/contract/errc.hpp"
#include "runtime/ui/hierarchy.hpp"

namespace clawperator {

namespace {

constexpr std::string_view kHierarchyMark = "[TaskScope] UI Hierarchy:";
constexpr std::string_view kNamedHierarchyMark = "[TaskScope] UI Hierarchy [commandId=";
constexpr std::string_view kHierarchyEnd = "</hierarchy>";
// The app writes by a few threads; any other app can write the same marks.
constexpr std::size_t kMaxWriters = 64;
// The last lines of the command, for the report of an error: a person reads about a screen.
constexpr std::size_t kMaxCorrelated = 30;
// The beginning identifies a line; 30 of them are 60 KiB.
constexpr std::size_t kMaxCorrelatedSize = 2048;
constexpr std::size_t kMaxOthers = 8;     // for a hint; the app runs one command at a time
constexpr std::size_t kMaxOtherId = 128;  // as kMaxIdLength
// A fold's count is a number in the log: a hostile one must not be expanded.
constexpr std::size_t kMaxRepeated = std::size_t{1} << 20;
constexpr std::size_t kMaxRecord = 8 * 1024;  // an entry of the log is shorter

constexpr std::string_view kCutResult =
    "the device's log cut the result: one of its entries holds 4068 bytes of UTF-8, and the result "
    "is longer";
constexpr std::string_view kLostResult = "the device's log lost a part of the result";

// The logger drops a line break between two entries, unless it cut one line into pieces. Values of
// the XML contain no '>', so one at the end of a full piece ends its line as well.
bool goes_on_after(std::string_view message, bool xml) {
  return is_full_piece(message) && !(xml && message.ends_with('>'));
}

// A quoted marker may stand before a line of a node, when the lines between them were lost.
bool begins_document(std::string_view text) {
  return text.starts_with("<?xml") || text.starts_with("<hierarchy");
}

// A line of XML that was cut lacks the end of a tag; a cut message its last lines.
bool was_cut(const std::string& tag, std::string_view message) {
  if (!fills_entry(tag.size(), message.size()) || is_full_piece(message)) return false;
  const bool one_line = message.find('\n') == std::string_view::npos;
  return !(one_line && message.ends_with('>')) && !trimmed_end(message).ends_with(kHierarchyEnd);
}

}  // namespace

// The beginning of one of our texts: a marker counts at the start of its entry only.
struct ResultCollector::Mark {
  Kind kind;
  std::string_view block;                 // the text behind the marker
  std::optional<bool> named;              // the command in a hierarchy's marker is ours
  std::optional<std::string> command_id;  // of a result
};

ResultCollector::ResultCollector(std::string dispatch_id, std::size_t snapshots)
    : dispatch_id_(std::move(dispatch_id)),
      quoted_id_(quote_json(dispatch_id_)),
      shelf_(snapshots) {}

std::optional<ResultCollector::Mark> ResultCollector::find_mark(
    std::string_view message, const std::optional<AppLine>& app_line) const {
  if (app_line && app_line->kind == "Result") {
    return Mark{Kind::result, app_line->rest, {}, find_command_id(app_line->rest)};
  }
  if (message.starts_with(kHierarchyMark)) {
    return Mark{Kind::hierarchy, message.substr(kHierarchyMark.size()), {}, {}};
  }
  if (!message.starts_with(kNamedHierarchyMark)) return std::nullopt;
  const std::string_view rest = message.substr(kNamedHierarchyMark.size());
  const auto end = rest.find("]:");
  if (end == std::string_view::npos) return std::nullopt;
  return Mark{Kind::hierarchy, rest.substr(end + 2), rest.substr(0, end) == dispatch_id_, {}};
}

Result<void> ResultCollector::add(const LogLine& line) {
  entry_time_ = line.time;
  if (const auto fold = parse_fold(line.tag, line.message)) return on_fold(line, *fold);
  previous_.reset();
  const auto app_line = parse_app_line(line.message);
  if (app_line) {
    if (const auto done = on_record(line, *app_line)) return *done;
  }
  if (!writers_.empty()) {
    const auto at = writers_.find({line.pid, line.tid, std::string(line.tag)});
    if (at != writers_.end()) return add_to(at, line, app_line);
  }
  if (const auto mark = find_mark(line.message, app_line)) return begin(line, *mark);
  return on_plain(line, app_line);
}

// Only our own records are read, and those are whole entries: a text that quotes one escapes its
// quotes.
std::optional<Result<void>> ResultCollector::on_record(const LogLine& line,
                                                       const AppLine& app_line) {
  const bool is_chunk = app_line.kind == "Result-Chunk";
  if (!is_chunk && app_line.kind != "Publication") return std::nullopt;
  const std::string_view text = trimmed(app_line.rest);
  if (!text.contains(quoted_id_)) return std::nullopt;
  if (envelope_ || unread_) return ok();
  const auto record = read_json(text, kMaxRecord);
  if (!record) return malformed_envelope("a record of the result is no JSON");
  const std::string* id = string_member(*record, "commandId");
  if (!id || *id != dispatch_id_) return ok();
  if (auto same = be_written_by(line.pid); !same) return same;
  return is_chunk ? on_chunk(*record) : on_publication(*record);
}

Result<void> ResultCollector::on_chunk(const Json& record) {
  if (chunks_.is_whole()) return ok();
  auto added = chunks_.add(record);
  lost_ = lost_ || chunks_.is_lost();
  if (!added || !chunks_.is_whole()) return added;
  std::string text = chunks_.take_line();
  const auto app_line = parse_app_line(text);
  if (!app_line || app_line->kind != "Result") {
    return malformed_envelope("the records of the result make up something else");
  }
  text.erase(0, text.size() - app_line->rest.size());
  return finish_result(std::move(text));
}

// The app writes all of a result before it announces that, and the log keeps the order of a
// process.
Result<void> ResultCollector::on_publication(const Json& publication) {
  const std::string* event = string_member(publication, "event");
  if (!event || *event == "started") return ok();
  lost_ = true;
  if (*event == "write_failed") return lost_receipt("the app could not write it to the log");
  return lost_receipt(chunks_.began() ? "the device's log lost the end of the result"
                                      : "the device's log lost the result");
}

// An app that was started again has lost what it did before.
Result<void> ResultCollector::be_written_by(std::int32_t pid) {
  if (!pid_) pid_ = pid;
  if (*pid_ == pid || envelope_) return ok();
  return fail_with(errc::result_envelope_malformed,
                   "The Operator app was restarted while it ran the command",
                   JsonObject().text("reason", "process " + std::to_string(pid) +
                                                   " speaks of a command that process " +
                                                   std::to_string(*pid_) + " had begun"));
}

// Inside a text most markers are quoted ones. Behind a real one stands a member in plain quotes, or
// a line that begins with '<', which neither a JSON string nor a value of the XML can contain.
bool ResultCollector::is_real(const Writer& writer, const Mark& mark) {
  if (mark.kind == Kind::result) return mark.command_id.has_value();
  const bool on_a_line = writer.kind == Kind::hierarchy || mark.block.starts_with('\n');
  return on_a_line && begins_document(trimmed(mark.block));
}

Result<void> ResultCollector::add_to(Writers::iterator at, const LogLine& line,
                                     const std::optional<AppLine>& app_line) {
  previous_ = at->first;
  const auto mark = find_mark(line.message, app_line);
  const bool real = mark && is_real(at->second, *mark);
  if (!real) {
    if (mark && hold_mark(at, line, *mark)) return ok();
    return at->second.held_mark.empty() ? go_on(at, line.message) : resolve_mark(at, line.message);
  }
  const bool repeated = mark->command_id == dispatch_id_;
  if (at->second.kind == Kind::result && !repeated) {
    lost_ = true;
    return lost_receipt(kLostResult);
  }
  abandon(at);
  return begin(line, *mark);
}

// A hierarchy's marker on a line of its own: the next line decides whether it is a real one.
bool ResultCollector::hold_mark(Writers::iterator at, const LogLine& line, const Mark& mark) {
  const bool hierarchies = at->second.kind == Kind::hierarchy && mark.kind == Kind::hierarchy;
  if (!hierarchies || !trimmed(mark.block).empty()) return false;
  flush_mark(at);
  at->second.held_mark = line.message;
  at->second.last = line.message;
  return true;
}

// The marker was a line of the text.
void ResultCollector::flush_mark(Writers::iterator at) {
  if (at->second.held_mark.empty()) return;
  at->second.message_size += 1 + at->second.held_mark.size();
  keep_text(at, "\n" + std::exchange(at->second.held_mark, {}));
}

Result<void> ResultCollector::resolve_mark(Writers::iterator at, std::string_view message) {
  if (!begins_document(trimmed(message))) {
    flush_mark(at);
    return go_on(at, message);
  }
  const std::string mark_text = std::exchange(at->second.held_mark, {});
  const WriterKey key = at->first;  // the text before the marker never ends
  abandon(at);
  TRY_VOID(begin({key.pid, key.tid, key.tag, mark_text}, *find_mark(mark_text, std::nullopt)));
  return go_on(writers_.find(key), message);
}

Result<void> ResultCollector::on_plain(const LogLine& line,
                                       const std::optional<AppLine>& app_line) {
  const std::string_view message = line.message;
  if (app_line) {
    if (const auto mark = parse_command_mark(*app_line)) TRY_VOID(on_command(line, *mark));
  }
  if (!names_whole(message, dispatch_id_) && message.find(quoted_id_) == message.npos) return ok();
  if (correlated_.size() == kMaxCorrelated) correlated_.erase(correlated_.begin());
  correlated_.emplace_back(message.substr(0, kMaxCorrelatedSize));
  if (app_line && app_line->kind == "Event" && on_event_) on_event_(trimmed(app_line->rest));
  return ok();
}

Result<void> ResultCollector::on_command(const LogLine& line, const CommandMark& mark) {
  if (!mark.names(dispatch_id_)) {
    on_other_command(line, mark);
    return ok();
  }
  TRY_VOID(be_written_by(line.pid));
  shelf_.next_stage();
  // A command whose time is over while it waits fails without a start.
  const bool ended = mark.verb == "success" || mark.verb == "failure";
  queued_ = queued_ || mark.verb == "queued";
  started_ = started_ || (mark.verb != "queued" && mark.verb != "failure");
  running_ = started_ && !ended;
  if (!on_stage_) return ok();
  if (const auto stage = parse_stage(mark)) on_stage_(*stage);
  return ok();
}

// The app runs one command at a time.
void ResultCollector::on_other_command(const LogLine& line, const CommandMark& mark) {
  if (line.pid == pid_ && mark.verb != "queued") running_ = false;
  if (envelope_ || others_.size() == kMaxOthers) return;
  const std::string_view id = mark.command_id().substr(0, kMaxOtherId);
  if (std::ranges::find(others_, id) == others_.end()) others_.emplace_back(id);
}

Result<void> ResultCollector::begin(const LogLine& line, const Mark& mark) {
  const bool is_result = mark.kind == Kind::result;
  if (is_result && mark.command_id != dispatch_id_) return ok();
  if (is_result && envelope_) return ok();  // a duplicate changes nothing
  if (is_result || mark.named == true) TRY_VOID(be_written_by(line.pid));
  if (writers_.size() >= kMaxWriters) forget_oldest();
  const auto at = writers_.emplace(WriterKey{line.pid, line.tid, std::string(line.tag)}, Writer{});
  Writer& writer = at.first->second;
  writer.kind = mark.kind;
  writer.named = mark.named;
  writer.last_use = ++uses_;
  writer.last = line.message;
  writer.message_size = line.message.size();
  const bool xml = mark.kind == Kind::hierarchy;
  writer.goes_on = goes_on_after(line.message, xml);
  const Flaw flaw = was_cut(at.first->first.tag, line.message) ? Flaw::cut : Flaw::none;
  if (!xml) return append_result(at.first, mark.block, flaw);
  writer.flaw = flaw;
  append_hierarchy(at.first, mark.block);
  return ok();
}

Result<void> ResultCollector::go_on(Writers::iterator at, std::string_view message) {
  Writer& writer = at->second;
  writer.last_use = ++uses_;
  writer.last = message;
  writer.message_size += 1 + message.size();
  const bool xml = writer.kind == Kind::hierarchy;
  const bool new_line = !std::exchange(writer.goes_on, goes_on_after(message, xml));
  const bool cut = was_cut(at->first.tag, message);
  std::string_view piece = message;
  if (xml && new_line) {
    keep_text(at, "\n");
  } else {
    const std::size_t before = writer.text.size();
    join_halves(writer.text, piece);
    held_ += writer.text.size() - before;
  }
  if (!xml) return append_result(at, piece, cut ? Flaw::cut : Flaw::none);
  if (cut && writer.flaw == Flaw::none) writer.flaw = Flaw::cut;
  append_hierarchy(at, piece);
  return ok();
}

Result<void> ResultCollector::append_result(Writers::iterator at, std::string_view piece,
                                            Flaw flaw) {
  Writer& writer = at->second;
  writer.json.feed(piece);
  if (writer.text.size() + piece.size() > kMaxEnvelopeBytes)
    return malformed_envelope(kTooLongEnvelope);
  keep_text(at, piece);
  if (!writer.json.closed()) {
    if (flaw == Flaw::cut) return malformed_envelope(kCutResult);
    if (writer.goes_on) {
      keep_bounded(at);
      return ok();
    }
  }
  std::string text(trimmed(writer.text));
  forget(at);
  return finish_result(std::move(text));
}

Result<void> ResultCollector::finish_result(std::string text) {
  extra_work_ += text.size();
  if (text.size() <= most_read_at_once_) return take_result(parse_envelope(text));
  if (!unread_) unread_ = std::move(text);
  return ok();
}

std::size_t ResultCollector::held() const {
  return held_ + shelf_.held() + chunks_.held() + (unread_ ? unread_->size() : 0);
}

Result<void> ResultCollector::finish_unread(Result<Envelope> parsed) {
  unread_.reset();
  return take_result(std::move(parsed));
}

Result<void> ResultCollector::take_result(Result<Envelope> parsed) {
  if (!parsed) return std::unexpected(std::move(parsed).error());
  if (chunks_.began() && parsed->task_id != chunks_.task_id()) {
    return malformed_envelope("the records of the result name another taskId than the result");
  }
  if (parsed->command_id != dispatch_id_) {  // it names two, and the last one counts
    return chunks_.began()
               ? malformed_envelope("the result's records hold another command's result")
               : Result<void>();
  }
  if (envelope_) return ok();  // while this one was read
  envelope_ = *std::move(parsed);
  std::erase_if(writers_, [&](const auto& entry) {
    const bool result = entry.second.kind == Kind::result;
    if (result) held_ -= entry.second.text.size();
    return result;
  });
  return ok();
}

void ResultCollector::keep_text(Writers::iterator at, std::string_view piece) {
  Writer& writer = at->second;
  const bool kept = writer.kind == Kind::result || !writer.xml_began || writer.slot;
  if (!kept) return;
  writer.text += piece;
  held_ += piece.size();
}

// The app writes all hierarchies before the result that speaks of them.
bool ResultCollector::is_own_hierarchy(std::int32_t pid, const Writer& writer) const {
  if (envelope_ || unread_ || pid != pid_) return false;
  return writer.named ? *writer.named : running_;
}

void ResultCollector::append_hierarchy(Writers::iterator at, std::string_view piece) {
  Writer& writer = at->second;
  const std::string_view visible = trimmed(piece);
  if (!writer.xml_began && !visible.empty()) {
    if (!begins_document(visible)) return forget(at);  // the marker announced nothing
    writer.xml_began = true;
    if (is_own_hierarchy(at->first.pid, writer)) writer.slot = shelf_.begin();
  }
  if (writer.text.size() + piece.size() > kMaxHierarchyBytes) {
    writer.flaw = Flaw::too_long;
    return abandon(at);
  }
  keep_text(at, piece);
  keep_bounded(at);
  const std::string_view text = writer.slot ? std::string_view(writer.text) : piece;
  if (!visible.ends_with('>') || !trimmed_end(text).ends_with(kHierarchyEnd)) return;
  if (writer.slot) {
    shelf_.finish(*writer.slot, {std::string(trimmed(writer.text)), writer.flaw});
  }
  forget(at);
}

// logd folds entries that directly follow each other.
Result<void> ResultCollector::on_fold(const LogLine& line, const Fold& fold) {
  const auto key = std::exchange(previous_, {});
  auto at =
      key && key->pid == line.pid && key->tid == line.tid ? writers_.find(*key) : writers_.end();
  if (fold.kind == Fold::Kind::expired) lose_lines(line);
  if (at == writers_.end() || fold.kind == Fold::Kind::expired) return ok();
  const std::string last = at->second.last;
  if (fold.lines > (kMaxRepeated - repeated_) / (last.size() + 1)) {
    lose_lines(line);
    return ok();
  }
  repeated_ += fold.lines * (last.size() + 1);
  extra_work_ += fold.lines * (last.size() + 1);
  for (std::size_t i = 0; i < fold.lines && at != writers_.end(); ++i) {
    const LogLine again{key->pid, key->tid, key->tag, last};
    TRY_VOID(add_to(at, again, parse_app_line(last)));
    at = writers_.find(*key);
  }
  return ok();
}

void ResultCollector::lose_lines(const LogLine& line) {
  for (auto& [key, writer] : writers_) {
    if (key.pid == line.pid && writer.flaw == Flaw::none) writer.flaw = Flaw::lost;
  }
}

std::vector<Hierarchy> ResultCollector::take_hierarchies() {
  if (!envelope_) return {};  // no result refers to them
  while (!writers_.empty()) abandon(writers_.begin());
  return shelf_.take();
}

// A hierarchy without its end. If its message was one entry, its size shows that it was cut; line
// by line a line break and the last byte may be missing.
void ResultCollector::abandon(Writers::iterator at) {
  Writer& writer = at->second;
  const std::size_t size = writer.message_size;
  const bool filled =
      fills_entry(at->first.tag.size() + 1, size) && !fills_entry(at->first.tag.size(), size - 2);
  if (writer.flaw == Flaw::none) writer.flaw = filled ? Flaw::cut : Flaw::lost;
  if (writer.slot) shelf_.finish(*writer.slot, {.flaw = writer.flaw});
  forget(at);
}

void ResultCollector::forget(Writers::iterator at) {
  held_ -= at->second.text.size();
  writers_.erase(at);
}

// Results go last: every result that is kept is ours.
void ResultCollector::forget_oldest() {
  abandon(std::ranges::min_element(writers_, {}, [](const auto& entry) {
    return std::pair(entry.second.kind == Kind::result, entry.second.last_use);
  }));
}

void ResultCollector::keep_bounded(Writers::iterator kept) {
  while (held_ > kMaxEnvelopeBytes && writers_.size() > 1) {
    const auto last_use = std::exchange(kept->second.last_use, ++uses_);
    forget_oldest();
    kept->second.last_use = last_use;
  }
}

}  // namespace clawperator
