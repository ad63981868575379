#pragma once
// Writes JSON text in JSON.stringify's form: compact, numbers in their shortest exact form, only
// `"`, `\` and control characters escaped. The output is valid JSON and valid UTF-8 for every
// input.

#include <type_traits>

#include "base/prelude.hpp"

namespace base {

// The text in quotes; each byte outside well-formed UTF-8 becomes U+FFFD.
std::string quote_json(std::string_view text);
void append_quoted(std::string& out, std::string_view text);

// Repairs JSON text whose strings a strict reader would refuse: each byte outside well-formed UTF-8
// and each half of a surrogate pair, raw or escaped, becomes U+FFFD.
std::string repaired_json(std::string_view text);
// The same for the escaped halves alone: "\ud83d" of a text that JSON.stringify has cut.
std::string with_whole_escapes(std::string_view text);

// 30000, 0.1, 1e+21; -0 is 0; NaN and infinities are null.
std::string number_json(double value);

// ["a","b"]
std::string strings_json(std::span<const std::string> texts);

// Builds one object with its members in the order of the calls. Repeated names are not detected.
class JsonObject {
 public:
  JsonObject& text(std::string_view name, std::string_view value);
  JsonObject& text_or_null(std::string_view name, const std::optional<std::string>& value);
  JsonObject& number(std::string_view name, std::int64_t value);
  JsonObject& real(std::string_view name, double value);
  JsonObject& boolean(std::string_view name, bool value);
  JsonObject& null(std::string_view name);
  JsonObject& strings(std::string_view name, std::span<const std::string> values);
  JsonObject& object(std::string_view name, const JsonObject& value);
  // `json` is the text of one JSON value.
  JsonObject& json(std::string_view name, std::string_view json);
  // Appends all members of another object.
  JsonObject& append(const JsonObject& more);

  [[nodiscard]] bool empty() const { return members_.empty(); }
  [[nodiscard]] std::string str() const { return "{" + members_ + "}"; }

 private:
  void begin(std::string_view name);

  std::string members_;
};

// [a,b]: `to_json` returns a JsonObject or the text of a value for each element.
template <class Range, class ToJson>
std::string list_json(Range&& range, ToJson to_json) {
  std::string list = "[";
  for (auto&& each : range) {
    if (list.size() > 1) list += ',';
    if constexpr (std::is_same_v<decltype(to_json(each)), JsonObject>) {
      list += to_json(each).str();
    } else {
      list += to_json(each);
    }
  }
  return list += ']';
}

}  // namespace base
