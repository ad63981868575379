#include "base/json_places.hpp"

#include <algorithm>

#include "base/number.hpp"
#include "base/text.hpp"

namespace base {
namespace {

constexpr std::string_view kJsonBlanks = " \t\r\n";

class Walker {
 public:
  Walker(std::string_view text, JsonPart at) : text_(text), at_(at) { skip_blanks(); }

  [[nodiscard]] JsonPart at() const { return at_; }

  // Of the object or array that begins here; false: there is no further value.
  bool next(bool is_first, std::string_view* name) {
    if (is_first) {
      if (!is_at("{[")) return false;
      is_object_ = is_at("{");
      step();
    } else {
      skip_value();
    }
    while (is_at(kJsonBlanks) || is_at(",:")) step();
    if (at_.offset >= text_.size() || is_at("]}")) return false;
    if (!is_object_) return true;
    const std::size_t begin = at_.offset;
    skip_value();
    *name = text_.substr(begin, at_.offset - begin);
    while (is_at(kJsonBlanks) || is_at(":")) step();
    return true;
  }

 private:
  [[nodiscard]] bool is_at(std::string_view any) const {
    return at_.offset < text_.size() && any.contains(text_[at_.offset]);
  }

  void step() {
    const char c = text_[at_.offset++];
    if (c == '\n') {
      at_.place = {at_.place.line + 1, 1};
    } else if ((static_cast<unsigned char>(c) & 0xC0U) != 0x80U) {  // not inside of a character
      ++at_.place.column;
    }
  }

  void skip_blanks() {
    while (is_at(kJsonBlanks)) step();
  }

  void skip_string() {
    step();
    while (at_.offset < text_.size() && !is_at("\"")) {
      if (is_at("\\") && at_.offset + 1 < text_.size()) step();
      step();
    }
    if (is_at("\"")) step();
  }

  void skip_value() {
    for (std::size_t depth = 0; at_.offset < text_.size();) {
      if (is_at("\"")) {
        skip_string();
      } else if (is_at("{[")) {
        ++depth;
        step();
      } else if (is_at("}]")) {
        if (depth == 0) return;
        --depth;
        step();
      } else if (depth == 0 && !is_at(",: \t\r\n")) {
        step();
        continue;  // a number or a word goes on
      } else if (depth > 0) {
        step();
      } else {
        return;
      }
      if (depth == 0) return;
    }
  }

  std::string_view text_;
  JsonPart at_;
  bool is_object_ = false;
};

}  // namespace

JsonPart json_part(std::string_view json, std::string_view name, JsonPart from) {
  Walker walker(json, from);
  JsonPart found = walker.at();
  std::string_view each;
  std::size_t index = 0;
  for (bool is_first = true; walker.next(is_first, &each); is_first = false) {
    // A name has quotes.
    const bool is_it = each.empty()
                           ? name == std::to_string(index)
                           : each.size() == name.size() + 2 && each.substr(1).starts_with(name);
    if (is_it) found = walker.at();
    ++index;
  }
  return found;
}

std::vector<JsonPart> json_parts(std::string_view json, JsonPart of) {
  std::vector<JsonPart> parts;
  Walker walker(json, of);
  std::string_view name;
  for (bool is_first = true; walker.next(is_first, &name); is_first = false) {
    parts.push_back(walker.at());
  }
  return parts;
}

TextPlace place_in(std::string_view message) {
  const auto number_behind = [message](std::string_view word) {
    const auto at = message.find(word);
    if (at == message.npos) return std::size_t{1};
    const std::string_view rest = message.substr(at + word.size());
    const auto number =
        whole_number<std::size_t>(rest.substr(0, rest.find_first_not_of("0123456789")));
    return std::max<std::size_t>(number.value_or(1), 1);  // a line feed has column 0
  };
  return {number_behind("line "), number_behind("column ")};
}

}  // namespace base
