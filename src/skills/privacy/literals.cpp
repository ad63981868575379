#include "skills/privacy/literals.hpp"

#include <algorithm>

#include "base/number.hpp"
#include "base/text.hpp"

namespace clawperator::privacy {
namespace {

constexpr std::size_t kLongestMailName = 64;  // RFC 5321
constexpr std::size_t kLongestHost = 255;     // likewise

bool is_word(char c) { return is_letter_or_digit(c) || c == '_'; }
bool is_digits(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, is_digit);
}

// The longest beginning whose characters fit.
template <class Fits>
std::string_view run_of(std::string_view text, Fits fits, std::size_t at_most) {
  text = text.substr(0, at_most);
  return text.substr(0,
                     static_cast<std::size_t>(std::ranges::find_if_not(text, fits) - text.begin()));
}
template <class Fits>
std::string_view run_before(std::string_view text, Fits fits, std::size_t at_most) {
  std::size_t length = 0;
  while (length < std::min(text.size(), at_most) && fits(text[text.size() - 1 - length])) ++length;
  return text.substr(text.size() - length);
}

// One line, and a place in it.
class At {
 public:
  At(std::string_view line, std::size_t offset) : line_(line), offset_(offset) {}

  [[nodiscard]] std::string_view rest() const { return line_.substr(offset_); }
  [[nodiscard]] std::string_view before() const { return line_.substr(0, offset_); }
  // True if the character before it, or `length` behind it, is one of them or belongs to a word.
  [[nodiscard]] bool follows(std::string_view marks) const {
    return offset_ > 0 && touches(line_[offset_ - 1], marks);
  }
  [[nodiscard]] bool goes_on(std::size_t length, std::string_view marks) const {
    return offset_ + length < line_.size() && touches(line_[offset_ + length], marks);
  }
  [[nodiscard]] std::size_t offset() const { return offset_; }

 private:
  static bool touches(char c, std::string_view marks) { return is_word(c) || marks.contains(c); }

