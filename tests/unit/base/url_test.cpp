#include "base/url.hpp"

#include <catch2/catch.hpp>
#include <string>

TEST_CASE("url: a user name and a password do not show", "[base][A10]") {
  struct Row {
    std::string given;
    std::string shown;
  };
  const Row rows[] = {
      {"https://user:pw@host/x", "https://***@host/x"},
      {"https://user:pw@host:8443/x?y#z", "https://***@host:8443/x?y#z"},
      {"https://ghp_token@github.com/a/b", "https://***@github.com/a/b"},
      {"http://u:p@[::1]:80/x", "http://***@[::1]:80/x"},
      {"HTTPS://u:p@host", "HTTPS://***@host"},
      {"https://u:p@w@host/x", "https://***@host/x"},
      {"https://u:p/w@host/x", "https://***@host/x"},
      {"https://u:p?w@host/x", "https://***@host/x"},
      {"https://u:p#w@host/x", "https://***@host/x"},
      {"https://u:1/w@host/x", "https://u:1/w@host/x"},  // a host, a port and a path
      {"ssh://git:pw@host/x", "ssh://***@host/x"},
      {"git+ssh://u:p@host/x", "git+ssh://***@host/x"},
      {"git://u:p@host/x", "git://***@host/x"},
      {"file://u:p@host/x", "file://***@host/x"},
      {"u:p@host:x/y", "***@host:x/y"},
      {"u:p@host/x", "***@host/x"},
      {"https:/u:p@host/x", "***@host/x"},
      {"https:u:p@host/x", "***@host/x"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.given);
    CHECK(base::shown_url(row.given) == row.shown);
  }
}

TEST_CASE("url: what has no password is the same text", "[base][A10]") {
  for (const std::string& url :
       {std::string(), std::string("https://host/x"), std::string("https://host:443/@owner/x@2"),
        std::string("https://[::1]:80/@a"), std::string("git@github.com:a/b.git"),
        std::string("ssh://git@host:22/x"), std::string("/home/me/a@b:c"), std::string("skills"),
        std::string("https://host?mail=a@b"), std::string("file:///home/me/x")}) {
    CAPTURE(url);
    CHECK(base::shown_url(url) == url);
  }
}
