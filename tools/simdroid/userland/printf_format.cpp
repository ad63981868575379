#include "simdroid/userland/printf_format.hpp"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstdlib>

namespace simdroid {
namespace {

constexpr int kMaxWidth = 4096;
constexpr std::size_t kMaxOutput = 1024 * 1024;

std::size_t digits(std::string_view text, std::string_view allowed, std::size_t most) {
  return std::min({text.find_first_not_of(allowed), text.size(), most});
}

// The character of an escape that begins after the backslash, and how long it is.
std::size_t escape(std::string_view text, std::string* out) {
  constexpr std::string_view kNames = "ntrabfve\\";
  constexpr std::string_view kValues = "\n\t\r\a\b\f\v\x1b\\";
  if (text.empty()) {
    *out += '\\';
    return 0;
  }
  if (const std::size_t at = kNames.find(text.front()); at != std::string_view::npos) {
    *out += kValues[at];
    return 1;
  }
  const bool hex = text.front() == 'x';
  const bool octal = text.front() == '0';
  const std::size_t size = hex ? digits(text.substr(1), "0123456789abcdefABCDEF", 2)
                               : digits(text.substr(1), "01234567", 3);
  if ((!hex && !octal) || (hex && size == 0)) {
    out->append(1, '\\').append(1, text.front());
    return 1;
  }
  unsigned value = 0;
  std::from_chars(text.data() + 1, text.data() + 1 + size, value, hex ? 16 : 8);
  *out += static_cast<char>(value);
  return size + 1;
}

class PrintfFormatter {
 public:
  PrintfFormatter(std::string_view format, const std::vector<std::string>& args)
      : format_(format), args_(args) {}

  Result<std::string> run() {
    do {
      const std::size_t before = next_;
      TRY_VOID(once());
      if (next_ == before) break;
    } while (next_ < args_.size() && out_.size() < kMaxOutput);
    return out_;
  }

 private:
  Result<void> once() {
    std::string_view rest = format_;
    while (!rest.empty()) {
      const char c = rest.front();
      rest.remove_prefix(1);
      if (c == '\\') {
        rest.remove_prefix(format_escape(rest));
      } else if (c != '%') {
        out_ += c;
      } else {
        TRY(const std::size_t used, conversion(rest));
        rest.remove_prefix(used);
      }
    }
    return ok();
  }

  // Here an octal number needs no leading zero.
  std::size_t format_escape(std::string_view text) {
    const std::size_t size = digits(text, "01234567", 3);
    if (size == 0) return escape(text, &out_);
    unsigned value = 0;
    std::from_chars(text.data(), text.data() + size, value, 8);
    out_ += static_cast<char>(value);
    return size;
  }

  std::string next() { return next_ < args_.size() ? args_[next_++] : (++next_, std::string()); }

  Result<std::size_t> conversion(std::string_view spec) {
    const std::size_t flags = digits(spec, "-+ #0", spec.size());
    const std::size_t size = flags + digits(spec.substr(flags), "0123456789.", spec.size());
    if (size >= spec.size()) return fail(errc::invalid_argument, "bad format");
    const char kind = spec[size];
    if (kind == '%') {
      out_ += '%';
      return size + 1;
    }
    const std::string head = "%" + std::string(spec.substr(0, size));
    if (std::abs(std::atoi(head.c_str() + 1 + flags)) > kMaxWidth) {
      return fail(errc::invalid_argument, "bad width");
    }
    if (kind == 's' || kind == 'b' || kind == 'c') {
      std::string text = next();
      if (kind == 'b') text = expand_escapes(text);
      if (kind == 'c') text.resize(std::min<std::size_t>(text.size(), 1));
      append(head + "s", text.c_str());
    } else if (std::string_view("diuxXo").contains(kind)) {
      append(head + "ll" + kind, std::strtoll(next().c_str(), nullptr, 0));
    } else {
      return fail(errc::invalid_argument, "bad %" + std::string(1, kind));
    }
    return size + 1;
  }

