#include "runtime/engine/result_collector.hpp"

#include <algorithm>
#include <utility>

#include "runtime/contract/json_text.hpp"

namespace clawperator {

using adbproto::Errc;
using adbproto::fail;
using adbproto::ok;
using adbproto::Result;

namespace {

constexpr std::string_view kResultMark = "[Clawperator-Result]";
constexpr std::string_view kEventMark = "[Clawperator-Event]";
constexpr std::string_view kHierarchyMarks[] = {"[TaskScope] UI Hierarchy:",
                                                "[TaskScope] UI Hierarchy [commandId="};
constexpr std::string_view kHierarchyEnd = "</hierarchy>";
constexpr std::size_t kPieceUnits = 4000;  // UTF-16 units, the app logger's limit
constexpr std::size_t kMaxWriters = 64;
constexpr std::size_t kMaxCorrelated = 30;
constexpr std::string_view kStartMark = "[Clawperator-Command] start ";
constexpr std::size_t kMaxCorrelatedSize = 2048;
constexpr std::size_t kMaxHierarchyTexts = std::size_t{64} << 20;

std::size_t utf16_units(std::string_view utf8) {
  std::size_t units = 0;
  for (const char c : utf8) {
    const auto byte = static_cast<unsigned char>(c);
    if ((byte & 0xc0) != 0x80) ++units;  // a lead byte
    if (byte >= 0xf0) ++units;           // outside the basic plane: a surrogate pair
  }
  return units;
}

// Bytes alone rule most entries out.
bool is_full_piece(std::string_view message) {
  return message.size() >= kPieceUnits && utf16_units(message) == kPieceUnits;
}

bool is_half(std::string_view text, unsigned char from, unsigned char to) {
  const auto second = text.size() == 3 ? static_cast<unsigned char>(text[1]) : 0;
  return second >= from && second <= to && text[0] == '\xed';
}

unsigned low_bits(std::string_view half) {
  return (static_cast<unsigned>(half[1]) & 0x0f) << 6 | (static_cast<unsigned>(half[2]) & 0x3f);
}

// The logger also cuts between the halves of a surrogate pair, and each half then comes as three
// bytes of its own. Takes the second half off `piece` when it completes the end of `text`.
void join_halves(std::string& text, std::string_view& piece) {
  const std::string_view end =
      std::string_view(text).substr(text.size() - std::min<std::size_t>(text.size(), 3));
  const std::string_view begin = piece.substr(0, 3);
  if (!is_half(end, 0xa0, 0xaf) || !is_half(begin, 0xb0, 0xbf)) return;
  const unsigned code = 0x10000 + (low_bits(end) << 10 | low_bits(begin));
  text.resize(text.size() - 3);
  text += static_cast<char>(0xf0 | code >> 18);
  text += static_cast<char>(0x80 | (code >> 12 & 0x3f));
  text += static_cast<char>(0x80 | (code >> 6 & 0x3f));
  text += static_cast<char>(0x80 | (code & 0x3f));
  piece.remove_prefix(3);
}

std::string_view trim_right(std::string_view text) {
  const auto last = text.find_last_not_of(" \t\r\n");
  return last == std::string_view::npos ? std::string_view() : text.substr(0, last + 1);
}

std::string_view trim(std::string_view text) {
  const auto first = text.find_first_not_of(" \t\r\n");
  return first == std::string_view::npos ? std::string_view() : trim_right(text.substr(first));
}

}  // namespace

// Where a text of ours begins inside a message.
struct ResultCollector::Mark {
  Kind kind;
  std::size_t at;          // of the marker
  std::string_view block;  // what follows it
};

ResultCollector::ResultCollector(std::string command_id, std::size_t snapshots)
    : command_id_(std::move(command_id)),
      quoted_id_(quote_json(command_id_)),
      snapshots_(snapshots) {}

// The first marker counts: a result may quote a hierarchy's, and a screen may show a result's.
std::optional<ResultCollector::Mark> ResultCollector::find_mark(std::string_view message) const {
  std::optional<Mark> mark;
  if (const auto at = message.find(kResultMark); at != std::string_view::npos) {
    mark = {Kind::result, at, message.substr(at + kResultMark.size())};
  }
  for (const std::string_view text : kHierarchyMarks) {
    const auto at = message.find(text);
    if (at == std::string_view::npos || (mark && mark->at < at)) continue;
    const bool unnamed = text.ends_with(':');
    const auto end = unnamed ? at + text.size() - 2 : message.find("]:", at);
    if (end == std::string_view::npos) continue;
    const bool ours =
        unnamed || message.substr(at + text.size(), end - at - text.size()) == command_id_;
    mark = {ours ? Kind::hierarchy : Kind::foreign_hierarchy, at, message.substr(end + 2)};
  }
  return mark;
}

// Inside an unfinished text most markers are quoted ones. A real one begins its entry, and is
// followed by what it announces.
bool ResultCollector::begins_anew(const Writer& writer, const Mark& mark) const {
  if (mark.at != 0) return false;
  const std::string_view block = trim(mark.block);
  if (mark.kind != Kind::result) return block.empty() || block.starts_with('<');
  return writer.kind == Kind::result || names_us(block);
}

bool ResultCollector::names_us(std::string_view text) const {
  return text.find(quoted_id_) != std::string_view::npos;
}

Result<void> ResultCollector::add(const LogLine& line) {
  const auto at = writers_.find({line.pid, line.tid, std::string(line.tag)});
  const auto mark = find_mark(line.message);
  if (at != writers_.end()) {
    if (!mark || !begins_anew(at->second, *mark)) return go_on(at, line);
    forget(at);
  }
  if (mark) return begin(line, *mark);
  on_plain(line.message);
  return ok();
}

void ResultCollector::on_plain(std::string_view message) {
  if (message.find(command_id_) == std::string_view::npos) return;
  if (correlated_.size() == kMaxCorrelated) correlated_.erase(correlated_.begin());
  correlated_.emplace_back(message.substr(0, kMaxCorrelatedSize));
  // The device runs one command at a time: what it drew before ours began is not ours.
  if (message.find(kStartMark) != std::string_view::npos) {
    hierarchies_.clear();
    hierarchy_bytes_ = 0;
  }
  const auto event = message.find(kEventMark);
  if (event == std::string_view::npos || !on_event_) return;
  on_event_(trim(message.substr(event + kEventMark.size())));
}

Result<void> ResultCollector::begin(const LogLine& line, const Mark& mark) {
  if (writers_.size() >= kMaxWriters) forget_oldest();
  const WriterKey key{line.pid, line.tid, std::string(line.tag)};
  const auto at = writers_.emplace(key, Writer{}).first;
  at->second.kind = mark.kind;
  at->second.cut = is_full_piece(line.message);
  at->second.last_use = ++uses_;
  return append(at, mark.block);
}

Result<void> ResultCollector::go_on(Writers::iterator at, const LogLine& line) {
  Writer& writer = at->second;
  // Between entries the logger dropped a line break, unless it cut one line into pieces.
  const bool new_line = !std::exchange(writer.cut, is_full_piece(line.message));
  writer.last_use = ++uses_;
  std::string_view piece = line.message;
  if (new_line && writer.kind != Kind::result) {
    writer.text += '\n';
    ++held_;
  } else {
    const std::size_t before = writer.text.size();
    join_halves(writer.text, piece);
    held_ += writer.text.size() - before;
  }
  return append(at, piece);
}

Result<void> ResultCollector::append(Writers::iterator at, std::string_view piece) {
  Writer& writer = at->second;
  if (writer.text.size() + piece.size() > kMaxAssembledText) {
    const bool ours = writer.kind == Kind::result && names_us(writer.text);
    forget(at);
    if (!ours) return ok();
    return fail(Errc::result_envelope_malformed, "the device's result is longer than 32 MiB");
  }
  writer.text += piece;
  held_ += piece.size();
  while (held_ > kMaxAssembledText && writers_.size() > 1) forget_oldest();
  return finish_if_whole(at);
}

Result<void> ResultCollector::finish_if_whole(Writers::iterator at) {
  Writer& writer = at->second;
  const std::string_view end = trim_right(writer.text);
  const Kind kind = writer.kind;
  const bool is_result = kind == Kind::result;
  // A full piece may be the last one; then its JSON is whole.
  const bool whole = is_result ? !writer.cut || (end.ends_with('}') && parse_envelope(trim(end)))
                               : end.ends_with(kHierarchyEnd);
  if (!whole) return ok();
  std::string text(trim(writer.text));
  forget(at);
  if (is_result) return finish_result(std::move(text));
  if (kind == Kind::hierarchy) finish_hierarchy(std::move(text));
  return ok();
}

Result<void> ResultCollector::finish_result(std::string text) {
  auto parsed = parse_envelope(text);
  if (parsed && parsed->command_id == command_id_) {
    if (!envelope_) envelope_ = *std::move(parsed);  // a duplicate changes nothing
    return ok();
  }
  if (!parsed && names_us(text) && !envelope_) return std::unexpected(std::move(parsed).error());
  return ok();
}

void ResultCollector::finish_hierarchy(std::string text) {
  if (snapshots_ == 0) return;
  hierarchy_bytes_ += text.size();
  hierarchies_.push_back(std::move(text));
  while (hierarchies_.size() > snapshots_ || hierarchy_bytes_ > kMaxHierarchyTexts) {
    hierarchy_bytes_ -= hierarchies_.front().size();
    hierarchies_.erase(hierarchies_.begin());
  }
}

void ResultCollector::forget(Writers::iterator at) {
  held_ -= at->second.text.size();
  writers_.erase(at);
}

void ResultCollector::forget_oldest() {
  forget(std::ranges::min_element(writers_, {},
                                  [](const auto& entry) { return entry.second.last_use; }));
}

}  // namespace clawperator
