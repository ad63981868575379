#include "skills/hub/answers.hpp"

#include <catch2/catch.hpp>

#include "skills/hub/browser_login.hpp"
#include "skills/hub/client.hpp"
#include "skills/hub/errc.hpp"
#include "skills/hub/places.hpp"
#include "skills/hub/questions.hpp"

using namespace clawperator::hub;
namespace errc = base::errc;

TEST_CASE("hub answers: a search, with what may be absent") {
  const auto hits = read_search(
      R"({"results":[{"score":0.5,"slug":"a","displayName":"A","summary":null,"version":"1.0.0","updatedAt":7},{"score":0}]})");
  REQUIRE(hits);
  REQUIRE(hits->size() == 2);
  CHECK((*hits)[0].slug == "a");
  CHECK((*hits)[0].summary == std::nullopt);
  CHECK((*hits)[0].updated_at == 7);
  CHECK((*hits)[1].slug == std::nullopt);
}

TEST_CASE("hub answers: what is wrong is said by its place") {
  const auto wrong = read_search(R"({"results":[{"score":1},{"score":"x"}]})");
  REQUIRE_FALSE(wrong);
  CHECK(wrong.error().code() == errc::hub_request_failed);
  CHECK(wrong.error().message() == "API response: results.1.score: invalid value");
  CHECK(read_account(R"({"user":null})").error().message() == "API response: user: invalid value");
  CHECK(read_done(R"({"ok":1})").error().message() == "API response: ok: invalid value");
}

TEST_CASE("hub answers: a skill without a version is none that is wrong") {
  const auto page = read_skill_page(
      R"({"items":[{"slug":"a","displayName":"A","updatedAt":1,"latestVersion":null},
                   {"slug":"b","displayName":"B","updatedAt":1}],"nextCursor":"c"})");
  REQUIRE(page);
  CHECK((*page)[0].version == std::nullopt);
  CHECK((*page)[1].version == std::nullopt);
  CHECK((*page)[1].stats == "{}");
  CHECK(read_hub_skill(R"({"latestVersion":null})").value().latest == std::nullopt);
  const auto resolved =
      read_resolved(R"({"match":{"version":"1.0.0"},"latestVersion":{"version":"2.0.0"}})");
  CHECK(resolved->match == "1.0.0");
  CHECK(resolved->latest == "2.0.0");
}

TEST_CASE("hub answers: the moderators' flags, and no doubt about them", "[A5]") {
  const auto read = [](const std::string& moderation) {
    return read_hub_skill(R"({"latestVersion":null,"moderation":)" + moderation + "}");
  };
  CHECK(read("null")->moderation == Moderation::none);
  CHECK(read("{}")->moderation == Moderation::none);
  CHECK(read(R"({"isMalwareBlocked":false,"isSuspicious":null})")->moderation == Moderation::none);
  CHECK(read(R"({"isSuspicious":true})")->moderation == Moderation::suspicious);
  CHECK(read(R"({"isMalwareBlocked":true})")->moderation == Moderation::malware);
  CHECK(read(R"({"isMalwareBlocked":true,"isSuspicious":true})")->moderation ==
        Moderation::malware);
  for (const char* bad :
       {"[]", "true", R"({"isMalwareBlocked":1})", R"({"isSuspicious":"true"})"}) {
    CAPTURE(bad);
    CHECK_FALSE(read(bad));
  }
}