  template <class Value>
  void append(const std::string& format, Value value) {
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
#pragma GCC diagnostic ignored "-Wformat-security"
    const int size = std::snprintf(nullptr, 0, format.c_str(), value);
    if (size <= 0) return;
    std::string text(static_cast<std::size_t>(size) + 1, '\0');
    std::snprintf(text.data(), text.size(), format.c_str(), value);
#pragma GCC diagnostic pop
    text.pop_back();
    out_ += text;
  }

  std::string_view format_;
  const std::vector<std::string>& args_;
  std::size_t next_ = 0;
  std::string out_;
};

bool file_test(char kind, const std::string& path, const Process& process) {
  const bool link = kind == 'h' || kind == 'L';
  const auto stat =
      process.phone->files.stat(process.path(path), link ? FollowLinks::no : FollowLinks::yes);
  if (!stat) return false;
  switch (kind) {
    case 'f': return stat->is(kRegular);
    case 'h':
    case 'L': return stat->is(kSymlink);
    case 'd': return stat->is(kDirectory);
    case 's': return stat->size > 0;
    case 'w': return (stat->uid == kShellUid && (stat->mode & 0200)) || (stat->mode & 0002);
    case 'x': return (stat->mode & 0111) != 0;
    default: return true;
  }
}

Result<bool> compare(const std::string& left, const std::string& how, const std::string& right) {
  if (how == "=" || how == "==") return left == right;
  if (how == "!=") return left != right;
  if (how == "<") return left < right;
  if (how == ">") return left > right;
  const long long a = std::strtoll(left.c_str(), nullptr, 10);
  const long long b = std::strtoll(right.c_str(), nullptr, 10);
  if (how == "-eq") return a == b;
  if (how == "-ne") return a != b;
  if (how == "-lt") return a < b;
  if (how == "-le") return a <= b;
  if (how == "-gt") return a > b;
  if (how == "-ge") return a >= b;
  return fail(errc::invalid_argument, how + ": unexpected operator/operand");
}

}  // namespace

std::string expand_escapes(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const std::size_t plain = std::min(text.find('\\'), text.size());
    out += text.substr(0, plain);
    text.remove_prefix(plain);
    if (text.empty()) break;
    text.remove_prefix(1);
    text.remove_prefix(escape(text, &out));
  }
  return out;
}

Result<std::string> format_printf(std::string_view format, const std::vector<std::string>& args) {
  return PrintfFormatter(format, args).run();
}

Result<bool> evaluate_test(const std::vector<std::string>& args, const Process& process) {
  constexpr std::size_t kMaxOperands = 64;
  if (args.size() > kMaxOperands) return fail(errc::limit, "too many arguments");
  const auto joint =
      std::ranges::find_if(args, [](const std::string& arg) { return arg == "-o" || arg == "-a"; });
  if (args.size() > 3 && joint != args.end() && joint != args.begin()) {
    TRY(const bool left, evaluate_test({args.begin(), joint}, process));
    TRY(const bool right, evaluate_test({joint + 1, args.end()}, process));
    return *joint == "-o" ? left || right : left && right;
  }
  if (args.empty()) return false;
  if (args.size() == 1) return !args[0].empty();
  if (args.size() == 3 && args.front() != "!") return compare(args[0], args[1], args[2]);
  if (args.front() == "!") {
    TRY(const bool inner, evaluate_test({args.begin() + 1, args.end()}, process));
    return !inner;
  }
  if (args.size() == 2 && args[0] == "-n") return !args[1].empty();
  if (args.size() == 2 && args[0] == "-z") return args[1].empty();
  if (args.size() == 2 && args[0].size() == 2 &&
      std::string_view("edfhLrswx").contains(args[0][1])) {
    return file_test(args[0][1], args[1], process);
  }
  return fail(errc::invalid_argument, args.back() + ": unexpected operator/operand");
}

}  // namespace simdroid
