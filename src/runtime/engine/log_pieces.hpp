#pragma once
// How the app's logger, the device's log daemon and logcat split one message, and how to recognise
// that.
//
//   logger     4000 UTF-16 units or more: one entry per line, longer lines in pieces of 4000
//   logd       an entry is priority, tag NUL, message NUL in 4068 bytes; the rest is cut off
//   logd 8-11  the middle ones of equal successive entries become one of the tag "chatty"
//   logcat     text formats print each line of a message as a line of its own

#include "base/prelude.hpp"

namespace clawperator {

// Exactly 4000 units, after which the logger cuts, and no half character at the end.
bool is_full_piece(std::string_view message);

// The entry is full: its message may have been cut.
bool fills_entry(std::size_t tag_size, std::size_t message_size);

// The logger also cuts between the halves of a surrogate pair, and each half then comes as three
// bytes of its own. Takes the second half off `piece` when it completes the end of `text`.
void join_halves(std::string& text, std::string_view& piece);

// "uid=10099(u0_a99) worker identical 3 lines": as many copies of the entry before it. "expire":
// as many lines were thrown away.
struct Fold {
  enum class Kind { identical, expired };
  Kind kind = Kind::identical;
  std::size_t lines = 0;
};
std::optional<Fold> parse_fold(std::string_view tag, std::string_view message);

// "[Clawperator-Result] {json}" is "Result" and " {json}". The app is called Androperator
// since 1.0.
struct AppLine {
  std::string_view kind;  // Result, Result-Chunk, Publication, Command, Event
  std::string_view rest;
};
std::optional<AppLine> parse_app_line(std::string_view message);

// "[Clawperator-Command] start commandId=c-1 taskId=t-1": the verb, and what follows "commandId=".
struct CommandMark {
  std::string_view verb;
  std::string_view rest;

  [[nodiscard]] bool names(std::string_view command_id) const;
  // Up to its taskId; an id that holds spaces may be cut.
  [[nodiscard]] std::string_view command_id() const;
};
std::optional<CommandMark> parse_command_mark(const AppLine& line);

// Where one step of the plan is: "stage-retry commandId=c-1 taskId=t-1 id=click attempt=1/3" is
// "retry", "click", "attempt=1/3". The app's `id` is the name of an operation, not a step's id.
struct Stage {
  std::string_view name;  // start, retry, success, failure
  std::string_view operation;
  std::string_view detail;
};
// nullopt for a mark of the whole command.
std::optional<Stage> parse_stage(const CommandMark& mark);

// Whether `text` contains `id` as a whole word.
bool names_whole(std::string_view text, std::string_view id);

// The value of the top-level member "commandId" of a JSON object that may continue beyond `text`.
std::optional<std::string> find_command_id(std::string_view text);

// Finds the end of a JSON object whose text arrives in pieces; reads every byte once.
class JsonExtent {
 public:
  void feed(std::string_view piece);
  [[nodiscard]] bool closed() const { return opened_ && depth_ == 0; }
  // Whether the next byte is in a string.
  [[nodiscard]] bool in_string() const { return in_string_; }
  [[nodiscard]] std::size_t depth() const { return depth_; }

 private:
  std::size_t depth_ = 0;
  bool opened_ = false;
  bool in_string_ = false;
  bool escaped_ = false;
};

}  // namespace clawperator
