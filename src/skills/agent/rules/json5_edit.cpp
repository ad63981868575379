// Edits of a JSON5 document as text.

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/js_string.hpp"
#include "base/json_text.hpp"
#include "base/text.hpp"
#include "skills/agent/rules/json5.hpp"

namespace clawperator::agent_skills {
namespace {

struct Span {
  std::size_t begin = 0;
  std::size_t end = 0;
};

struct Member {
  std::string name;
  Span key;
  Span value;
  std::size_t comma = std::string::npos;  // of the comma behind it
};

struct ObjectText {
  Span braces;  // of the braces, both included
  std::vector<Member> members;
};

// The places of the members in the object that begins at `at`.
Result<ObjectText> object_at(std::string_view document, std::size_t at) {
  ObjectText object;
  // begin_of() has read the whole document within the limits.
  Json5Reader reader(document.substr(at), document.size());
  if (!reader.take('{')) return fail(errc::invalid_argument, "no object");
  object.braces.begin = at;
  for (;;) {
    TRY_VOID(reader.skip_blanks());
    if (reader.take('}')) break;
    Member member;
    member.key.begin = at + reader.at();
    TRY(member.name, reader.name());
    member.key.end = at + reader.at();
    TRY_VOID(reader.skip_blanks());
    if (!reader.take(':')) return reader.complain("':' was expected");
    TRY_VOID(reader.skip_blanks());
    member.value.begin = at + reader.at();
    TRY([[maybe_unused]] const Json skipped, reader.value());
    member.value.end = at + reader.at();
    TRY_VOID(reader.skip_blanks());
    if (reader.peek() == ',') member.comma = at + reader.at();
    if (!reader.take(',') && reader.peek() != '}') return reader.complain("',' was expected");
    object.members.push_back(std::move(member));
  }
  object.braces.end = at + reader.at();
  return object;
}

// The member that counts: of a repeated name the last one.
const Member* find(const ObjectText& object, std::string_view name) {
  const auto found =
      std::ranges::find(object.members.rbegin(), object.members.rend(), name, &Member::name);
  return found == object.members.rend() ? nullptr : &*found;
}

std::string_view indent_of(std::string_view document, std::size_t at) {
  const auto line = document.rfind('\n', at);
  const std::size_t begin = line == std::string_view::npos || at == 0 ? 0 : line + 1;
  const std::string_view rest = document.substr(begin, at - begin);
  return rest.substr(0, std::min(rest.find_first_not_of(" \t"), rest.size()));
}

// The name in the style of the members beside it.
std::string spelled(std::string_view document, const ObjectText& object, std::string_view name) {
  const bool quotes = object.members.empty() || document[object.members[0].key.begin] == '"' ||
                      document[object.members[0].key.begin] == '\'';
  return quotes || !is_plain_name(name) ? quote_json(name) : std::string(name);
}

std::string insert_member(std::string_view document, const ObjectText& object,
                          std::string_view name, std::string_view value) {
  const Span braces = object.braces;
  const std::string_view whole = document.substr(braces.begin, braces.end - braces.begin);
  const bool is_multiline = whole.find_first_of("\r\n") != whole.npos || object.members.empty();
  const std::string outer(indent_of(document, braces.begin));
  const std::string inner = object.members.empty() || !is_multiline
                                ? outer + "  "
                                : std::string(indent_of(document, object.members[0].key.begin));
  std::string out(document);
  // Behind the last member and the comments that follow it, before the brace.
  const std::string_view before = document.substr(0, braces.end - 1);
  const std::size_t tail = before.find_last_not_of(" \t\r\n") + 1;
  std::string text = is_multiline ? "\n" + inner : std::string(" ");
  text += spelled(document, object, name) + ": ";
  text += value;
  const bool has_comma = object.members.empty() || object.members.back().comma != std::string::npos;
  if (has_comma && !object.members.empty()) text += ',';
  if (is_multiline) text += "\n" + outer;
  out.replace(tail, is_multiline ? braces.end - 1 - tail : 0, text);
  if (!has_comma) out.insert(object.members.back().value.end, ",");
  return out;
}

// {"a": {"b": VALUE}} for the missing levels.
std::string nested(std::span<const std::string> path, std::string_view value, std::size_t depth) {
  if (path.empty()) return std::string(value);
  const std::string pad(2 * (depth + 1), ' ');
  const std::string end(2 * depth, ' ');
  return "{\n" + pad + quote_json(path[0]) + ": " + nested(path.subspan(1), value, depth + 1) +
         "\n" + end + "}";
}

// Tidies the place of a removal: no blank line and no second blank stays.
void tidy(std::string* text, std::size_t at) {
  const auto begin = text->find_last_not_of(" \t", at == 0 ? 0 : at - 1);
  const std::size_t line = at == 0 || begin == text->npos ? 0 : begin + 1;
  const std::size_t next = std::min(text->find_first_not_of(" \t", at), text->size());
  const bool begins_line = line > 0 && (*text)[line - 1] == '\n';
  if (begins_line && next < text->size() && (*text)[next] == '\n') {
    text->erase(line - 1, next - line + 1);
  } else if (begins_line) {
    text->erase(at, next - at);
  } else if (next < text->size() && (*text)[next] == '}') {
    text->erase(line, next - line);
  } else if (at < text->size() && (*text)[at] == ' ') {
    text->erase(at, 1);
  }
}

// Removes the member and a comma: the one behind it, else the one before it. Text between them
// stays, such as comments.
void erase_member(std::string* text, const ObjectText& object, const Member& member) {
  const std::size_t length = member.value.end - member.key.begin;
  if (member.comma != std::string::npos) {
    text->erase(member.comma, 1);
    if (member.comma > member.value.end) tidy(text, member.comma);
    text->erase(member.key.begin, length);
    tidy(text, member.key.begin);
    return;
  }
  text->erase(member.key.begin, length);
  const bool is_first = &member == &object.members.front();
  if (!is_first) text->erase((&member - 1)->comma, 1);
  tidy(text, member.key.begin - (is_first ? 0 : 1));
}

Result<std::size_t> begin_of(std::string_view document, Json5Limits limits = {}) {
  bool is_json = false;
  TRY([[maybe_unused]] const Json whole, read_json5(document, &is_json, limits));
  Json5Reader reader(document, limits.members);
  TRY_VOID(reader.skip_blanks());
  return reader.at();
}

// False: the document has no such member.
Result<bool> remove_once(std::string* text, std::span<const std::string> path) {
  TRY(std::size_t at, begin_of(*text));
  for (std::size_t depth = 0; depth < path.size(); ++depth) {
    if ((*text)[at] != '{') return false;
    TRY(const ObjectText object, object_at(*text, at));
    const Member* member = find(object, path[depth]);
    if (member == nullptr) return false;
    at = member->value.begin;
    if (depth + 1 == path.size()) erase_member(text, object, *member);
  }
  return true;
}

}  // namespace

Result<std::string> with_member(std::string_view document, std::span<const std::string> path,
                                std::string_view value, Json5Limits limits) {
  if (is_blank(document)) return nested(path, value, 0) + "\n";
  TRY(std::size_t at, begin_of(document, limits));
  for (std::size_t depth = 0; depth < path.size(); ++depth) {
    if (document[at] != '{') {
      return fail(errc::invalid_argument,
                  depth == 0 ? "the document is no object" : path[depth - 1] + " is no object");
    }
    TRY(const ObjectText object, object_at(document, at));
    const Member* member = find(object, path[depth]);
    if (member == nullptr) {
      const auto below = path.subspan(depth + 1);
      return insert_member(document, object, path[depth], nested(below, value, depth + 1));
    }
    at = member->value.begin;
    if (depth + 1 == path.size()) {
      std::string out(document);
      return out.replace(at, member->value.end - at, value);
    }
  }
  return std::string(value);
}

Result<std::string> without_member(std::string_view document, std::span<const std::string> path) {
  // A person repeats a name once or twice; each removal reads the text again.
  constexpr int kMostRepeats = 8;
  std::string text(document);
  if (is_blank(document) || path.empty()) return text;
  for (int repeats = 0;; ++repeats) {
    TRY(const bool is_removed, remove_once(&text, path));
    if (!is_removed) return text;
    // An earlier member of the same name would count now.
    if (repeats == kMostRepeats) {
      return fail(errc::invalid_argument, path.back() + " stands there too often");
    }
  }
}

}  // namespace clawperator::agent_skills
