#pragma once
// Error codes. Each folder declares its codes in its own errc.hpp: an ErrorCode, which is the
// published row, and its place in the folder's list. docs/reference/errors.md is generated from all
// lists.
//
//   return fail(errc::limit, "...");        error.code() == errc::limit error.code()->http_status

#include "base/prelude.hpp"

namespace base {

// A code is identified by its address: each exists once, so it cannot be copied.
class ErrorCode {
 public:
  consteval ErrorCode(std::string_view spelling, int status, std::string_view sentence,
                      int exit = 1)
      : published(spelling), exit_code(exit), http_status(status), meaning(sentence) {}
  ~ErrorCode() = default;
  ErrorCode(const ErrorCode&) = delete;
  ErrorCode& operator=(const ErrorCode&) = delete;

  std::string_view published;  // e.g. "DEVICE_NOT_FOUND"
  int exit_code;
  int http_status;
  std::string_view meaning;  // one sentence for docs/reference/errors.md
};

class Errc {
 public:
  // NOLINTNEXTLINE(google-explicit-constructor, hicpp-explicit-conversions): a code is an
  // ErrorCode's name
  constexpr Errc(const ErrorCode& code) : code_(&code) {}
  constexpr const ErrorCode* operator->() const { return code_; }
  constexpr bool operator==(const Errc&) const = default;

 private:
  const ErrorCode* code_;
};

// The codes of one folder.
using ErrorList = std::span<const ErrorCode* const>;

constexpr bool is_in(Errc code, ErrorList list) {
  for (const ErrorCode* each : list) {
    if (code == *each) return true;
  }
  return false;
}

// The errors of codecs, machines and links. A codec returns `protocol`, `limit` or `refused` (for a
// FAIL) for a peer's bytes, and `invalid_argument` for its caller's.
namespace errc {

// NOLINTBEGIN(readability-identifier-naming): they read like the enumerators that they stand for.
inline constexpr ErrorCode cancelled{
    "CANCELLED", 500,
    "The work was stopped from outside before its end: 130 by SIGINT, 143 by SIGTERM, 129 by "
    "SIGHUP.",
    130};
inline constexpr ErrorCode deadline_exceeded{"COMMAND_TIMEOUT", 504,
                                             "The peer did not answer in time."};
inline constexpr ErrorCode closed{"STREAM_CLOSED", 500,
                                  "The peer ended a stream before its answer was complete."};
inline constexpr ErrorCode io{
    "IO_ERROR", 500, "The operating system reported an error; the message contains its text."};
inline constexpr ErrorCode protocol{"PROTOCOL_ERROR", 500,
                                    "The peer sent data that its protocol does not allow."};
inline constexpr ErrorCode limit{"LIMIT_EXCEEDED", 500,
                                 "A peer's answer or our input exceeds a fixed limit."};
inline constexpr ErrorCode refused{"PEER_REFUSED", 500,
                                   "The adb server or the device refused the request."};
inline constexpr ErrorCode unsupported{"UNSUPPORTED", 500,
                                       "The peer lacks a feature that the request needs."};
inline constexpr ErrorCode invalid_argument{"INVALID_ARGUMENT", 500, "An argument is not usable."};
inline constexpr ErrorCode usage{"USAGE", 400, "The command line cannot be parsed."};
inline constexpr ErrorCode not_implemented{
    "NOT_IMPLEMENTED", 501, "This feature is known and deliberately not implemented."};
inline constexpr ErrorCode file_unreadable{"FILE_UNREADABLE", 400, "A named file cannot be read."};
inline constexpr ErrorCode file_write_failed{"FILE_WRITE_FAILED", 500,
                                             "An output file cannot be written."};
inline constexpr ErrorCode unknown{
    "UNKNOWN", 500, "A failure without its own code. This is a defect: please report it."};
// NOLINTEND(readability-identifier-naming)

}  // namespace errc

inline constexpr const ErrorCode* kBaseErrors[] = {&errc::cancelled,
                                                   &errc::deadline_exceeded,
                                                   &errc::closed,
                                                   &errc::io,
                                                   &errc::protocol,
                                                   &errc::limit,
                                                   &errc::refused,
                                                   &errc::unsupported,
                                                   &errc::invalid_argument,
                                                   &errc::usage,
                                                   &errc::not_implemented,
                                                   &errc::file_unreadable,
                                                   &errc::file_write_failed,
                                                   &errc::unknown};

}  // namespace base
