#pragma once
// An answer as the routes give it, and its head as it goes out.

#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "adbproto/link/task.hpp"

namespace clawperator::http {

// What a long answer is written to (server-sent events).
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

// Some statuses have no body, whatever the answer says.
bool carries_body(const Response& response);

// `connection` is the header of that name; none where it is empty.
std::string encode_head(const Response& response, std::string_view connection);

}  // namespace clawperator::http
