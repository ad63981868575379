#pragma once
// JSON5 (spec.json5.org), read under bounds, and edited in place: an edit keeps every other byte of
// the user's document, including comments and order.

#include "base/error.hpp"
#include "base/json_document.hpp"

namespace clawperator::agent_skills {

// A configuration nests about six deep; the reader recurses.
inline constexpr std::size_t kMaxJson5Depth = 64;

// The bounds of one document.
struct Json5Limits {
  std::size_t bytes = 1 << 20;   // as kMaxConfigBytes: a configuration has a few KiB
  std::size_t members = 20'000;  // of all objects, repeated ones counted
};

// `protocol`: "line 3, column 7: a value was expected"; `limit`. Of a repeated member the last
// value counts. Texts come out as valid UTF-8; Infinity and NaN are numbers.
Result<Json> read_json5(std::string_view text);
// The same; `is_json`: it is JSON as well, and no object has a name twice.
Result<Json> read_json5(std::string_view text, bool* is_json, Json5Limits limits = {});

// The document with the member at `path` (one name a level) set to the JSON text `value`; missing
// objects on the way are added. A blank document is an empty object. invalid_argument where a value
// on the way is no object.
Result<std::string> with_member(std::string_view document, std::span<const std::string> path,
                                std::string_view value, Json5Limits limits = {});

// The document without the member at `path`; unchanged where there is none.
Result<std::string> without_member(std::string_view document, std::span<const std::string> path);

// One pass over a JSON5 text: its values, and their places.
class Json5Reader {
 public:
  Json5Reader(std::string_view text, std::size_t most_members)
      : text_(text), most_members_(most_members) {}

  // A member's name, without the colon; a value; the blanks and comments before the next token.
  Result<std::string> name();
  Result<Json> value(std::size_t depth = 0);
  Result<void> skip_blanks();

  [[nodiscard]] std::size_t at() const { return at_; }
  [[nodiscard]] bool at_end() const { return at_ >= text_.size(); }
  // The current byte; NUL at the end.
  [[nodiscard]] char peek() const { return at_end() ? '\0' : text_[at_]; }
  bool take(char wanted);
  // Whether everything read so far is JSON as well, and no object has a name twice.
  [[nodiscard]] bool is_json() const { return is_json_; }
  [[nodiscard]] std::unexpected<Error> complain(const std::string& what) const;

 private:
  Result<Json> object(std::size_t depth);
  Result<Json> array(std::size_t depth);
  Result<std::string> quoted();
  Result<void> escape(std::string* out);
  Result<void> unicode_escape(std::string* out, std::size_t digits);
  Result<unsigned> hex_digits(std::size_t count);
  Result<Json> number();
  Result<Json> word();
  bool take_text(std::string_view wanted);
  bool take_blank();
  bool take_unicode_blank();
  bool at_name_part(bool digits_count);
  Result<void> note_end(char end);

  std::string_view text_;
  std::size_t most_members_;
  std::size_t at_ = 0;
  std::size_t members_ = 0;
  bool is_json_ = true;
};

// True of text that needs no quotes as a member's name (the ASCII part of what JSON5 allows).
bool is_plain_name(std::string_view name);

}  // namespace clawperator::agent_skills
