#include "cli/grammar/number.hpp"

#include <charconv>
#include <cmath>
#include <limits>

#include "base/js_string.hpp"

namespace clawperator::cli {
namespace {

constexpr double kNotANumber = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

int radix_of(std::string_view text) {
  if (text.size() < 3 || text[0] != '0') return 10;
  switch (text[1]) {
    case 'x':
    case 'X': return 16;
    case 'o':
    case 'O': return 8;
    case 'b':
    case 'B': return 2;
    default: return 10;
  }
}

double parse_digits(std::string_view digits, int radix) {
  double value = 0;
  for (const char c : digits) {
    const int digit = c >= '0' && c <= '9'   ? c - '0'
                      : c >= 'a' && c <= 'f' ? c - 'a' + 10
                      : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                             : 99;
    if (digit >= radix) return kNotANumber;
    value = value * radix + digit;
  }
  return value;
}

double parse_decimal(std::string_view text) {
  if (text.find_first_not_of("0123456789.eE+-") != std::string_view::npos) return kNotANumber;
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (end != text.data() + text.size()) return kNotANumber;
  if (error == std::errc::result_out_of_range) {
    return text.find("e-") == text.npos && text.find("E-") == text.npos ? kInfinity : 0.0;
  }
  return error == std::errc{} ? value : kNotANumber;
}

}  // namespace

double parse_number(std::string_view text) {
  text = trim_js(text);
  if (text.empty()) return 0;
  if (const int radix = radix_of(text); radix != 10) return parse_digits(text.substr(2), radix);
  const bool negative = text.front() == '-';
  if (negative || text.front() == '+') text.remove_prefix(1);
  if (text.empty() || text.front() == '-' || text.front() == '+') return kNotANumber;
  const double value = text == "Infinity" ? kInfinity : parse_decimal(text);
  return negative ? -value : value;
}

}  // namespace clawperator::cli
