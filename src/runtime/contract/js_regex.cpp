#include "runtime/contract/js_regex.hpp"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#include <algorithm>

#include "base/loaded_library.hpp"
#include "base/text.hpp"

// clang-format off
#define CLAWPERATOR_LIBPCRE2(X)                                               \
  X(pcre2_code_free_8) X(pcre2_compile_8) X(pcre2_compile_context_create_8)   \
  X(pcre2_compile_context_free_8) X(pcre2_set_compile_extra_options_8)        \
  X(pcre2_set_max_pattern_length_8) X(pcre2_set_parens_nest_limit_8)
// clang-format on

namespace clawperator {
namespace {

// libpcre2 as pointers, loaded for the first pattern: it would add half a megabyte to the program.
CLAWPERATOR_LIBPCRE2(LOADED_DEFINE)

bool load_libpcre2() {
  LoadedLibrary library("libpcre2-8.so.0");
  CLAWPERATOR_LIBPCRE2(LOADED_BIND)
  return library.complete("libpcre2-8-0").has_value();
}

// The slowest pattern that was tried within these bounds, 400 named groups, takes 0.7 ms.
constexpr std::size_t kMostBytes = 4096;
constexpr std::uint32_t kMostDepth = 250;  // PCRE2's own default

// Any other letter behind a backslash is itself in JavaScript.
constexpr std::string_view kEscapedLetters = "bBcdDfknrsStuvwWx";

// Faults that are a SyntaxError of JavaScript's RegExp, too.
constexpr auto kFaults = std::to_array<int>({
    PCRE2_ERROR_END_BACKSLASH,
    PCRE2_ERROR_QUANTIFIER_OUT_OF_ORDER,
    PCRE2_ERROR_MISSING_SQUARE_BRACKET,
    PCRE2_ERROR_CLASS_RANGE_ORDER,
    PCRE2_ERROR_QUANTIFIER_INVALID,
    PCRE2_ERROR_MISSING_CLOSING_PARENTHESIS,
    PCRE2_ERROR_UNMATCHED_CLOSING_PARENTHESIS,
    PCRE2_ERROR_MISSING_NAME_TERMINATOR,
    PCRE2_ERROR_DUPLICATE_SUBPATTERN_NAME,
    PCRE2_ERROR_INVALID_SUBPATTERN_NAME,
    PCRE2_ERROR_SUBPATTERN_NAME_EXPECTED,
});

// PCRE2's verbs, options, recursion, conditions and the like are no JavaScript groups.
bool opens_js_group(std::string_view rest) {
  if (rest.starts_with("(?")) return rest.size() > 2 && std::string_view(":=!<").contains(rest[2]);
  return !rest.starts_with("(*");
}

// The pattern as PCRE2 needs it: letters that JavaScript does not escape have no backslash, and a
// `\c` without its letter is a backslash and a c. nullopt: it has a group that JavaScript lacks. In
// a few bytes `(?i)` would also let PCRE2 look up the other cases of a whole alphabet.
std::optional<std::string> in_pcre2_syntax(std::string_view pattern) {
  std::string text;
  bool is_class = false;
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    const char c = pattern[i];
    text += c;
    if (c == '\\' && i + 1 < pattern.size()) {
      const char next = pattern[++i];
      const bool names_control = i + 1 < pattern.size() && is_letter(pattern[i + 1]);
      if (next == 'c' && !names_control) text += '\\';
      if (is_letter(next) && !kEscapedLetters.contains(next)) text.pop_back();
      text += next;
    } else if (c == '[' || c == ']') {
      is_class = c == '[';
    } else if (c == '(' && !is_class && !opens_js_group(pattern.substr(i))) {
      return std::nullopt;
    }
  }
  return text;
}

}  // namespace

bool is_js_regex(std::string_view pattern) {
  const auto text = in_pcre2_syntax(pattern);
  if (!text) return false;
  static const bool kLoaded = load_libpcre2();
  if (!kLoaded) return true;
  const std::unique_ptr<pcre2_compile_context_8, decltype(pcre2_compile_context_free_8)> context(
      pcre2_compile_context_create_8(nullptr), pcre2_compile_context_free_8);
  if (!context) return true;
  pcre2_set_max_pattern_length_8(context.get(), kMostBytes);
  pcre2_set_parens_nest_limit_8(context.get(), kMostDepth);
  pcre2_set_compile_extra_options_8(context.get(), PCRE2_EXTRA_ALLOW_SURROGATE_ESCAPES);
  constexpr std::uint32_t kOptions = PCRE2_UTF | PCRE2_ALT_BSUX | PCRE2_ALLOW_EMPTY_CLASS;
  int fault = 0;
  std::size_t at = 0;
  const std::unique_ptr<pcre2_code_8, decltype(pcre2_code_free_8)> code(
      pcre2_compile_8(reinterpret_cast<PCRE2_SPTR8>(text->data()), text->size(), kOptions, &fault,
                      &at, context.get()),
      pcre2_code_free_8);
  if (code || std::ranges::find(kFaults, fault) == kFaults.end()) return true;
  const bool is_name =
      fault == PCRE2_ERROR_MISSING_NAME_TERMINATOR || fault == PCRE2_ERROR_SUBPATTERN_NAME_EXPECTED;
  return is_name && at < text->size() && (*text)[at] == '$';
}

}  // namespace clawperator
