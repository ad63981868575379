#pragma once
// The codes of errors. Each room declares its codes in an errc.hpp of its own: one ErrorCode, which
// is the published row, and its place in the room's list. docs/reference/errors.md is made of all
// lists.
//
//   return fail(errc::limit, "...");        error.code() == errc::limit error.code()->http_status

#include "base/prelude.hpp"

namespace base {

// Identified by its address: there is one of each, so it cannot be copied.
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

// The codes of a room.
using ErrorList = std::span<const ErrorCode* const>;

constexpr bool is_in(Errc code, ErrorList list) {
  for (const ErrorCode* each : list) {
    if (code == *each) return true;
  }
  return false;
}

// The errors of codecs, machines and links. For a peer's bytes a codec returns `protocol`, `limit`
// or, for its FAIL, `refused`; for our caller's `invalid_argument`.
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
                                  "The peer ended a stream before its answer was whole."};
inline constexpr ErrorCode io{"IO_ERROR", 500,
                              "The operating system refused; the message has its text."};
inline constexpr ErrorCode protocol{"PROTOCOL_ERROR", 500,
                                    "The peer sent what its protocol does not allow."};
inline constexpr ErrorCode limit{"LIMIT_EXCEEDED", 500,
                                 "A peer's answer or our input is beyond a fixed bound."};
inline constexpr ErrorCode refused{"PEER_REFUSED", 500, "The adb server or the device said no."};
inline constexpr ErrorCode unsupported{"UNSUPPORTED", 500,
                                       "The peer lacks a feature that this needs."};
inline constexpr ErrorCode invalid_argument{"INVALID_ARGUMENT", 500, "An argument cannot be used."};
inline constexpr ErrorCode usage{"USAGE", 400, "The command line does not parse."};
inline constexpr ErrorCode not_implemented{"NOT_IMPLEMENTED", 501,
                                           "Known, and left out on purpose."};
inline constexpr ErrorCode file_unreadable{"FILE_UNREADABLE", 400, "A named file cannot be read."};
inline constexpr ErrorCode file_write_failed{"FILE_WRITE_FAILED", 500,
                                             "An output file cannot be written."};
inline constexpr ErrorCode unknown{"UNKNOWN", 500,
                                   "A failure without a code of its own: a defect, please report."};
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
