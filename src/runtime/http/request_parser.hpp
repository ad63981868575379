#pragma once
// Boost.Beast's request parser behind our own types: its headers compile for long and are included
// in request_parser.cpp only. Beast parses requests; RequestReader checks the parts where Beast is
// too lenient.

#include <expected>

#include "runtime/http/request.hpp"

namespace clawperator::http {

enum class ParseFault { syntax, transfer_encoding, body_limit };

struct ParsedHead {
  std::string method;
  std::string target;
  int version = 11;  // 10 or 11
  Request::Pairs headers;
  bool keep_alive = false;
  bool chunked = false;
  std::optional<std::uint64_t> content_length;
};

// For one request.
class RequestParser {
 public:
  RequestParser();
  ~RequestParser();
  RequestParser(RequestParser&&) noexcept;
  RequestParser& operator=(RequestParser&&) noexcept;
  RequestParser(const RequestParser&) = delete;
  RequestParser& operator=(const RequestParser&) = delete;

  // From the request line to the empty line, all of it.
  std::expected<ParsedHead, ParseFault> put_head(std::string_view head);

  // Once, before the first byte of the body.
  void limit_body(std::size_t limit);

  // How many of `bytes` it is done with. 0: it wants the same bytes and more.
  std::expected<std::size_t, ParseFault> put_body(std::string_view bytes);

  // Of the whole request.
  [[nodiscard]] bool is_done() const;
  // The bytes that were put so far.
  [[nodiscard]] std::string take_body();

 private:
  class Parser;
  std::unique_ptr<Parser> parser_;
};

}  // namespace clawperator::http
