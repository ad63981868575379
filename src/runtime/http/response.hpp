#pragma once
// An answer as the routes give it, its head as it goes out, and server-sent events as text.

#include "base/async/task.hpp"
#include "runtime/http/request.hpp"

namespace clawperator::http {

// Writes a long answer (server-sent events).
class BodyWriter {
 public:
  virtual ~BodyWriter() = default;
  // Waits for a slow reader; one write at a time. Fails with errc::deadline_exceeded when the
  // reader is too slow, with errc::closed or errc::io when it is gone; nothing can be written from
  // then on.
  virtual Task<void> write(std::string_view bytes) = 0;
};

struct Response {
  int status = 200;
  std::string content_type = "application/json; charset=utf-8";
  std::string body{};
  std::vector<std::pair<std::string, std::string>> headers{};
  // Where this is set the answer has no length: the head goes out at once, this writes the body
  // until it returns, and the connection closes. It is cancelled when the reader leaves.
  std::function<Task<void>(BodyWriter*)> stream{};
  bool outlasts_stop = false;  // a stream that a server which ends waits for, as for any answer
};

// {"ok":false,"error":{"code":...,"message":...}}
Response error_response(int status, std::string_view code, std::string_view message);

// The answer with an ETag of its body; 304 without the body where the client has just that one.
Response with_etag(const Request& request, Response answer);

// Responses with some statuses have no body.
bool carries_body(const Response& response);

// `connection` is the header of that name; none where it is empty.
std::string encode_head(const Response& response, std::string_view connection);

inline constexpr std::string_view kEventStream = "text/event-stream";

// A server-sent event as text:
//
//   id: 7
//   event: heartbeat
//   data: {"code":"CONNECTED"}
//   (empty line)
//
// Data of several lines becomes several data lines. A name ends at its first line end.
std::string event_frame(std::optional<std::uint64_t> id, std::string_view name,
                        std::string_view data);

// A line that clients skip; it keeps an idle connection alive.
std::string comment_frame(std::string_view text);

// The value of the Last-Event-ID header, where it is an id of ours.
std::optional<std::uint64_t> last_event_id(const Request& request);

}  // namespace clawperator::http
