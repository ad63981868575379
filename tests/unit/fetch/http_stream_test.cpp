#include "runtime/fetch/http_stream.hpp"

#include <catch2/catch.hpp>

using namespace clawperator;

TEST_CASE("fetch: https anywhere, plain http to this computer alone") {
  for (const char* good :
       {"https://downloads.clawperator.com/operator/latest.json", "https://x.example:8443/a?b=c#d",
        "https://[2001:db8::1]/a", "http://127.0.0.1:8080/a", "http://127.1.2.3/",
        "http://[::1]:1/", "http://localhost:99/a"}) {
    CAPTURE(good);
    CHECK(check_url(good));
  }
  for (const char* bad : {"",
                          "x",
                          "latest.json",
                          "http://x.example/",
                          "http://10.0.0.1/",
                          "http://127.evil.example/",
                          "http://127.0.0.1.evil.example/",
                          "http://127.0.0.1@evil.example/",
                          "https://u@x.example/",
                          "https://[::1]@x.example/",
                          "https://[::1]x.example/",
                          "https://",
                          "https:///a",
                          "http://[::1",
                          "https://x.example:/a",
                          "https://x.example:123456/",
                          "https://x.example:8o/",
                          "ftp://x.example/a",
                          "file:///etc/passwd",
                          "HTTPS://x.example/",
                          "https://x.example/a b",
                          "https://x.example\\@y/",
                          "https://x.example/\n",
                          "http://localhost.x/"}) {
    CAPTURE(bad);
    CHECK_FALSE(check_url(bad));
  }
  CHECK_FALSE(check_url("https://x.example/" + std::string(3000, 'a')));
}

TEST_CASE("fetch: where a part of a file begins, and how long the whole is") {
  const auto whole = parse_content_range("bytes 5-9/10");
  REQUIRE(whole);
  CHECK(whole->offset == 5);
  CHECK(whole->size == 10);
  const auto unknown = parse_content_range("bytes 0-0/*");
  REQUIRE(unknown);
  CHECK_FALSE(unknown->size);
  for (const char* bad : {"", "bytes", "bytes 5", "bytes 5-", "bytes 5-9", "bytes 5-9/",
                          "bytes */10", "bytes 9-5/10", "bytes 5-9/9", "bytes 5-9/10x",
                          "items 5-9/10", "bytes -1-9/10", "bytes 99999999999999999999-9/10"}) {
    CAPTURE(bad);
    CHECK_FALSE(parse_content_range(bad));
  }
}
