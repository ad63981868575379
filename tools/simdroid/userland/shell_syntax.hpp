#pragma once
// A shell script as a tree, and the parser that makes it.
//
//   list      := and_or { (';' | '&' | newline) and_or }
//   and_or    := pipeline { ('&&' | '||') pipeline }
//   pipeline  := ['!'] command { '|' command }
//   command   := (simple | '(' list ')' | '{' list '}' | if | while | for | case | f()) { redirect
//   }
//
// The part of the language that callers of `adb shell` use: no here-documents, [[ ]] and (( )).

#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/error.hpp"

namespace simdroid {

// Quoted parts are never split into fields nor globbed.
struct WordPart {
  enum class Kind { literal, variable, command, arithmetic };
  Kind kind = Kind::literal;
  std::string text;  // literal text, variable name, script or expression
  bool quoted = false;
  std::string operation;  // of ${name<operation>operand}: "", ":-", "-", ":+", "+", "#", "##",
                          // "%", "%%", or "length"
  std::string operand;    // itself still to be expanded
};

struct Word {
  std::vector<WordPart> parts;
};

struct Redirect {
  enum class Kind { read, write, append, duplicate };
  int fd = 1;
  Kind kind = Kind::write;
  Word target;  // a path; of duplicate: the number of the other descriptor
};

struct Assignment {
  std::string name;
  Word value;
};

struct CommandNode;
struct PipelineNode {
  bool negated = false;
  std::vector<CommandNode> commands;
};
enum class Joint { first, on_success, on_failure };
struct AndOrNode {
  struct Link {
    Joint joint = Joint::first;
    PipelineNode pipeline;
  };
  std::vector<Link> links;
  bool background = false;
};
struct ListNode {
  std::vector<AndOrNode> items;
};

struct SimpleNode {
  std::vector<Assignment> assignments;
  std::vector<Word> words;
};
struct IfNode {
  struct Branch {
    ListNode condition;
    ListNode body;
  };
  std::vector<Branch> branches;
  ListNode otherwise;
};
struct LoopNode {
  ListNode condition;
  ListNode body;
};
struct ForNode {
  std::string variable;
  std::vector<Word> words;
  ListNode body;
};
struct CaseNode {
  struct Branch {
    std::vector<Word> patterns;
    ListNode body;
  };
  Word subject;
  std::vector<Branch> branches;
};
struct FunctionNode {
  std::string name;
  std::shared_ptr<CommandNode> body;
};
struct GroupNode {
  bool subshell = false;
  ListNode body;
};
struct CommandNode {
  std::variant<SimpleNode, IfNode, LoopNode, ForNode, CaseNode, FunctionNode, GroupNode> what;
  std::vector<Redirect> redirects;
};

// errc::closed: the text ends in the middle of something (more lines may complete it).
// errc::invalid_argument: a syntax error; the message is what the shell prints after its name.
Result<ListNode> parse_script(std::string_view text);

// The inside of double quotes: variables and commands are found, nothing is split.
Result<Word> parse_quoted(std::string_view text);
// One word up to the text's end, in which blanks and operators mean nothing.
Result<Word> parse_operand(std::string_view text);

}  // namespace simdroid
