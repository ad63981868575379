#include "base/json_slices.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/json_document.hpp"

namespace base {
namespace {

constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";

class Slicer {
 public:
  explicit Slicer(std::string_view json) : json_(json) {
    if (json_.starts_with(kByteOrderMark)) json_.remove_prefix(kByteOrderMark.size());
  }

  // If the next character is this one, skips it and returns true.
  bool take(char mark) {
    skip_blanks();
    if (at_ == json_.size() || json_[at_] != mark) return false;
    ++at_;
    return true;
  }

  // Empty if there is no value.
  std::string_view take_value() {
    skip_blanks();
    const std::size_t start = at_;
    if (at_ == json_.size()) return {};
    if (json_[at_] == '"') {
      skip_text();
    } else if (json_[at_] == '{' || json_[at_] == '[') {
      skip_container();
    } else {
      at_ = std::min(json_.find_first_of(",:]} \t\r\n", at_), json_.size());
    }
    return json_.substr(start, at_ - start);
  }

 private:
  void skip_blanks() { at_ = std::min(json_.find_first_not_of(" \t\r\n", at_), json_.size()); }

  void skip_text() {
    for (++at_; at_ < json_.size() && json_[at_] != '"'; ++at_) {
      if (json_[at_] == '\\') ++at_;
    }
    at_ = std::min(at_ + 1, json_.size());
  }

  void skip_container() {
    std::size_t depth = 0;
    do {
      const char c = json_[at_];
      if (c == '"') {
        skip_text();
        continue;
      }
      if (c == '{' || c == '[') ++depth;
      if (c == '}' || c == ']') --depth;
      ++at_;
    } while (depth > 0 && at_ < json_.size());
  }

  std::string_view json_;
  std::size_t at_ = 0;
};

// `key` has its quotes.
bool is_named(std::string_view key, std::string_view name) {
  if (!key.contains('\\'))
    return key.size() == name.size() + 2 && key.substr(1, name.size()) == name;
  const auto text = read_json(key, key.size());
  return text && *text == name;
}

}  // namespace

std::vector<std::string_view> element_slices(std::string_view json) {
  Slicer slicer(json);
  std::vector<std::string_view> elements;
  if (!slicer.take('[')) return elements;
  do {
    const std::string_view element = slicer.take_value();
    if (element.empty()) break;
    elements.push_back(element);
  } while (slicer.take(','));
  return elements;
}

std::string_view member_slice(std::string_view json, std::string_view name) {
  Slicer slicer(json);
  std::string_view found;
  if (!slicer.take('{')) return found;
  do {
    const std::string_view key = slicer.take_value();
    if (!slicer.take(':')) break;
    const std::string_view value = slicer.take_value();
    if (is_named(key, name)) found = value;
  } while (slicer.take(','));
  return found;
}

}  // namespace base
