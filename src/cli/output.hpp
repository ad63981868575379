#pragma once
// The process's own two streams. stdout gets exactly one answer; everything else is stderr's.

#include "base/error.hpp"
#include "cli/grammar/command.hpp"
#include "cli/grammar/globals.hpp"

namespace clawperator::cli {

enum class Stream { out = 1, err = 2 };

// All of it, however the kernel splits it. False when the reader has gone or the disk is full.
bool write_all(Stream stream, std::string_view bytes);

// The same, but false as soon as the reader takes nothing for `patience`: for progress
// lines.
bool write_patiently(Stream stream, std::string_view bytes, std::chrono::milliseconds patience);

// What a device had a say in, for one of the streams: printable (people.hpp) on a terminal, as it
// is elsewhere. In a line a line feed is not printable either.
std::string line_for(Stream stream, std::string line);
std::string text_for(Stream stream, std::string_view text);

// A line (or lines) on stderr; foreign text in it is made printable.
void print_warning(std::string_view text);

// Prints the answer; returns the exit code, which is 1 if the answer could not be written.
int print_answer(Answer answer, OutputMode mode);

// Prints the published error object; returns its exit code.
int print_error(const Error& error, OutputMode mode, Stream stream = Stream::out);

}  // namespace clawperator::cli
