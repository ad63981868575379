#pragma once
// The lower half of the shell's parser: a cursor over the text that takes blanks, operators,
// keywords, words with their quotes and expansions, and redirections.

#include <optional>
#include <string>
#include <string_view>

#include "simdroid/userland/shell_syntax.hpp"

namespace simdroid {

class ShellWords {
 public:
  explicit ShellWords(std::string_view text) : text_(text) {}

  [[nodiscard]] bool at_end() const { return at_ >= text_.size(); }
  [[nodiscard]] bool at_newline() const { return !at_end() && text_[at_] == '\n'; }

  void skip_blanks();       // spaces, tabs, joined lines, a comment
  void skip_blank_lines();  // and newlines

  // The operator at the cursor ("&&", "|", "(", ...) or nothing; redirections are no operators.
  [[nodiscard]] std::string_view peek_operator() const;
  // The unquoted word at the cursor, for keywords and messages.
  [[nodiscard]] std::string_view peek_plain() const;
  bool take_operator(std::string_view text);
  bool take_keyword(std::string_view text);
  bool take_newline();
  std::string_view take_name();
  // "name ()" at the cursor: the name; empty: no such text.
  std::string_view take_function_name();

  Result<Word> take_word();
  Result<Word> take_quoted_rest();
  Result<Word> take_operand_rest();
  Result<std::optional<Assignment>> take_assignment();
  Result<std::optional<Redirect>> take_redirect();

 private:
  [[nodiscard]] std::string_view rest() const { return text_.substr(std::min(at_, text_.size())); }
  Result<void> word_piece(Word* word);
  Result<void> single_quotes(Word* word);
  Result<void> double_quotes(Word* word);
  Result<void> dollar(Word* word, bool quoted);
  Result<void> braces(Word* word, bool quoted);
  [[nodiscard]] Result<std::size_t> closing_brace(std::size_t from, bool quotes) const;
  Result<void> command(Word* word, bool quoted);
  Result<void> arithmetic(Word* word, bool quoted);
  Result<void> backquotes(Word* word, bool quoted);
  Result<std::size_t> matching_parenthesis(std::size_t from) const;

  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace simdroid
