#include <charconv>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "runtime/contract/errc.hpp"
#include "runtime/image/marks.hpp"

namespace clawperator {
namespace {

using Json = nlohmann::json;

std::optional<int> as_int(const Json& json) {
  if (!json.is_number_integer()) return std::nullopt;
  const auto value = json.get<std::int64_t>();
  constexpr std::int64_t kLimit = 1 << 30;
  return value < -kLimit || value > kLimit ? std::nullopt : std::optional(static_cast<int>(value));
}

std::optional<int> ref_number(const Json& json) {
  if (!json.is_string()) return as_int(json);
  const auto& text = json.get_ref<const std::string&>();
  const char* end = text.data() + text.size();
  int value = 0;
  if (!text.starts_with('@')) return std::nullopt;
  const auto [after, error] = std::from_chars(text.data() + 1, end, value);
  return error == std::errc() && after == end ? std::optional(value) : std::nullopt;
}

std::optional<Mark> parse_mark(const Json& json) {
  if (!json.is_object() || !json.contains("ref") || !json.contains("bounds")) return std::nullopt;
  const Json& bounds = json["bounds"];
  const auto ref = ref_number(json["ref"]);
  if (!ref || *ref < 0 || !bounds.is_array() || bounds.size() != 4) return std::nullopt;
  int sides[4] = {};
  for (std::size_t i = 0; i < 4; ++i) {
    const auto side = as_int(bounds[i]);
    if (!side) return std::nullopt;
    sides[i] = *side;
  }
  return Mark{*ref, sides[0], sides[1], sides[2], sides[3]};
}

}  // namespace

Result<std::vector<Mark>> parse_marks(std::string_view json) {
  const Json parsed = Json::parse(json, nullptr, false);
  if (!parsed.is_array()) return fail(errc::usage, "marks must be a JSON array");
  if (parsed.size() > kMaxMarks)
    return fail(errc::usage, "more than " + std::to_string(kMaxMarks) + " marks");
  std::vector<Mark> marks;
  for (const auto& item : parsed) {
    const auto mark = parse_mark(item);
    if (!mark) {
      return fail(errc::usage, "mark " + std::to_string(marks.size()) +
                                   R"( is not {"ref":N,"bounds":[left,top,right,bottom]})");
    }
    marks.push_back(*mark);
  }
  return marks;
}

}  // namespace clawperator
