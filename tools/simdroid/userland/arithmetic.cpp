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
constexpr Operator kOperators[] = {{"||", 1}, {"&&", 2}, {"==", 3}, {"!=", 3}, {"<=", 4},
                                   {">=", 4}, {"<", 4},  {">", 4},  {"+", 5},  {"-", 5},
                                   {"*", 6},  {"/", 6},  {"%", 6}};
constexpr int kTightest = 7;
constexpr int kDeepestExpression = 50;

std::int64_t negative(std::int64_t value) {
  return static_cast<std::int64_t>(0 - static_cast<std::uint64_t>(value));
}

Result<std::int64_t> apply(std::string_view what, std::int64_t left, std::int64_t right) {
  const auto a = static_cast<std::uint64_t>(left);
  const auto b = static_cast<std::uint64_t>(right);
  if (what == "+") return static_cast<std::int64_t>(a + b);
  if (what == "-") return static_cast<std::int64_t>(a - b);
  if (what == "*") return static_cast<std::int64_t>(a * b);
  if (what == "||") return left != 0 || right != 0;
  if (what == "&&") return left != 0 && right != 0;
  if (what == "==") return left == right;
  if (what == "!=") return left != right;
  if (what == "<=") return left <= right;
  if (what == ">=") return left >= right;
  if (what == "<") return left < right;
  if (what == ">") return left > right;
  if (right == 0) return fail(errc::invalid_argument, "zero divisor");
  if (right == -1) return what == "/" ? negative(left) : 0;
  return what == "/" ? left / right : left % right;
}

class Evaluator {
 public:
  Evaluator(std::string_view text, const Shell* shell) : text_(text), shell_(shell) {}

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

  // Nothing that changes a variable: there is no x=1, x++ or --x.
  const Operator* next_operator() {
    skip();
    if (text_.starts_with("--")) return nullptr;
    for (const Operator& known : kOperators) {
      if (text_.starts_with(known.text)) return &known;
    }
    return nullptr;
  }

  Result<std::int64_t> expression(int level) {
    if (++depth_ > kDeepestExpression) return bad();
    TRY(std::int64_t left, primary());
    while (const Operator* found = next_operator()) {
      if (found->level < level) break;
      text_.remove_prefix(found->text.size());
      TRY(const std::int64_t right, expression(found->level + 1));
      TRY(left, apply(found->text, left, right));
    }
    --depth_;
    return left;
  }

  Result<std::int64_t> primary() {
    skip();
    if (text_.empty() || text_.starts_with("--")) return bad();
    const char first = text_.front();
    if (std::isdigit(static_cast<unsigned char>(first))) return number(&text_);
    if (std::isalpha(static_cast<unsigned char>(first)) || first == '_') return name();
    if (!std::string_view("(-!").contains(first)) return bad();
    text_.remove_prefix(1);
    TRY(const std::int64_t value, expression(first == '(' ? 0 : kTightest));
    if (first == '-') return negative(value);
    if (first == '!') return value == 0;
    skip();
    if (!text_.starts_with(')')) return bad();
    text_.remove_prefix(1);
    return value;
  }

  Result<std::int64_t> number(std::string_view* text) const {
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), value);
    if (error != std::errc()) return bad();
    text->remove_prefix(static_cast<std::size_t>(end - text->data()));
    return value;
  }

  // A variable is a number or empty.
  Result<std::int64_t> name() {
    std::size_t size = 0;
    while (size < text_.size() &&
           (std::isalnum(static_cast<unsigned char>(text_[size])) || text_[size] == '_')) {
      ++size;
    }
    const std::string value = shell_->variable(text_.substr(0, size));
    text_.remove_prefix(size);
    if (value.empty()) return 0;
    std::string_view rest = value;
    TRY(const std::int64_t number, this->number(&rest));
    if (rest.empty()) return number;
    return fail(errc::invalid_argument, "unexpected '" + value + "'");
  }

  std::string_view text_;
  const Shell* shell_;
  int depth_ = 0;
};

}  // namespace

Result<std::int64_t> evaluate_arithmetic(std::string_view expression, const Shell* shell) {
  return Evaluator(expression, shell).run();
}

}  // namespace simdroid