TEST_CASE("hub answers: a site names the API's base, else a registry") {
  CHECK(read_discovery(R"({"apiBase":"https://a","registry":"https://b","authBase":"https://c"})")
            ->registry == "https://a");
  CHECK(read_discovery(R"({"registry":"https://b"})")->registry == "https://b");
  CHECK_FALSE(read_discovery("{}"));
}

TEST_CASE("hub answers: an error is its text, or its status") {
  CHECK(error_text(404, "Skill not found\n") == "Skill not found");
  CHECK(error_text(503, "") == "HTTP 503");
  CHECK(error_text(502, "<html>") == "HTTP 502");
  CHECK(error_text(400, std::string(2001, 'x')) == "HTTP 400");
  CHECK(error_text(400, "a\x1b[2J") == "a?[2J");
}

TEST_CASE("hub request: values are escaped in URLs") {
  CHECK(with_query("/x", {{"q", "a b"}, {"limit", "5"}}) == "/x?q=a%20b&limit=5");
  CHECK(with_query("/x", {}) == "/x");
  CHECK(
      login_url("https://hub", 8080, "CLI token", "ab") ==
      "https://hub/cli/"
      "auth?redirect_uri=http%3A%2F%2F127.0.0.1%3A8080%2Fcallback&label_b64=Q0xJIHRva2Vu&state=ab");
}

TEST_CASE("hub request: a form with its files, as browsers send it") {
  CHECK(multipart_body("{}", {{"a \"b\".md", "x\r\n"}, {"c.json", "1"}}, "B") ==
        "--B\r\nContent-Disposition: form-data; name=\"payload\"\r\n\r\n{}\r\n"
        "--B\r\nContent-Disposition: form-data; name=\"files\"; filename=\"a %22b%22.md\"\r\n"
        "Content-Type: text/markdown\r\n\r\nx\r\n\r\n"
        "--B\r\nContent-Disposition: form-data; name=\"files\"; filename=\"c.json\"\r\n"
        "Content-Type: application/json\r\n\r\n1\r\n"
        "--B--\r\n");
}

TEST_CASE("hub registry: what a URL may be") {
  CHECK(checked_base("it", "https://hub.example/api//").value() == "https://hub.example/api");
  CHECK(checked_base("it", "http://127.0.0.1:8080").value() == "http://127.0.0.1:8080");
  for (const char* bad : {"", "http://hub.example", "ftp://x", "https://a?b", "https://a#b",
                          "https://u:p@hub", "https:// a"}) {
    CAPTURE(bad);
    REQUIRE_FALSE(checked_base("it", bad));
    CHECK(checked_base("it", bad).error().code() == errc::usage);
  }
  CHECK(origin_of("https://hub:8443/a/b") == "https://hub:8443");
  CHECK(origin_of("https://hub") == "https://hub");
}

TEST_CASE("hub registry: a token is for the hub of the login, or the one that its site names") {
  const HubConfig config{"https://hub.example", "secret"};
  Places places;
  places.site = "https://hub.example";
  CHECK(token_for(config, {"https://hub.example/api", {}, false}, places) == "secret");
  CHECK(token_for(config, {"https://other.example", {}, false}, places).empty());
  CHECK(token_for(config, {"https://hub.example.evil", {}, false}, places).empty());
  CHECK(token_for(config, {"https://api.example", {}, true}, places) == "secret");
  places.site = "https://other.example";
  CHECK(token_for(config, {"https://api.example", {}, true}, places).empty());
}

TEST_CASE("hub answers: a character that was cut spoils no other text") {
  const auto hits = read_search(
      "{\"results\":[{\"score\":1,\"slug\":\"a\",\"summary\":\"cut \\ud83d\"},"
      "{\"score\":1,\"slug\":\"b\",\"summary\":\"\xf0\x9f\"}]}");
  REQUIRE(hits);
  CHECK((*hits)[0].summary == "cut \xef\xbf\xbd");
  CHECK((*hits)[1].slug == "b");
}

TEST_CASE("hub answers: a version that files are written with is short and shows") {
  const std::string longest(256, '9');
  const auto latest = [](const std::string& version) {
    return read_hub_skill(R"({"latestVersion":{"version":")" + version + R"("}})");
  };
  CHECK(latest(longest).value().latest == longest);
  CHECK(latest("").value().latest == std::nullopt);
  for (const std::string& bad : {longest + "9", std::string("1\\n2"), std::string("\xc3\xa4")}) {
    CAPTURE(bad);
    CHECK_FALSE(latest(bad));
    CHECK_FALSE(read_resolved(R"({"match":{"version":")" + bad + R"("},"latestVersion":null})"));
  }
}
