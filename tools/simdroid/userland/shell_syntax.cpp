#include "simdroid/userland/shell_syntax.hpp"

#include <algorithm>

#include "simdroid/userland/shell_words.hpp"

namespace simdroid {
namespace {

constexpr int kDeepestNesting = 40;

constexpr std::string_view kClosers[] = {"then", "else", "elif", "fi", "do", "done", "}", "esac"};

class Parser {
 public:
  explicit Parser(std::string_view text) : words_(text) {}

  Result<ListNode> script() {
    TRY(ListNode list, this->list());
    if (!words_.at_end()) return unexpected();
    return list;
  }

 private:
  std::unexpected<Error> unexpected() {
    if (words_.at_end()) return fail(errc::closed, "syntax error: unexpected end of file");
    std::string token(words_.peek_operator());
    if (token.empty()) token = std::string(words_.peek_plain());
    return fail(errc::invalid_argument, "syntax error: unexpected '" + token + "'");
  }

  Result<void> expect(std::string_view keyword) {
    words_.skip_blank_lines();
    if (words_.take_keyword(keyword)) return ok();
    return unexpected();
  }

  [[nodiscard]] bool at_list_end() const {
    const std::string_view next = words_.peek_operator();
    if (words_.at_end() || next == ")" || next == ";;") return true;
    return std::ranges::find(kClosers, words_.peek_plain()) != std::end(kClosers);
  }

  Result<ListNode> list() {
    if (++depth_ > kDeepestNesting) {
      return fail(errc::invalid_argument, "syntax error: nested too deeply");
    }
    ListNode list;
    words_.skip_blank_lines();
    while (!at_list_end()) {
      TRY(AndOrNode item, and_or());
      words_.skip_blanks();
      if (words_.take_operator("&")) {
        item.background = true;
      } else if (!words_.take_operator(";") && !words_.take_newline() && !at_list_end()) {
        return unexpected();
      }
      list.items.push_back(std::move(item));
      words_.skip_blank_lines();
    }
    --depth_;
    return list;
  }

  Result<AndOrNode> and_or() {
    AndOrNode chain;
    Joint joint = Joint::first;
    while (true) {
      TRY(PipelineNode next, pipeline());
      chain.links.push_back({joint, std::move(next)});
      words_.skip_blanks();
      if (words_.take_operator("&&")) {
        joint = Joint::on_success;
      } else if (words_.take_operator("||")) {
        joint = Joint::on_failure;
      } else {
        return chain;
      }
      words_.skip_blank_lines();
    }
  }

  Result<PipelineNode> pipeline() {
    PipelineNode result;
    words_.skip_blanks();
    result.negated = words_.take_keyword("!");
    while (true) {
      TRY(CommandNode next, command());
      result.commands.push_back(std::move(next));
      words_.skip_blanks();
      if (!words_.take_operator("|")) return result;
      words_.skip_blank_lines();
    }
  }

  Result<CommandNode> command() {
    words_.skip_blanks();
    CommandNode result;
    if (const std::string_view name = words_.take_function_name(); !name.empty()) {
      TRY(result.what, function(name));
      return result;
    }
    if (words_.take_operator("(")) {
      if (words_.peek_operator() == "(") return unexpected();  // mksh takes (( for arithmetic
      TRY(result.what, group(true));
    } else if (words_.take_keyword("{")) {
      TRY(result.what, group(false));
    } else if (words_.take_keyword("if")) {
      TRY(result.what, if_command());
    } else if (words_.take_keyword("while")) {
      TRY(result.what, loop());
    } else if (words_.take_keyword("for")) {
      TRY(result.what, for_command());
    } else if (words_.take_keyword("case")) {
      TRY(result.what, case_command());
    } else {
      return simple();
    }
    TRY_VOID(redirects(&result));
    return result;
  }

  Result<void> redirects(CommandNode* command) {
    while (true) {
      words_.skip_blanks();
      TRY(auto redirect, words_.take_redirect());
      if (!redirect) return ok();
      command->redirects.push_back(std::move(*redirect));
    }
  }

