#include "base/named_secrets.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/json_document.hpp"
#include "base/json_text.hpp"
#include "base/text.hpp"

namespace base {
namespace {

constexpr auto kNone = std::string_view::npos;
constexpr std::size_t kLongestName = 128;       // of a longer name only the end is read
constexpr std::size_t kLongestAuthority = 512;  // of a URL

constexpr bool is_capital(char c) { return c >= 'A' && c <= 'Z'; }
constexpr bool is_name_char(char c) {
  return is_letter_or_digit(c) || c == '_' || c == '-' || c == '.';
}

// set-cookie, setCookie, SET_COOKIE2 -> set cookie; APIKey -> api key.
std::vector<std::string> words_of(std::string_view name) {
  std::vector<std::string> words(1);
  const auto begin_word = [&] {
    if (!words.back().empty()) words.emplace_back();
  };
  for (std::size_t i = 0; i < name.size(); ++i) {
    const char c = name[i];
    const char before = i > 0 ? name[i - 1] : ' ';
    const char after = i + 1 < name.size() ? name[i + 1] : ' ';
    const bool ends_capitals = is_capital(before) && is_letter_or_digit(after) &&
                               !is_capital(after) && !base::is_digit(after);
    if (!is_letter_or_digit(c) || base::is_digit(c)) {
      begin_word();
      continue;
    }
    if (is_capital(c) && (!is_capital(before) || ends_capitals)) begin_word();
    words.back() += lower_char(c);
  }
  if (words.back().empty()) words.pop_back();
  return words;
}

bool is_secret_word(std::string_view word) {
  constexpr std::string_view kEnds[] = {"token",     "password",  "passwd",    "passphrase",
                                        "secret",    "apikey",    "accesskey", "privatekey",
                                        "secretkey", "credential"};
  return is_one_of(word,
                   "tokens passwords secrets apikeys credentials authorization cookie cookies "
                   "passcode pwd bearer jwt otp") ||
         std::ranges::any_of(kEnds, [&](std::string_view end) { return word.ends_with(end); });
}

// The rest of the line is the value: "Cookie: a=b; c=d".
bool names_header(std::string_view name) {
  const std::string lower = ascii_lower(name);
  return lower.ends_with("authorization") || lower.ends_with("cookie");
}

// Finds and replaces the values from the beginning to the end of the text.
class Masking {
 public:
  explicit Masking(std::string_view text) : text_(text) {}

  std::string run() && {
    for (at_ = 0; at_ < text_.size();) {
      if (text_.substr(at_).starts_with("://")) {
        mask_user();
      } else if (is_name_char(text_[at_])) {
        check_name();
      } else {
        ++at_;
      }
    }
    return std::move(out_.append(text_.substr(done_)));
  }

 private:
  [[nodiscard]] char char_at(std::size_t at) const { return at < text_.size() ? text_[at] : '\0'; }
  [[nodiscard]] std::size_t end_of(std::size_t found) const {
    return std::min(found, text_.size());
  }
  [[nodiscard]] std::size_t behind(std::size_t at, std::string_view skipped) const {
    return end_of(text_.find_first_not_of(skipped, at));
  }

  void mask(std::size_t from, std::size_t to) {
    if (from < to) out_.append(text_.substr(done_, from - done_)).append(kMask);
    if (from < to) done_ = to;
    at_ = std::max(at_, to);
  }

  // https://USER:PASSWORD@host; the user name of ssh is no secret.
  void mask_user() {
    const bool is_web =
        text_.substr(0, at_).ends_with("http") || text_.substr(0, at_).ends_with("https");
    at_ += 3;
    const std::string_view near = text_.substr(at_, kLongestAuthority);
    const std::string_view authority = near.substr(0, near.find_first_of("/?#\\\"'<> \t\r\n"));
    const auto at_sign = authority.rfind('@');
    if (at_sign == kNone) return;
    if (is_web || authority.substr(0, at_sign).contains(':')) mask(at_, at_ + at_sign);
  }

  void check_name() {
    const std::size_t begin = at_;
    while (at_ < text_.size() && is_name_char(text_[at_])) ++at_;
    const std::string_view name = text_.substr(begin, at_ - begin);
    if (!names_secret(name)) return;
    // The position after a quote, "TOKEN"] and the like.
    const std::size_t quote = behind(at_, "\\");
    const std::size_t closed =
        behind(std::string_view("\"'`").contains(char_at(quote)) ? quote + 1 : at_, "]");
    const std::size_t blank = behind(closed, " \t");
    const std::size_t value = behind(blank, "=:>+?");
    const std::string_view sign = text_.substr(blank, value - blank);
    if (sign.contains('=') || sign.starts_with(':')) {
      if (sign == "::") return;
      return mask_value(begin, name, behind(value, " \t"));
    }
    const bool takes_word = name.starts_with("--") || ascii_lower(name) == "bearer";
    if (sign.empty() && takes_word && blank > closed && char_at(blank) != '-') {
      mask_value(begin, name, blank);
    }
  }

