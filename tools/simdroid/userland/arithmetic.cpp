#include <cctype>
#include <charconv>

#include "simdroid/userland/word_expander.hpp"

namespace simdroid {
namespace {

struct Operator {
  std::string_view text;
  int level;
};
// Longest first where one begins another.
constexpr Operator kOperators[] = {{"||", 2}, {"&&", 3}, {"==", 7}, {"!=", 7}, {"<=", 8},
                                   {">=", 8}, {"<<", 9}, {">>", 9}, {"<", 8},  {">", 8},
                                   {"|", 4},  {"^", 5},  {"&", 6},  {"+", 10}, {"-", 10},
                                   {"*", 11}, {"/", 11}, {"%", 11}, {",", 0}};
constexpr int kTernary = 1;
constexpr int kMaxDepth = 50;

class Evaluator {
 public:
  Evaluator(std::string_view text, Shell* shell) : text_(text), shell_(shell) {}

  Result<std::int64_t> run() {
    TRY(const std::int64_t value, expression(0));
    skip();
    if (!text_.empty()) return bad();
    return value;
  }

 private:
  std::unexpected<Error> bad() const {
    return fail(errc::invalid_argument, "unexpected '" + std::string(text_) + "'");
  }

  void skip() {
    while (!text_.empty() && std::isspace(static_cast<unsigned char>(text_.front()))) {
      text_.remove_prefix(1);
    }
  }

  const Operator* next_operator() {
    skip();
    for (const Operator& known : kOperators) {
      if (text_.starts_with(known.text)) return &known;
    }
    return nullptr;
  }

  Result<std::int64_t> expression(int level) {
    if (++depth_ > kMaxDepth) return bad();
    TRY(std::int64_t left, primary());
    while (const Operator* found = next_operator()) {
      if (found->level < level) break;
      text_.remove_prefix(found->text.size());
      TRY(const std::int64_t right, expression(found->level + 1));
      TRY(left, apply(found->text, left, right));
    }
    skip();
    if (level <= kTernary && text_.starts_with('?')) {
      TRY(left, choice(left));
    }
    --depth_;
    return left;
  }

  Result<std::int64_t> choice(std::int64_t condition) {
    text_.remove_prefix(1);
    TRY(const std::int64_t yes, expression(kTernary));
    skip();
    if (!text_.starts_with(':')) return bad();
    text_.remove_prefix(1);
    TRY(const std::int64_t no, expression(kTernary));
    return condition != 0 ? yes : no;
  }

  static Result<std::int64_t> apply(std::string_view what, std::int64_t left, std::int64_t right) {
    const auto wrap = [](std::uint64_t bits) { return static_cast<std::int64_t>(bits); };
    const auto a = static_cast<std::uint64_t>(left);
    const auto b = static_cast<std::uint64_t>(right);
    if (what == "+") return wrap(a + b);
    if (what == "-") return wrap(a - b);
    if (what == "*") return wrap(a * b);
    if (what == ",") return right;
    if (what == "|") return wrap(a | b);
    if (what == "&") return wrap(a & b);
    if (what == "^") return wrap(a ^ b);
    if (what == "<<") return wrap(a << (b & 63));
    if (what == ">>") return left >> (b & 63);
    if (what == "||") return left != 0 || right != 0;
    if (what == "&&") return left != 0 && right != 0;
    if (what == "==") return left == right;
    if (what == "!=") return left != right;
    if (what == "<=") return left <= right;
    if (what == ">=") return left >= right;
    if (what == "<") return left < right;
    if (what == ">") return left > right;
    if (right == 0) return fail(errc::invalid_argument, "zero divisor");
    if (right == -1) return what == "/" ? wrap(0 - a) : 0;
    return what == "/" ? left / right : left % right;
  }

  Result<std::int64_t> primary() {
    skip();
    if (text_.empty() || ++depth_ > kMaxDepth) return bad();
    const char first = text_.front();
    if (text_.starts_with("++") || text_.starts_with("--")) return stepped();
    if (first == '(' || first == '-' || first == '!' || first == '+' || first == '~') {
      text_.remove_prefix(1);
      return prefixed(first);
    }
    --depth_;
    if (std::isdigit(static_cast<unsigned char>(first))) return number();
    if (std::isalpha(static_cast<unsigned char>(first)) || first == '_') return name();
    return bad();
  }

  Result<std::int64_t> prefixed(char first) {
    TRY(const std::int64_t value, first == '(' ? expression(0) : primary());
    --depth_;
    if (first == '-') return static_cast<std::int64_t>(0 - static_cast<std::uint64_t>(value));
    if (first == '!') return value == 0;
    if (first == '~') return ~value;
    if (first == '+') return value;
    skip();
    if (!text_.starts_with(')')) return bad();
    text_.remove_prefix(1);
    return value;
  }

  Result<std::int64_t> number() {
    const bool hex = text_.starts_with("0x") || text_.starts_with("0X");
    if (hex) text_.remove_prefix(2);
    std::int64_t value = 0;
    const auto [end, error] =
        std::from_chars(text_.data(), text_.data() + text_.size(), value, hex ? 16 : 10);
    if (error != std::errc()) return bad();
    text_.remove_prefix(static_cast<std::size_t>(end - text_.data()));
    return value;
  }

  std::string take_name() {
    skip();
    std::size_t size = 0;
    while (size < text_.size() &&
           (std::isalnum(static_cast<unsigned char>(text_[size])) || text_[size] == '_')) {
      ++size;
    }
    const std::string name(text_.substr(0, size));
    text_.remove_prefix(size);
    return name;
  }

  [[nodiscard]] std::int64_t value_of(const std::string& name) const {
    const std::string value = shell_->variable(name);
    std::int64_t number = 0;
    std::from_chars(value.data(), value.data() + value.size(), number);
    return number;
  }

  std::int64_t assign(const std::string& name, std::int64_t value) {
    shell_->set_variable(name, std::to_string(value));
    return value;
  }

  // ++x, --x
  Result<std::int64_t> stepped() {
    --depth_;
    const std::int64_t step = text_.front() == '+' ? 1 : -1;
    text_.remove_prefix(2);
    const std::string name = take_name();
    if (name.empty()) return bad();
    return assign(name, value_of(name) + step);
  }

  // x, x++, x--, x = 1, x += 1
  Result<std::int64_t> name() {
    const std::string name = take_name();
    skip();
    const std::int64_t value = value_of(name);
    if (text_.starts_with("++") || text_.starts_with("--")) {
      assign(name, value + (text_.front() == '+' ? 1 : -1));
      text_.remove_prefix(2);
      return value;
    }
    for (const std::string_view operation : {"+", "-", "*", "/", "%", "|", "&", "^", ""}) {
      const std::string_view rest = text_.substr(std::min(operation.size(), text_.size()));
      if (!text_.starts_with(operation) || !rest.starts_with('=') || rest.starts_with("==")) {
        continue;
      }
      text_ = rest.substr(1);
      TRY(std::int64_t right, expression(kTernary));
      if (!operation.empty()) {
        TRY(right, apply(operation, value, right));
      }
      return assign(name, right);
    }
    return value;
  }

  std::string_view text_;
  Shell* shell_;
  int depth_ = 0;
};

}  // namespace

Result<std::int64_t> evaluate_arithmetic(std::string_view expression, Shell* shell) {
  return Evaluator(expression, shell).run();
}

}  // namespace simdroid
