#include "runtime/engine/log_pieces.hpp"

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>

#include "base/json_document.hpp"
#include "base/text.hpp"
#include "base/utf8.hpp"

namespace clawperator {
namespace {

constexpr std::size_t kPieceUnits = 4000;
constexpr std::size_t kEntryPayload = 4068;
constexpr std::size_t kEntryFrame = 3;       // the priority and two NULs
constexpr std::size_t kMaxIdText = 128 * 6;  // 128 units, each as \uXXXX
constexpr std::string_view kSpace = " \t\r\n";

bool ends_in_half_a_character(std::string_view utf8) {
  for (std::size_t back = 1; back <= std::min<std::size_t>(3, utf8.size()); ++back) {
    const auto byte = static_cast<unsigned char>(utf8[utf8.size() - back]);
    if (byte < 0x80) return false;
    if (byte >= 0xc0) return back < (byte >= 0xf0 ? 4u : byte >= 0xe0 ? 3u : 2u);
  }
  return false;
}

bool is_half(std::string_view text, unsigned char from, unsigned char to) {
  const auto second = text.size() == 3 ? static_cast<unsigned char>(text[1]) : 0;
  return second >= from && second <= to && text[0] == '\xed';
}

unsigned low_bits(std::string_view half) {
  return (static_cast<unsigned>(half[1]) & 0x0f) << 6 | (static_cast<unsigned>(half[2]) & 0x3f);
}

bool is_word_byte(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return (byte >= '0' && byte <= '9') || (byte >= 'a' && byte <= 'z') ||
         (byte >= 'A' && byte <= 'Z') || byte == '-' || byte == '_' || byte == '.' || byte >= 0x80;
}

std::string_view skip_space(std::string_view text) {
  return text.substr(std::min(text.find_first_not_of(kSpace), text.size()));
}

// The string literal that `text` begins with, quotes included; empty when it is cut or too long.
std::string_view leading_literal(std::string_view text) {
  if (!text.starts_with('"')) return {};
  for (std::size_t i = 1; i < std::min(text.size(), kMaxIdText + 2); ++i) {
    if (text[i] == '\\') {
      ++i;
    } else if (text[i] == '"') {
      return text.substr(0, i + 1);
    }
  }
  return {};
}

}  // namespace

// Most entries are ruled out by their size in bytes.
bool is_full_piece(std::string_view message) {
  return message.size() >= kPieceUnits && utf16_length(message) == kPieceUnits &&
         !ends_in_half_a_character(message);
}

bool fills_entry(std::size_t tag_size, std::size_t message_size) {
  return tag_size + message_size + kEntryFrame >= kEntryPayload;
}

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

std::optional<Fold> parse_fold(std::string_view tag, std::string_view message) {
  if (tag != "chatty") return std::nullopt;
  message = trimmed_end(message);
  if (message.ends_with(" lines")) {
    message.remove_suffix(6);
  } else if (message.ends_with(" line")) {
    message.remove_suffix(5);
  } else {
    return std::nullopt;
  }
  const std::size_t number = message.rfind(' ');
  if (number == std::string_view::npos) return std::nullopt;
  Fold fold;
  const char* end = message.data() + message.size();
  const auto [after, error] = std::from_chars(message.data() + number + 1, end, fold.lines);
  if (error != std::errc() || after != end) return std::nullopt;
  const std::string_view before = message.substr(0, number);
  if (!before.ends_with(" identical") && !before.ends_with(" expire")) return std::nullopt;
  if (before.ends_with(" expire")) fold.kind = Fold::Kind::expired;
  return fold;
}

std::optional<AppLine> parse_app_line(std::string_view message) {
  constexpr std::string_view kNames[] = {"[Clawperator-", "[Androperator-"};
  for (const std::string_view name : kNames) {
    if (!message.starts_with(name)) continue;
    const std::string_view rest = message.substr(name.size());
    const auto end = rest.find(']');
    if (end == rest.npos) return std::nullopt;
    return AppLine{rest.substr(0, end), rest.substr(end + 1)};
  }
  return std::nullopt;
}

std::optional<CommandMark> parse_command_mark(const AppLine& line) {
  constexpr std::string_view kId = " commandId=";
  if (line.kind != "Command" || !line.rest.starts_with(' ')) return std::nullopt;
  const std::string_view words = line.rest.substr(1);
  const std::size_t verb = words.find(' ');
  if (verb == words.npos || !words.substr(verb).starts_with(kId)) return std::nullopt;
  return CommandMark{words.substr(0, verb), words.substr(verb + kId.size())};
}

std::string_view CommandMark::command_id() const {
  return trimmed(rest.substr(0, rest.find(" taskId=")));
}

// An id may contain spaces, so its end cannot be searched for.
bool CommandMark::names(std::string_view command_id) const {
  if (!rest.starts_with(command_id)) return false;
  return rest.size() == command_id.size() || kSpace.find(rest[command_id.size()]) != kSpace.npos;
}

std::optional<Stage> parse_stage(const CommandMark& mark) {
  constexpr std::string_view kStage = "stage-";
  constexpr std::string_view kOperation = " id=";
  if (!mark.verb.starts_with(kStage)) return std::nullopt;
  Stage stage{mark.verb.substr(kStage.size()), {}, {}};
  const std::size_t at = mark.rest.find(kOperation);
  if (at == std::string_view::npos) return stage;
  const std::string_view words = trimmed(mark.rest.substr(at + kOperation.size()));
  std::size_t end = words.size();  // operations hold spaces: click(NodeMatcher(textEquals=Add it))
  for (const std::string_view key : {" label=", " attempt=", " data=", " reason="}) {
    end = std::min(end, words.find(key));
  }
  stage.operation = words.substr(0, end);
  stage.detail = trimmed(words.substr(end));
  return stage;
}

bool names_whole(std::string_view text, std::string_view id) {
  if (id.empty()) return false;
  for (auto at = text.find(id); at != std::string_view::npos; at = text.find(id, at + 1)) {
    const auto end = at + id.size();
    const bool begins = at == 0 || !is_word_byte(text[at - 1]) || !is_word_byte(id.front());
    const bool ends = end == text.size() || !is_word_byte(text[end]) || !is_word_byte(id.back());
    if (begins && ends) return true;
  }
  return false;
}

std::optional<std::string> find_command_id(std::string_view text) {
  constexpr std::string_view kKey = "\"commandId\"";
  JsonExtent extent;
  std::size_t seen = 0;
  for (auto at = text.find(kKey); at != std::string_view::npos; at = text.find(kKey, at + 1)) {
    extent.feed(text.substr(seen, at - seen));
    seen = at;
    std::string_view rest = skip_space(text.substr(at + kKey.size()));
    if (extent.in_string() || extent.depth() != 1 || !rest.starts_with(':')) continue;
    const std::string_view literal = leading_literal(skip_space(rest.substr(1)));
    if (literal.empty()) return std::nullopt;
    const auto value = read_json(literal, literal.size());
    const std::string* id = value ? string_value(&*value) : nullptr;
    return id ? std::optional(*id) : std::nullopt;
  }
  return std::nullopt;
}

void JsonExtent::feed(std::string_view piece) {
  for (const char c : piece) {
    if (escaped_) {
      escaped_ = false;
    } else if (in_string_) {
      escaped_ = c == '\\';
      in_string_ = c != '"';
    } else if (c == '"') {
      in_string_ = true;
    } else if (c == '{' || c == '[') {
      opened_ = true;
      ++depth_;
    } else if ((c == '}' || c == ']') && depth_ > 0) {
      --depth_;
    }
  }
}

}  // namespace clawperator