  void mask_value(std::size_t name_begin, std::string_view name, std::size_t begin) {
    const std::size_t quote = behind(begin, "\\");
    const char first = char_at(quote);
    if (first == '"' || first == '\'' || first == '`') {
      return mask(quote + 1, end_of_quoted(quote + 1, first, quote - begin));
    }
    if (first == '{' || first == '[') return mask(quote, end_of_brackets(quote));
    const std::size_t line_end = end_of(text_.find_first_of("\r\n", begin));
    if (begins_line(name_begin)) return mask(begin, line_end);
    if (names_header(name)) return mask(begin, end_of(text_.find_first_of("\r\n\"'`", begin)));
    mask(begin, end_of_word(begin));
  }

  // True if the line before it has nothing but words of a shell's assignment.
  [[nodiscard]] bool begins_line(std::size_t at) const {
    constexpr std::size_t kFar = 64;
    std::string_view before = last_bytes(text_.substr(0, at), kFar);
    const auto line = before.find_last_of('\n');
    if (line == kNone && at > kFar) return false;
    if (line != kNone) before.remove_prefix(line + 1);
    before = trimmed(before);
    return before.empty() || is_one_of(before, "export set declare -");
  }

  // A quote inside nested strings has more backslashes before it.
  [[nodiscard]] std::size_t end_of_quoted(std::size_t begin, char quote, std::size_t depth) const {
    std::size_t slashes = 0;
    for (std::size_t at = begin; at < text_.size(); ++at) {
      const bool closes = depth == 0 ? slashes % 2 == 0 : slashes <= depth;
      if (text_[at] == quote && closes) return at - std::min(slashes, depth);
      slashes = text_[at] == '\\' ? slashes + 1 : 0;
    }
    return text_.size();
  }

  [[nodiscard]] std::size_t end_of_brackets(std::size_t begin) const {
    std::size_t depth = 0;
    for (std::size_t at = begin; at < text_.size(); ++at) {
      const char c = text_[at];
      if (c == '"') at = end_of_quoted(at + 1, c, 0);
      if (c == '{' || c == '[') ++depth;
      if ((c == '}' || c == ']') && --depth == 0) return at + 1;
    }
    return text_.size();
  }

  // For "Bearer x" and the like the value is the second word.
  [[nodiscard]] std::size_t end_of_word(std::size_t begin) const {
    constexpr std::string_view kEnds = " \t\r\n,;&\"'`<>()[]{}|";
    std::size_t end = end_of(text_.find_first_of(kEnds, begin));
    const std::string scheme = ascii_lower(text_.substr(begin, end - begin));
    if (is_one_of(scheme, "bearer basic digest token") && char_at(end) == ' ') {
      end = end_of(text_.find_first_of(kEnds, behind(end, " \t")));
    }
    const auto escape = text_.substr(begin, end - begin).find("\\n");
    if (escape != kNone) return begin + escape;
    while (end > begin && text_[end - 1] == '\\') --end;  // the backslashes of an escaped quote
    return end;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::size_t done_ = 0;  // the part of the text that is in `out_`
  std::string out_;
};

void mask_document(Json& value, const Secrets& known, bool is_secret) {
  if (value.is_structured()) {
    for (auto& [name, member] : value.items()) {
      mask_document(member, known, is_secret || (value.is_object() && names_secret(name)));
    }
  } else if (value.is_string()) {
    const auto& text = value.get_ref<const std::string&>();
    if (!text.empty()) value = is_secret ? std::string(kMask) : masked_for_log(text, known);
  } else if (value.is_number() && is_secret) {
    value = kMask;
  }
}

}  // namespace

bool names_secret(std::string_view name) {
  const auto words = words_of(last_bytes(name, kLongestName));
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (is_secret_word(words[i])) return true;
    const bool is_key = words[i] == "key" || words[i] == "keys";
    if (is_key && i > 0 &&
        is_one_of(words[i - 1], "api access private secret session signing encryption auth")) {
      return true;
    }
  }
  if (words.empty()) return false;
  return words.size() == 1 ? words[0] == "auth" : words.back() == "pat";
}

std::string without_named_secrets(std::string_view text) { return Masking(text).run(); }

// A text may be the beginning of a longer one, and end inside a secret.
std::string masked_for_log(std::string_view text, const Secrets& known) {
  const std::string unnamed = without_named_secrets(text);
  return known.empty() ? unnamed : known.masked_beginning(unnamed);
}

std::string masked_json_for_log(std::string_view json, const Secrets& known) {
  auto document = read_json(json, json.size(), json.size());
  if (!document) return "{}";
  mask_document(*document, known, false);
  return write_json(*document);
}

}  // namespace base
