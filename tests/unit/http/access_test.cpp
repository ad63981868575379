#include "runtime/http/access.hpp"

#include <catch2/catch.hpp>

using namespace clawperator::http;
using namespace std::string_literals;

namespace {

const Peer kStranger{.name = "user 7", .is_this_user = [] { return false; }};
const Peer kOwn{.name = std::string(kThisUser), .is_this_user = [] { return true; }};

// The status that a request with these headers is refused with; 0 where it may pass.
int refused(const AccessPolicy& policy, Request::Pairs headers, std::string method = "GET",
            const Peer* peer = &kStranger) {
  Request head;
  head.method = std::move(method);
  head.headers = std::move(headers);
  head.peer = peer;
  const auto response = refuse(policy, head);
  return response ? response->status : 0;
}

// Of who needs no token.
int refused_own(Request::Pairs headers, std::string method = "GET",
                std::vector<std::string> hosts = {}) {
  const AccessPolicy policy{
      .hosts = std::move(hosts), .token = "s3cret", .always_requires_token = false};
  return refused(policy, std::move(headers), std::move(method), &kOwn);
}

bool serves(const std::string& host, std::vector<std::string> hosts = {}) {
  return refused_own({{"host", host}}, "GET", std::move(hosts)) == 0;
}

bool serves_origin(const std::string& origin) {
  return refused_own({{"host", "localhost:3000"}, {"origin", origin}}, "GET", {"192.168.1.5"}) == 0;
}

std::string body_of(const AccessPolicy& policy, Request::Pairs headers) {
  Request head;
  head.headers = std::move(headers);
  return refuse(policy, head).value_or(Response()).body;
}

const AccessPolicy kWithToken{.hosts = {}, .token = "s3cret"};

bool lets_in(Request::Pairs headers) {
  headers.emplace_back("host", "localhost");
  return refused(kWithToken, std::move(headers)) == 0;
}

}  // namespace

TEST_CASE("access: the loopback's names and addresses are served, with any port") {
  for (const auto* host : {"localhost", "LOCALHOST:3000", "127.0.0.1", "127.0.0.1:3000",
                           "127.200.3.4", "[::1]", "[::1]:65535", "[0:0:0:0:0:0:0:1]"}) {
    INFO(host);
    CHECK(serves(host));
  }
}

TEST_CASE("access: other names, and what only looks like ours, are not") {
  for (const auto* host : {"",
                           "evil.example",
                           "localhost.evil.example",
                           "evil.example:3000",
                           "127.0.0.1.evil.example",
                           "127.1",
                           "0177.0.0.1",
                           "2130706433",
                           "128.0.0.1",
                           "0.0.0.0",
                           "localhost:",
                           "localhost:x",
                           "localhost:65536",
                           "localhost:-1",
                           "localhost:1:2",
                           "me@localhost",
                           "localhost@evil.example",
                           "localhost/",
                           "localhost,evil.example",
                           "[::1",
                           "::1",
                           "[::2]",
                           "[localhost]",
                           "[::1]x",
                           "[::1]:x",
                           "[]",
                           "[",
                           ":80",
                           "[::ffff:127.0.0.1]",
                           "localhost.",
                           " localhost"}) {
    INFO(host);
    CHECK_FALSE(serves(host));
  }
  CHECK(refused({}, {}) == 403);
}

TEST_CASE("access: the bind host is served; any address stands for addresses, not for names") {
  CHECK(serves("192.168.1.5:3000", {"192.168.1.5"}));
  CHECK_FALSE(serves("192.168.1.6:3000", {"192.168.1.5"}));
  CHECK(serves("Phone.Local", {"phone.local"}));
  CHECK(serves("[fe80::1]:80", {"fe80::1"}));
  CHECK(serves("192.168.1.6:3000", {"0.0.0.0"}));
  CHECK(serves("[fe80::1]", {"::"}));
  CHECK_FALSE(serves("evil.example", {"0.0.0.0", "::"}));
}

TEST_CASE("access: an Origin, where there is one, is of a host that is served") {
  for (const auto* origin : {"http://localhost:3000", "https://127.0.0.1", "http://192.168.1.5"}) {
    INFO(origin);
    CHECK(serves_origin(origin));
  }
  for (const auto* origin : {"null", "", "http://evil.example", "http://localhost.evil.example",
                             "file://", "localhost", "ftp://localhost", "http://",
                             "chrome-extension://localhost", "http://evil.example/localhost"}) {
    INFO(origin);
    CHECK_FALSE(serves_origin(origin));
  }
  CHECK(refused_own({{"host", "localhost"},
                     {"origin", "http://localhost"},
                     {"origin", "http://evil.example"}}) == 403);
}

TEST_CASE("access: what changes anything comes from no page but of this very server") {
  const auto posts = [](const std::string& origin) {
    return refused_own({{"host", "localhost:3000"}, {"origin", origin}},
                       GENERATE("POST", "DELETE", "PUT"));
  };
  CHECK(posts("http://localhost:3000") == 0);
  CHECK(posts("https://LOCALHOST:3000") == 0);
  CHECK(posts("http://localhost:8080") == 403);
  CHECK(posts("http://localhost") == 403);
  CHECK(posts("http://127.0.0.1:3000") == 403);
  CHECK(posts("null") == 403);
  CHECK(refused_own({{"host", "localhost:3000"}}, "POST") == 0);  // of no page
}

