#pragma once
// Requests out of a connection's bytes. No I/O; chunk borders carry no meaning.
//
//   more --feed--> ... --> head --limit_body--> more ... --> complete --take--> more
//
// A refusal is final: it is what the peer gets before the connection closes. Stricter than Beast,
// whose parser does the parsing: one Host, one framing, no folded lines, everything bounded.

#include <expected>

#include "base/byte_queue.hpp"
#include "runtime/http/limits.hpp"
#include "runtime/http/request_parser.hpp"
#include "runtime/http/response.hpp"

namespace clawperator::http {

enum class Progress { more, head, complete };

class RequestReader {
 public:
  // `peer` is the sender.
  explicit RequestReader(const Limits& limits, const Peer* peer = nullptr);

  void feed(ByteView bytes) { buffer_.append(bytes); }

  // more: feed more. head: once a request, as soon as its head is there; limit_body comes next.
  // complete: take comes next.
  std::expected<Progress, Response> next();

  [[nodiscard]] const Request& head() const { return request_; }
  // Does the peer wait for `100 Continue` before it sends the body?
  [[nodiscard]] bool expects_continue() const { return expects_continue_; }
  // Whether another request may follow this one, and whether the response must announce it
  // (`Connection: keep-alive`).
  [[nodiscard]] bool keep_alive() const { return keep_alive_; }
  [[nodiscard]] bool is_http_1_0() const { return version_ == 10; }

  void limit_body(std::size_t limit);

  Request take();

  // Nothing of a further request has come.
  [[nodiscard]] bool is_idle() const { return stage_ == Stage::head && buffer_.empty(); }

 private:
  enum class Stage { head, limit, body, complete };

  std::expected<Progress, Response> read_head();
  std::expected<Progress, Response> read_body();
  // One past the empty line.
  std::expected<std::optional<std::size_t>, Response> find_end_of_head();
  std::optional<Response> take_head(ParsedHead head);

  Limits limits_;
  const Peer* peer_;
  ByteQueue buffer_{};
  Stage stage_ = Stage::head;
  std::size_t scanned_ = 0;  // of the head
  RequestParser parser_{};
  Request request_{};
  std::optional<std::uint64_t> content_length_{};
  std::size_t body_limit_ = 0;
  int version_ = 11;
  bool chunked_ = false;
  bool keep_alive_ = true;
  bool expects_continue_ = false;
};

}  // namespace clawperator::http
