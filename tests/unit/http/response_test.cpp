#include "runtime/http/response.hpp"

#include <catch2/catch.hpp>

using namespace clawperator::http;

TEST_CASE("response: the head as it goes out") {
  const Response response{.status = 201, .body = "{}", .headers = {{"Location", "/x"}}};
  CHECK(encode_head(response, "close") ==
        "HTTP/1.1 201 Created\r\nContent-Length: 2\r\n"
        "Content-Type: application/json; charset=utf-8\r\nX-Content-Type-Options: nosniff\r\n"
        "Cross-Origin-Resource-Policy: same-origin\r\nConnection: close\r\nLocation: /x\r\n\r\n");
}

TEST_CASE("response: without a body there is no length, nor a type where none is named") {
  CHECK(encode_head({.status = 204, .content_type = ""}, "") ==
        "HTTP/1.1 204 No Content\r\nX-Content-Type-Options: nosniff\r\n"
        "Cross-Origin-Resource-Policy: same-origin\r\n\r\n");
  Response stream{.content_type = "text/event-stream"};
  stream.stream = [](BodyWriter*) -> adbproto::Task<void> { co_return base::ok(); };
  CHECK(encode_head(stream, "").find("Content-Length") == std::string::npos);
}

TEST_CASE("response: a status without a name has an empty one") {
  CHECK(encode_head({.status = 299}, "").starts_with("HTTP/1.1 299 \r\n"));
}

TEST_CASE("response: no value begins a header of its own") {
  const Response response{.headers = {{"X", "a\r\nSet-Cookie: b\n\x7f"}}};
  CHECK(encode_head(response, "").ends_with("\r\nX: a  Set-Cookie: b  \r\n\r\n"));
}

TEST_CASE("response: an error as JSON") {
  const Response response = error_response(404, "NOT_FOUND", "no \"x\"");
  CHECK(response.status == 404);
  CHECK(response.content_type == "application/json; charset=utf-8");
  CHECK(response.body == R"({"ok":false,"error":{"code":"NOT_FOUND","message":"no \"x\""}})");
}
