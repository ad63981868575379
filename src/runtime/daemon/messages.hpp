#pragma once
// The messages of the daemon's socket, as JSON. Pure.

#include <map>

#include "base/error.hpp"
#include "runtime/engine/engine.hpp"

namespace clawperator::daemon {

// Must be the same on both sides, else the command runs by itself: the program's version, and the
// variables and options that decide what a command finds and where it writes.
struct Surface {
  std::string version;
  std::map<std::string, std::string> settings;

  bool operator==(const Surface&) const = default;
};

struct DaemonRequest {
  Surface surface;
  ExecuteRequest request;     // without its callbacks
  bool wants_events = false;  // `event` and `stage` frames
};

// `dispatch_id`: what the first dispatch goes by; the client can name it when the other side is
// gone.
std::string encode_request(const Surface& surface, const ExecuteRequest& request,
                           const std::string& dispatch_id);
// Fails with `protocol`, or as parse_execution does.
Result<DaemonRequest> decode_request(std::string_view text);

// Without the picture.
std::string encode_result(const ExecuteResult& result);
Result<ExecuteResult> decode_result(std::string_view text);

std::string encode_error(const Error& error);
Result<Error> decode_error(std::string_view text);

}  // namespace clawperator::daemon
