#pragma once
// Server-sent events as text, and where a client that comes back left off.
//
//   id: 7
//   event: heartbeat
//   data: {"code":"CONNECTED"}
//   (empty line)

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "runtime/http/request.hpp"

namespace clawperator::http {

inline constexpr std::string_view kEventStream = "text/event-stream";

// Data of several lines becomes several data lines. A name ends at its first line end.
std::string event_frame(std::optional<std::uint64_t> id, std::string_view name,
                        std::string_view data);

// What clients skip; it keeps an idle connection alive.
std::string comment_frame(std::string_view text);

// What the Last-Event-ID header says, where it is an id of ours.
std::optional<std::uint64_t> last_event_id(const Request& request);

}  // namespace clawperator::http