TEST_CASE("access: a browser's request for a page of another site is refused, whatever it asks") {
  const auto fetches = [](const std::string& site) {
    return refused_own({{"host", "localhost"}, {"sec-fetch-site", site}}, GENERATE("GET", "POST"));
  };
  CHECK(fetches("same-origin") == 0);
  CHECK(fetches("none") == 0);
  for (const auto* site : {"cross-site", "same-site", "", "Same-Origin", "same-origin, none"}) {
    INFO(site);
    CHECK(fetches(site) == 403);
  }
  CHECK(refused_own({{"host", "localhost"},
                     {"sec-fetch-site", "same-origin"},
                     {"sec-fetch-site", "cross-site"}}) == 403);
}

TEST_CASE("access: who is proven to be this user needs no token, unless all do") {
  const Request::Pairs headers{{"host", "localhost"}};
  const AccessPolicy asks_others{.hosts = {}, .token = "s3cret", .always_requires_token = false};
  CHECK(refused(asks_others, headers, "GET", &kOwn) == 0);
  CHECK(refused(asks_others, headers, "GET", &kStranger) == 401);
  CHECK(refused(asks_others, headers, "GET", nullptr) == 401);
  const Peer unproven{.name = "1.2.3.4"};
  CHECK(refused(asks_others, headers, "GET", &unproven) == 401);
  CHECK(refused(kWithToken, headers, "GET", &kOwn) == 401);
}

TEST_CASE(
    "access: a peer's tokens are not looked at after too many wrong ones, right ones neither") {
  Guesses guesses;
  const AccessPolicy policy{.hosts = {}, .token = "s3cret", .guesses = &guesses};
  const auto shows = [&](const std::string& token, const Peer* peer = &kStranger) {
    return refused(policy, {{"host", "localhost"}, {"authorization", "Bearer " + token}}, "GET",
                   peer);
  };
  const Peer other{.name = "user 8"};
  CHECK(refused(policy, {{"host", "localhost"}}) == 401);  // shows none
  for (std::size_t at = 0; at <= Guesses::kFree; ++at) CHECK(shows("wrong") == 401);
  CHECK(shows("wrong") == 429);
  CHECK(shows("s3cret") == 429);
  CHECK(shows("s3cret", &other) == 0);
  CHECK(refused(policy, {{"host", "localhost"}}) == 401);
}

TEST_CASE("access: of several tokens in one request one is looked at") {
  CHECK_FALSE(lets_in({{"authorization", "Bearer wrong"}, {"authorization", "Bearer s3cret"}}));
}

TEST_CASE("access: a token is taken as bearer, and from nowhere else") {
  CHECK(lets_in({{"authorization", "Bearer s3cret"}}));
  CHECK(lets_in({{"authorization", "bearer  s3cret "}}));
  for (const auto* credentials : {"", "Bearer", "Bearer ", "Bearer s3cre", "Bearer s3cret2",
                                  "Bearer s3creT", "Basic s3cret", "s3cret", "Bearers3cret"}) {
    INFO(credentials);
    CHECK_FALSE(lets_in({{"authorization", credentials}}));
  }
  CHECK_FALSE(lets_in({{"cookie", "clawperator_session=s3cret"}}));
  CHECK_FALSE(lets_in({{"x-token", "s3cret"}}));
}

TEST_CASE("access: a session's cookie lets in, among others and beside a wrong token") {
  BrowserSessions sessions;
  const std::string value = *sessions.begin();
  const AccessPolicy policy{.hosts = {}, .token = "s3cret", .sessions = &sessions};
  const auto looks = [&](Request::Pairs headers) {
    headers.emplace_back("host", "localhost");
    return refused(policy, std::move(headers), "GET") == 0;
  };
  CHECK(looks({{"cookie", "clawperator_session=" + value}}));
  CHECK(looks({{"cookie", "a=b; clawperator_session=" + value + ";c=d"}}));
  CHECK(looks({{"cookie", "clawperator_session=old; clawperator_session=" + value}}));
  CHECK(looks({{"cookie", "a=b"}, {"cookie", "clawperator_session=" + value}}));
  CHECK(looks({{"authorization", "Bearer old"}, {"cookie", "clawperator_session=" + value}}));
  for (const std::string& cookies :
       {std::string(), "clawperator_session"s, "clawperator_session="s, "clawperator_session=x"s,
        "xclawperator_session=" + value, "a=clawperator_session=" + value, ";;="s,
        "clawperator_session=s3cret"s}) {
    INFO(cookies);
    CHECK_FALSE(looks({{"cookie", cookies}}));
  }
  sessions.end(value);
  CHECK_FALSE(looks({{"cookie", "clawperator_session=" + value}}));
}