  std::string_view line_;
  std::size_t offset_;
};

// RFC 2606, and endings that are no domain: icon@2x.png, getty@tty1.service.
bool is_example_host(std::string_view host) {
  const auto dot = host.rfind('.');
  const std::string_view end = host.substr(dot + 1);
  const std::string_view without = host.substr(0, dot);
  const std::string_view owner = without.substr(without.rfind('.') + 1);
  return is_one_of(end,
                   "example invalid test localhost localdomain png jpg jpeg gif svg webp service "
                   "socket timer target mount slice") ||
         (owner == "example" && is_one_of(end, "com net org"));
}

// Of an ssh address, and of labels in Kotlin: this@MainActivity.finish().
bool is_no_mailbox(std::string_view name) {
  return is_one_of(name, "git this super return break continue");
}

// At its `@`.
std::optional<Literal> email_at(const At& at) {
  if (!at.rest().starts_with('@')) return std::nullopt;
  const auto fits_name = [](char c) { return is_word(c) || std::string_view(".%+-").contains(c); };
  const auto fits_host = [](char c) { return is_letter_or_digit(c) || c == '.' || c == '-'; };
  const std::string_view name = run_before(at.before(), fits_name, kLongestMailName);
  std::string_view host = run_of(at.rest().substr(1), fits_host, kLongestHost);
  host = trimmed_end(host, ".-");
  const auto dot = host.rfind('.');
  if (name.empty() || is_no_mailbox(name) || dot == host.npos || dot == 0) return std::nullopt;
  const std::string lower = ascii_lower(host);
  const std::string_view end = std::string_view(lower).substr(dot + 1);
  // name@1.2.3 is a version.
  const auto labels = split(host, '.');
  const bool is_version = is_digits(labels[0]) && is_digit(labels[1].empty() ? 'x' : labels[1][0]);
  if (end.size() < 2 || !std::ranges::all_of(end, is_letter) || is_version ||
      is_example_host(lower)) {
    return std::nullopt;
  }
  return Literal{LiteralKind::email, at.offset() - name.size(), name.size() + 1 + host.size()};
}

// Digits with a mark of the list between some of them; the end is a digit.
std::string_view spaced_digits(std::string_view text, std::string_view marks) {
  constexpr std::size_t kLongest = 32;
  std::size_t end = 0;
  for (std::size_t i = 0; i < std::min(text.size(), kLongest); ++i) {
    if (is_digit(text[i])) {
      end = i + 1;
    } else if (!marks.contains(text[i]) || i + 1 - end > 2) {
      break;
    }
  }
  return text.substr(0, end);
}

// "ddd-dddd" as a shape: d is a digit, everything else itself.
bool has_shape(std::string_view text, std::string_view shape) {
  return text.size() >= shape.size() &&
         std::ranges::equal(text.substr(0, shape.size()), shape,
                            [](char c, char s) { return s == 'd' ? is_digit(c) : c == s; });
}

// "123 45 67": two or three groups with 7 or 8 digits in all. More numbers are a table.
std::size_t groups_length(std::string_view text) {
  std::size_t length = 0;
  std::size_t digits = 0;
  for (int count = 1;; ++count) {
    const std::string_view group = run_of(text.substr(length), is_digit, 5);
    if (group.size() < 2 || group.size() > 4) return 0;
    length += group.size();
    digits += group.size();
    if (has_shape(text.substr(length), " d")) {
      ++length;
    } else {
      return count > 1 && count < 4 && (digits == 7 || digits == 8) ? length : 0;
    }
  }
}

std::size_t phone_length(std::string_view rest) {
  constexpr std::size_t kLeast = 8;  // fewer digits are more often a sum or a date
  constexpr std::size_t kMost = 15;  // E.164
  if (rest.starts_with('+') && rest.size() > 1 && rest[1] >= '1' && rest[1] <= '9') {
    const std::string_view number = spaced_digits(rest.substr(1), " .-()/");
    const auto digits = static_cast<std::size_t>(std::ranges::count_if(number, is_digit));
    return digits >= kLeast && digits <= kMost ? number.size() + 1 : 0;
  }
  if (!rest.starts_with('(') && !is_digit(rest[0])) return 0;
  for (const std::string_view shape :
       {"(ddd) ddd-dddd", "(ddd)ddd-dddd", "ddd-ddd-dddd", "ddd.ddd.dddd", "1-ddd-ddd-dddd"}) {
    if (has_shape(rest, shape)) return shape.size();
  }
  // 0170 1234567, 030/1234567, 0170 123 45 67
  if (rest.size() < 2 || rest[0] != '0' || rest[1] == '0' || !is_digit(rest[1])) return 0;
  const std::string_view area = run_of(rest, is_digit, 6);
  if (area.size() < 3 || area.size() > 5 || area.size() == rest.size()) return 0;
  if (!std::string_view(" /-").contains(rest[area.size()])) return 0;
  const std::string_view own = run_of(rest.substr(area.size() + 1), is_digit, 9);
  if (own.size() >= 5 && own.size() <= 8) return area.size() + 1 + own.size();
  const std::size_t groups = groups_length(rest.substr(area.size() + 1));
  return groups > 0 && rest[area.size()] != '/' ? area.size() + 1 + groups : 0;
}

std::optional<Literal> phone_number_at(const At& at) {
  const std::size_t length = phone_length(at.rest());
  if (length == 0 || at.follows("+-./(") || at.goes_on(length, "-")) return std::nullopt;
  std::string digits;
  std::ranges::copy_if(at.rest().substr(0, length), std::back_inserter(digits), is_digit);
  // 555-0100 to 555-0199 are for fiction.
  if (digits.size() >= 7 && digits.substr(digits.size() - 7).starts_with("55501")) {
    return std::nullopt;
  }
  return Literal{LiteralKind::phone_number, at.offset(), length};
}

// Addresses of this computer, of emulators and of documents (RFC 5737), places of adb and the
// serial of cheap devices belong to no person.
bool is_example_device(std::string_view name) {
  for (const std::string_view begin :
       {"emulator-", "localhost", "127.", "0.0.0.0", "10.0.2.", "192.0.2.", "198.51.100.",
        "203.0.113.", "usb:", "model:", "product:", "0123456789"}) {
    if (name.starts_with(begin)) return true;
  }
  return false;
}

bool has_digits_and_letters(std::string_view word, std::ptrdiff_t digits, std::ptrdiff_t letters) {
  return std::ranges::count_if(word, is_digit) >= digits &&
         std::ranges::count_if(word, is_letter) >= letters;
}

// The ports of adbd, and those that Android chooses for wireless debugging. Others are servers'.
bool is_port_of_phone(std::uint16_t port) {
  return (port >= 5555 && port <= 5585) || port >= 30000;
}

// 192.168.1.5:5555
std::size_t address_length(std::string_view rest, bool is_device) {
  constexpr std::size_t kLongest = 22;
  const auto fits = [](char c) { return is_digit(c) || c == '.' || c == ':'; };
  const std::string_view word = trimmed_end(run_of(rest, fits, kLongest), ".:");
  const auto colon = word.find(':');
  if (colon == word.npos) return 0;
  const auto port = whole_number<std::uint16_t>(word.substr(colon + 1));
  if (!port || !(is_device || is_port_of_phone(*port))) return 0;
  const auto parts = split(word.substr(0, colon), '.');
  const auto is_byte = [](std::string_view part) {
    return whole_number<std::uint8_t>(part).has_value();
  };
  return parts.size() == 4 && std::ranges::all_of(parts, is_byte) ? word.size() : 0;
}

// What stands behind these words is a device.
constexpr auto kBeforeSerials = std::to_array<std::string_view>(
    {"adb -s ", "--device ", "--device=", "ANDROID_SERIAL=", "DEVICE_ID=", "serial: ",
     "device_id: ", "\"serial\":", "\"deviceId\":"});

bool is_named_device(std::string_view before) {
  constexpr std::size_t kLongest = 24;
  if (before.empty() || !std::string_view(" =:\"'").contains(before.back())) return false;
  before = before.substr(before.size() - std::min(before.size(), kLongest));
  before = trimmed_end(before, "\"'");
  const auto ends = [before](std::string_view word) {
    return before.ends_with(word) ||
           (word.ends_with(':') && trimmed_end(before, " ").ends_with(word));
  };
  return std::ranges::any_of(kBeforeSerials, ends);
}

// 4294967295UL, 0XFF000000, and names of standards and macros: POSIX199309. Some makers begin with
// five letters, and more digits follow.
bool is_constant(std::string_view printed) {
  const std::string_view number = trimmed_end(printed, "UL");
  const std::string_view letters = run_of(printed, is_letter, printed.size());
  return is_digits(number) || printed.starts_with("0X") ||
         (letters.size() >= 4 && !has_digits_and_letters(printed, 8, 0));
}

std::size_t serial_length(const At& at, bool is_device) {
  constexpr std::size_t kLongest = 64;
  if (const std::size_t address = address_length(at.rest(), is_device)) return address;
  const auto fits = [](char c) { return is_word(c) || c == '-' || c == '.' || c == ':'; };
  const std::string_view word = trimmed_end(run_of(at.rest(), fits, kLongest), "-.:");
  if (is_device) {
    return word.size() >= 6 && has_digits_and_letters(word, 1, 0) ? word.size() : 0;
  }
  const auto parts = split(word, '-');  // adb-SERIAL-AbCdEf: a phone that announces itself
  if (parts.size() >= 3 && parts[0] == "adb" && parts[1].size() >= 6 &&
      has_digits_and_letters(parts[1], 1, 0) && parts[2].substr(0, 7).find('.') == 6) {
    return parts[0].size() + parts[1].size() + 2 + 6;
  }
  // 2A111FDH20012X: as makers print them.
  const auto is_printed = [](char c) { return is_digit(c) || (c >= 'A' && c <= 'Z'); };
  const std::string_view printed = run_of(at.rest(), is_printed, 21);
  const bool is_one = printed.size() >= 10 && printed.size() <= 20 &&
                      has_digits_and_letters(printed, 4, 2) && !is_constant(printed) &&
                      !at.goes_on(printed.size(), "-+/=&%#");
  return is_one ? printed.size() : 0;
}

std::optional<Literal> serial_at(const At& at) {
  // Most places of a text are no beginning of a word.
  if (!is_word(at.rest().front()) || at.follows("")) return std::nullopt;
  const bool is_device = is_named_device(at.before());
  if (!is_device && at.follows("-+/=&%#.$@\\")) return std::nullopt;
  const std::size_t length = serial_length(at, is_device);
  if (length == 0 || is_example_device(at.rest().substr(0, length))) return std::nullopt;
  return Literal{LiteralKind::serial, at.offset(), length};
}

// cc -I/home/jdoe, /mnt/c/Users/jane: a letter that is an option or a drive.
bool follows_letter(std::string_view before) {
  return before.size() >= 2 && is_letter(before.back()) &&
         std::string_view("-/").contains(before[before.size() - 2]);
}

std::optional<Literal> home_folder_at(const At& at) {
  constexpr std::size_t kLongestName = 32;
  if (at.rest()[0] != '/' && at.rest()[0] != '\\') return std::nullopt;
  for (const std::string_view root : {"/home/", "/Users/", "\\Users\\", "\\\\Users\\\\"}) {
    if (!at.rest().starts_with(root)) continue;
    if (at.follows(".~}$>") && !follows_letter(at.before())) continue;
    const auto fits = [](char c) { return is_word(c) || c == '.' || c == '-'; };
    const std::string_view name = run_of(at.rest().substr(root.size()), fits, kLongestName);
    if (name.empty() || is_one_of(ascii_lower(name), "user username you me name example runner")) {
      continue;
    }
    return Literal{LiteralKind::home_folder, at.offset(), root.size() + name.size()};
  }
  return std::nullopt;
}

}  // namespace

std::vector<Literal> find_literals(std::string_view line) {
  std::vector<Literal> found;
  std::size_t end = 0;  // of the last one
  for (std::size_t i = 0; i < line.size(); ++i) {
    const At at(line, i);
    for (const auto& find : {email_at, phone_number_at, serial_at, home_folder_at}) {
      const auto literal = find(at);
      if (!literal || literal->offset < end) continue;
      found.push_back(*literal);
      end = literal->offset + literal->length;
      break;
    }
  }
  std::ranges::sort(found, {}, &Literal::offset);
  return found;
}

std::string_view shown(LiteralKind kind) {
  switch (kind) {
    case LiteralKind::email: return "an e-mail address";
    case LiteralKind::phone_number: return "a phone number";
    case LiteralKind::serial: return "a device's serial";
    case LiteralKind::home_folder: return "a home folder";
  }
  return {};
}

}  // namespace clawperator::privacy