  Result<CommandNode> simple() {
    CommandNode result;
    SimpleNode simple;
    while (true) {
      TRY_VOID(redirects(&result));
      if (words_.at_end() || words_.at_newline() || !words_.peek_operator().empty()) break;
      if (simple.words.empty()) {
        TRY(auto assignment, words_.take_assignment());
        if (assignment) {
          simple.assignments.push_back(std::move(*assignment));
          continue;
        }
      }
      TRY(Word word, words_.take_word());
      simple.words.push_back(std::move(word));
    }
    if (simple.words.empty() && simple.assignments.empty() && result.redirects.empty()) {
      return unexpected();
    }
    result.what = std::move(simple);
    return result;
  }

  Result<FunctionNode> function(std::string_view name) {
    words_.skip_blank_lines();
    FunctionNode result{std::string(name), std::make_shared<CommandNode>()};
    TRY(*result.body, command());
    return result;
  }

  Result<CaseNode> case_command() {
    CaseNode result;
    words_.skip_blanks();
    if (words_.at_end()) return unexpected();
    TRY(result.subject, words_.take_word());
    TRY_VOID(expect("in"));
    while (words_.skip_blank_lines(), !words_.take_keyword("esac")) {
      if (words_.at_end()) return unexpected();
      TRY(auto branch, case_branch());
      result.branches.push_back(std::move(branch));
      words_.skip_blanks();
      if (words_.take_operator(";;")) continue;
      TRY_VOID(expect("esac"));
      break;
    }
    return result;
  }

  Result<CaseNode::Branch> case_branch() {
    CaseNode::Branch branch;
    words_.take_operator("(");
    do {
      words_.skip_blanks();
      TRY(Word pattern, words_.take_word());
      branch.patterns.push_back(std::move(pattern));
      words_.skip_blanks();
    } while (words_.take_operator("|"));
    if (!words_.take_operator(")")) return unexpected();
    TRY(branch.body, list());
    return branch;
  }

  Result<GroupNode> group(bool subshell) {
    GroupNode result;
    result.subshell = subshell;
    TRY(result.body, list());
    if (!subshell) {
      TRY_VOID(expect("}"));
    } else if (!words_.take_operator(")")) {
      return unexpected();
    }
    return result;
  }

  Result<IfNode> if_command() {
    IfNode result;
    do {
      IfNode::Branch branch;
      TRY(branch.condition, list());
      TRY_VOID(expect("then"));
      TRY(branch.body, list());
      result.branches.push_back(std::move(branch));
    } while (words_.take_keyword("elif"));
    if (words_.take_keyword("else")) {
      TRY(result.otherwise, list());
    }
    TRY_VOID(expect("fi"));
    return result;
  }

  Result<LoopNode> loop() {
    LoopNode result;
    TRY(result.condition, list());
    TRY(result.body, body());
    return result;
  }

  Result<ListNode> body() {
    TRY_VOID(expect("do"));
    TRY(ListNode result, list());
    TRY_VOID(expect("done"));
    return result;
  }

  Result<ForNode> for_command() {
    ForNode result;
    words_.skip_blanks();
    result.variable = std::string(words_.take_name());
    if (result.variable.empty()) return unexpected();
    words_.skip_blanks();
    if (words_.take_keyword("in")) {
      while (words_.skip_blanks(),
             !words_.at_end() && !words_.at_newline() && words_.peek_operator().empty()) {
        TRY(Word word, words_.take_word());
        result.words.push_back(std::move(word));
      }
    }
    if (!words_.take_operator(";")) words_.skip_blank_lines();
    TRY(result.body, body());
    return result;
  }

  ShellWords words_;
  int depth_ = 0;
};

}  // namespace

Result<ListNode> parse_script(std::string_view text) { return Parser(text).script(); }

Result<Word> parse_quoted(std::string_view text) { return ShellWords(text).take_quoted_rest(); }

Result<Word> parse_operand(std::string_view text) { return ShellWords(text).take_operand_rest(); }

}  // namespace simdroid
