#pragma once
// From a parsed word to arguments: variables, command substitution, arithmetic, field splitting,
// file name patterns, in this order.

#include <string>
#include <vector>

#include "simdroid/userland/shell.hpp"

namespace simdroid {

struct Field;  // one argument in the making

class WordExpander {
 public:
  WordExpander(Shell* shell, Io io) : shell_(shell), io_(std::move(io)) {}

  // Any number of fields. `word` must outlive the task.
  Task<std::vector<std::string>> fields(const Word* word);
  // Exactly one, nothing split: assignments, redirections.
  Task<std::string> single(const Word* word);
  // The same as a pattern: quoted characters are literal.
  Task<std::string> pattern(const Word* word);

 private:
  Task<std::string> value(const WordPart* part);
  Task<std::string> variable(const WordPart* part);
  static bool is_present(const WordPart* part, const std::optional<std::string>& found);
  Task<void> part_fields(const WordPart* part, std::vector<Field>* done, Field* open);
  Task<void> operand_fields(const WordPart* part, std::vector<Field>* done, Field* open);
  [[nodiscard]] std::optional<std::string> lookup(const std::string& name) const;
  void split(std::string_view text, std::vector<Field>* done, Field* open) const;
  void finish(Field* field, std::vector<Field>* done) const;
  [[nodiscard]] std::vector<std::string> expand_pattern(const Field& field) const;

  Shell* shell_;
  Io io_;
};

// "1 + 2 * (y - 3) < 4 && !z"; unknown names are 0. errc::invalid_argument if it makes no sense.
Result<std::int64_t> evaluate_arithmetic(std::string_view expression, const Shell* shell);

}  // namespace simdroid
