#pragma once
// How adb's users name a device, and adb's sentences about one that is not there: what the resolver
// of runtime/device is handed to choose for `clawperator adb`.

#include "cli/adb/adb_command.hpp"
#include "runtime/device/choice/choice.hpp"

namespace clawperator::cli {

// As the adb server lets devices be named: also by devpath, "product:X", "model:X", "device:X", and
// HOST for HOST:5555. A transport id goes before a serial, a serial before -d and -e. Properties
// name only what a server lists: a phone on a direct route tells them once it is open.
extern const Dialect kAdbDialect;

// As the server writes and compares a property, whose blanks would end the word: "Pixel 6" is
// model:Pixel_6.
std::string one_word(std::string property);

Question adb_question(const AdbContext& context, Readiness readiness);

// The adb server's sentence for a failure that it has one for.
Error in_adb_words(const Question& question, const Error& error);

}  // namespace clawperator::cli
