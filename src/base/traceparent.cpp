#include "base/traceparent.hpp"

#include <sys/random.h>

#include "base/number.hpp"
#include "base/text.hpp"

namespace base {
namespace {

constexpr std::size_t kSize = 55;
constexpr std::size_t kTraceAt = 3, kTraceSize = 32;
constexpr std::size_t kSpanAt = 36, kSpanSize = 16;
constexpr std::size_t kFlagsAt = 53;

bool is_id(std::string_view text) {
  return is_hex(text, text.size()) && text.find_first_not_of('0') != std::string_view::npos;
}

bool has_shape(std::string_view text) {
  if (text.size() < kSize || text[2] != '-' || text[35] != '-' || text[52] != '-') return false;
  const std::string_view version = text.substr(0, 2);
  if (!is_hex(version, 2) || version == "ff") return false;
  return text.size() == kSize || (version != "00" && text[kSize] == '-');
}

}  // namespace

std::optional<Traceparent> parse_traceparent(std::string_view text) {
  if (!has_shape(text)) return std::nullopt;
  const std::string_view trace = text.substr(kTraceAt, kTraceSize);
  const std::string_view span = text.substr(kSpanAt, kSpanSize);
  const std::string_view flags = text.substr(kFlagsAt, 2);
  if (!is_id(trace) || !is_id(span) || !is_hex(flags, 2)) return std::nullopt;
  const auto bits = base::whole_number<int>(flags, 16);
  return Traceparent{std::string(trace), std::string(span), bits && (*bits & 1) != 0};
}

std::string to_string(const Traceparent& parent) {
  return "00-" + parent.trace_id + "-" + parent.span_id + (parent.sampled ? "-01" : "-00");
}

std::string encode_span_id(const SpanBytes& random) {
  static constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text;
  for (const std::uint8_t byte : random) {
    text += kDigits[byte >> 4];
    text += kDigits[byte & 15];
  }
  if (!is_id(text)) text.back() = '1';  // zero is no id
  return text;
}

std::string new_span_id() {
  SpanBytes random{};
  [[maybe_unused]] const auto filled = ::getrandom(random.data(), random.size(), 0);
  return encode_span_id(random);
}

}  // namespace base
