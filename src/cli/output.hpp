#pragma once
// The process's two output streams. stdout gets exactly one answer; all other output goes to
// stderr.

#include "base/error.hpp"
#include "cli/grammar/command.hpp"
#include "cli/grammar/globals.hpp"

namespace clawperator::cli {

enum class Stream { out = 1, err = 2 };

// Writes all bytes in as many parts as needed. False when the reader is gone or the disk is full.
bool write_all(Stream stream, std::string_view bytes);

// The same, but false as soon as the reader takes nothing for `patience`: for progress lines.
bool write_patiently(Stream stream, std::string_view bytes, std::chrono::milliseconds patience);

// Text with a device's part in it, for one of the streams: printable (pretty_printer.hpp) on a
// terminal, unchanged elsewhere. A line feed inside a line is replaced, too.
std::string line_for(Stream stream, std::string line);
std::string text_for(Stream stream, std::string_view text);

// Prints one or more lines to stderr; foreign text in them is made printable.
void print_warning(std::string_view text);

// Prints the answer; returns the exit code, which is 1 if the answer cannot be written.
int print_answer(Answer answer, OutputMode mode);

// Prints the published error object; returns its exit code.
int print_error(const Error& error, OutputMode mode, Stream stream = Stream::out);

}  // namespace clawperator::cli
