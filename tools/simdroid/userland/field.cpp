#include "simdroid/userland/field.hpp"

#include <optional>
#include <utility>

#include "simdroid/userland/pattern.hpp"

namespace simdroid {

namespace {

constexpr std::string_view kPatternCharacters = "*?[(";
constexpr std::size_t kMostFields = 4096;
constexpr std::size_t kMostBytes = 4 << 20;  // of all of them
constexpr int kMostBraces = 256;             // that are within or behind each other

struct Braces {
  std::size_t open = 0;
  std::vector<std::size_t> commas;  // of this level
  std::size_t close = 0;
};

// The first opening brace from `from` on with what belongs to it; nothing when it is not closed.
std::optional<Braces> find_braces(const Field& field, std::size_t from) {
  Braces found;
  int depth = 0;
  for (std::size_t i = from; i < field.text.size(); ++i) {
    if (field.plain(i, '{')) {
      if (depth++ == 0) found.open = i;
    } else if (depth == 1 && field.plain(i, ',')) {
      found.commas.push_back(i);
    } else if (depth > 0 && field.plain(i, '}')) {
      --depth;
      if (depth > 0) continue;
      found.close = i;
      return found;
    }
  }
  return std::nullopt;
}

Field joined(const Field& first, const Field& second, const Field& third) {
  return {first.text + second.text + third.text, first.quoted + second.quoted + third.quoted, true};
}

// What is in front of `from` is settled.
struct Expanded {
  std::vector<Field> fields;
  std::size_t bytes = 0;
};
Result<void> expand_from(const Field& field, std::size_t from, int left, Expanded* done) {
  auto braces = find_braces(field, from);
  while (braces && braces->commas.empty()) braces = find_braces(field, braces->close + 1);
  const bool too_many =
      done->fields.size() == kMostFields || done->bytes + field.text.size() > kMostBytes;
  if (too_many || left == 0) {
    return fail(errc::invalid_argument, "braces: too many words");
  }
  if (!braces) {
    done->bytes += field.text.size();
    done->fields.push_back(field);
    return ok();
  }
  const Field before = field.piece(0, braces->open);
  const Field behind = field.piece(braces->close + 1, field.text.size());
  std::vector<std::size_t> ends = braces->commas;
  ends.push_back(braces->close);
  std::size_t begin = braces->open + 1;
  for (const std::size_t end : ends) {
    const Field one = joined(before, field.piece(begin, end), behind);
    TRY_VOID(expand_from(one, braces->open, left - 1, done));
    begin = end + 1;
  }
  return ok();
}

}  // namespace

void Field::add(std::string_view more, bool is_quoted) {
  exists = exists || is_quoted || !more.empty();
  text += more;
  quoted.append(more.size(), is_quoted ? 'q' : 'p');
}

Field Field::piece(std::size_t from, std::size_t to) const {
  return {text.substr(from, to - from), quoted.substr(from, to - from), true};
}

std::string Field::pattern() const {
  std::string pattern;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const std::string_view letter(&text[i], 1);
    if (quoted[i] == 'q' || text[i] == '\\') {
      pattern += escape_pattern(letter);
    } else {
      pattern += letter;
    }
  }
  return pattern;
}

bool Field::globs() const {
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (quoted[i] == 'p' && kPatternCharacters.contains(text[i])) return true;
  }
  return false;
}

Result<void> expand_braces(const Field& field, std::vector<Field>* done) {
  Expanded expanded{std::exchange(*done, {}), 0};
  for (const Field& each : expanded.fields) expanded.bytes += each.text.size();
  auto result = expand_from(field, 0, kMostBraces, &expanded);
  *done = std::move(expanded.fields);
  return result;
}

}  // namespace simdroid
