#include "runtime/http/request_parser.hpp"

#include <algorithm>
#include <boost/beast/http/basic_parser.hpp>

#include "base/text.hpp"

namespace clawperator::http {
namespace {

namespace beast = boost::beast;
using ErrorCode = beast::error_code;
using Text = beast::string_view;

std::string own(Text text) { return {text.data(), text.size()}; }

// Beast gives one error for an encoding after another one and for one after a length.
ParseFault head_fault(const ErrorCode& error, const ParsedHead& so_far) {
  const auto is_length = [](const auto& header) { return header.first == "content-length"; };
  const bool is_encoding = error == beast::http::error::bad_transfer_encoding &&
                           so_far.version == 11 && std::ranges::none_of(so_far.headers, is_length);
  return is_encoding ? ParseFault::transfer_encoding : ParseFault::syntax;
}

}  // namespace

class RequestParser::Parser final : public beast::http::basic_parser<true> {
 public:
  // Beast subtracts a chunk's size from its own limit each time it parses the size line again, so
  // the limit is kept here.
  Parser() { body_limit(boost::none); }

  ParsedHead head{};
  std::string body{};
  std::size_t limit = 0;

 private:
  void on_request_impl(beast::http::verb, Text method, Text target, int version,
                       ErrorCode&) override {
    head.method = own(method);
    head.target = own(target);
    head.version = version;
  }

  // Trailers come here, too; no route reads them.
  void on_field_impl(beast::http::field, Text name, Text value, ErrorCode&) override {
    if (!is_header_done()) head.headers.emplace_back(ascii_lower(own(name)), own(value));
  }

  void on_chunk_header_impl(std::uint64_t size, Text, ErrorCode& error) override {
    if (size > limit - body.size()) error = beast::http::error::body_limit;
  }

  std::size_t on_body_impl(Text bytes, ErrorCode&) override {
    body.append(bytes.data(), bytes.size());
    return bytes.size();
  }
  std::size_t on_chunk_body_impl(std::uint64_t, Text bytes, ErrorCode& error) override {
    return on_body_impl(bytes, error);
  }

  void on_response_impl(int, Text, int, ErrorCode&) override {}
  void on_header_impl(ErrorCode&) override {}
  void on_body_init_impl(const boost::optional<std::uint64_t>&, ErrorCode&) override {}
  void on_finish_impl(ErrorCode&) override {}
};

RequestParser::RequestParser() : parser_(std::make_unique<Parser>()) {}
RequestParser::~RequestParser() = default;
RequestParser::RequestParser(RequestParser&&) noexcept = default;
RequestParser& RequestParser::operator=(RequestParser&&) noexcept = default;

std::expected<ParsedHead, ParseFault> RequestParser::put_head(std::string_view head) {
  parser_->header_limit(static_cast<std::uint32_t>(head.size() + 1));
  ErrorCode error;
  parser_->put(boost::asio::const_buffer(head.data(), head.size()), error);
  if (error) return std::unexpected(head_fault(error, parser_->head));
  auto& parsed = parser_->head;
  parsed.keep_alive = parser_->keep_alive();
  parsed.chunked = parser_->chunked();
  if (const auto length = parser_->content_length()) parsed.content_length = *length;
  return std::move(parsed);
}

void RequestParser::limit_body(std::size_t limit) { parser_->limit = limit; }

std::expected<std::size_t, ParseFault> RequestParser::put_body(std::string_view bytes) {
  ErrorCode error;
  const std::size_t size =
      parser_->put(boost::asio::const_buffer(bytes.data(), bytes.size()), error);
  if (!error || error == beast::http::error::need_more) return size;
  const bool is_limit = error == beast::http::error::body_limit;
  return std::unexpected(is_limit ? ParseFault::body_limit : ParseFault::syntax);
}

bool RequestParser::is_done() const { return parser_->is_done(); }

std::string RequestParser::take_body() { return std::move(parser_->body); }

}  // namespace clawperator::http