TEST_CASE("access: by a cookie alone only a page of this very server changes anything") {
  BrowserSessions sessions;
  const std::string cookie = "clawperator_session=" + *sessions.begin();
  const AccessPolicy policy{.hosts = {}, .token = "s3cret", .sessions = &sessions};
  const auto posts = [&](Request::Pairs headers) {
    headers.emplace_back("host", "localhost:3000");
    return refused(policy, std::move(headers), GENERATE("POST", "DELETE"));
  };
  CHECK(posts({{"cookie", cookie}, {"origin", "http://localhost:3000"}}) == 0);
  CHECK(posts({{"cookie", cookie}, {"origin", "https://LOCALHOST:3000"}}) == 0);
  CHECK(posts({{"cookie", cookie}}) == 403);
  // Cookies know no ports: it may be sent for the page of another server on this machine.
  CHECK(posts({{"cookie", cookie}, {"origin", "http://localhost:8080"}}) == 403);
  CHECK(posts({{"cookie", cookie}, {"origin", "http://127.0.0.1:3000"}}) == 403);
  CHECK(posts({{"cookie", cookie}, {"origin", "http://evil.example"}}) == 403);
  CHECK(posts({{"cookie", cookie}, {"authorization", "Bearer s3cret"}}) == 0);
  CHECK(posts({{"cookie", "clawperator_session=x"}, {"origin", "http://localhost:3000"}}) == 401);
}

TEST_CASE("access: a session's cookie does not count for a page of another origin") {
  BrowserSessions sessions;
  const std::string cookie = "clawperator_session=" + *sessions.begin();
  const AccessPolicy policy{.hosts = {},
                            .origins = {"http://localhost:5173", "http://localhost:3000"},
                            .token = "s3cret",
                            .sessions = &sessions};
  const auto asks = [&](Request::Pairs headers) {
    headers.emplace_back("host", "localhost:3000");
    return refused(policy, std::move(headers), GENERATE("GET", "POST"));
  };
  const Request::Pairs named{{"cookie", cookie}, {"origin", "http://localhost:5173"}};
  CHECK(asks(named) == 401);
  CHECK(asks({named[1], {"authorization", "Bearer s3cret"}}) == 0);
  CHECK(asks({named[0], {"origin", "http://localhost:3000"}}) == 0);
}

TEST_CASE("access: what is open to all still is for no other site") {
  Request head;
  head.method = "POST";
  head.headers = {{"host", "localhost"}};
  CHECK_FALSE(refuse(kWithToken, head, Entry::open));
  head.headers.emplace_back("origin", "http://evil.example");
  CHECK(refuse(kWithToken, head, Entry::open));
}

TEST_CASE("access: an empty token lets no client in") {
  CHECK(refused({}, {{"host", "localhost"}, {"authorization", "Bearer "}}) == 401);
}

TEST_CASE("access: each refusal says which it is; Host comes first, the token last") {
  const auto has = [](const std::string& text, const std::string& code) {
    return text.find("\"code\":\"" + code + "\"") != std::string::npos;
  };
  const Request::Pairs everything_wrong{{"host", "x.example"}, {"origin", "http://x.example"}};
  CHECK(has(body_of(kWithToken, everything_wrong), "FORBIDDEN_HOST"));
  CHECK(has(body_of(kWithToken, {{"host", "localhost"}, {"origin", "null"}}), "FORBIDDEN_ORIGIN"));
  CHECK(has(body_of(kWithToken, {{"host", "localhost"}}), "UNAUTHORIZED"));
  Request head;
  head.headers = {{"host", "localhost"}};
  const auto response = refuse(kWithToken, head);
  REQUIRE(response);
  CHECK(response->status == 401);
  CHECK(encode_head(*response, "").find("\r\nWWW-Authenticate: Bearer\r\n") != std::string::npos);
}

TEST_CASE("access: what installs programs needs a session from a page, and from no program") {
  BrowserSessions sessions;
  const std::string cookie = std::string(kSessionCookie) + "=" + sessions.begin().value();
  AccessPolicy policy = kWithToken;
  policy.sessions = &sessions;
  const auto status = [&](Request::Pairs headers) {
    Request head;
    head.method = "POST";
    head.headers = std::move(headers);
    head.headers.emplace_back("host", "localhost");
    head.peer = &kStranger;
    const auto response = refuse(policy, head, Entry::session);
    return response ? response->status : 0;
  };
  const std::pair token{"authorization"s, "Bearer s3cret"s};
  const std::pair page{"origin"s, "http://localhost"s};
  CHECK(status({}) == 401);
  CHECK(status({token}) == 0);
  CHECK(status({page}) == 401);
  CHECK(status({page, token}) == 403);
  CHECK(status({page, token, {"cookie", "clawperator_session=x"}}) == 403);
  CHECK(status({page, {"cookie", cookie}}) == 0);
  CHECK(status({page, token, {"cookie", cookie}}) == 0);
  CHECK(status({{"origin", "http://localhost:9"}, token, {"cookie", cookie}}) == 403);
}
