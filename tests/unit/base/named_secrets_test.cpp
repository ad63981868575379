#include "base/named_secrets.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "base/json_text.hpp"

using namespace clawperator;
using nlohmann::json;

namespace {

const std::string kMasked(kMask);

// Each "SECRET" of the text becomes the mask, and nothing else changes.
std::string wanted(std::string text) {
  constexpr std::string_view kSecret = "SECRET";
  for (auto at = text.find(kSecret); at != text.npos; at = text.find(kSecret)) {
    text.replace(at, kSecret.size(), kMask);
  }
  return text;
}

}  // namespace

TEST_CASE("named secrets: names that say so, however their words are joined", "[secrets][S4]") {
  for (const char* name : {"token",
                           "TOKEN",
                           "CLAWPERATOR_TOKEN",
                           "accessToken",
                           "x-auth-token",
                           "AUTHORIZATION",
                           "Proxy-Authorization",
                           "password",
                           "dbPassword",
                           "DB_PASSWORD_2",
                           "passwd",
                           "secret",
                           "client_secret",
                           "SECRET_KEY",
                           "api_key",
                           "apiKey",
                           "APIKey",
                           "x-api-key",
                           "OPENAI_API_KEY",
                           "apikey",
                           "cookie",
                           "Set-Cookie",
                           "AWS_SECRET_ACCESS_KEY",
                           "privateKey",
                           "credentials",
                           "GITHUB_PAT",
                           "_auth",
                           "npm_config__authToken",
                           "--token",
                           "PGPASSWORD",
                           "passphrase"}) {
    INFO(name);
    CHECK(names_secret(name));
  }
  for (const char* name : {"", "key", "PATH", "commandId", "deviceId", "keyCode", "secretary",
                           "tokenizer", "TOKENIZERS_PARALLELISM", "monkey", "author", "pat",
                           "message", "SSH_AUTH_SOCK", "ADB_VENDOR_KEYS", "status", "_", "-"}) {
    INFO(name);
    CHECK_FALSE(names_secret(name));
  }
}

TEST_CASE("named secrets: the value behind such a name is masked", "[secrets][S4]") {
  const std::string text = GENERATE(
      // Variables, one a line: the rest of the line.
      "API_KEY=SECRET", "PATH=/bin\nDB_PASSWORD=SECRET\nHOME=/root\n", "export TOKEN=SECRET",
      "TOKEN=SECRET\r\nnext", "password: SECRET", "  password:\tSECRET\nuser: me",
      // In a sentence or an address: one word.
      "with token=SECRET and more", "GET /x?user=me&token=SECRET&page=2 HTTP/1.1",
      "(apiKey: SECRET, n: 1)", "curl --api-key SECRET --verbose", "run --password=SECRET now",
      "got bearer SECRET back",
      // Quoted: up to the same quote.
      R"({"token":"SECRET","n":1})", R"({"api_key" : "SECRET"})", "{'password': 'SECRET'}",
      R"(env["TOKEN"] = "SECRET")", R"(secret="SECRET")", R"({"said":"{\"token\":\"SECRET\"}"})",
      R"({"a":"{\"b\":\"{\\\"token\\\":\\\"SECRET\\\"}\"}"})",
      // Headers.
      "Authorization: SECRET", "> Authorization: SECRET\n> Accept: */*",
      R"(curl -H "Authorization: SECRET" https://x)", "Set-Cookie: SECRET",
      // Containers.
      R"({"cookies":SECRET,"n":1})", "https://SECRET@host/x", "mysql://SECRET@host/x");
  INFO(text);
  constexpr std::string_view kValues[] = {
      "s", "hunter2", "a1B2/+=-_.~", "Bearer abc.def", "0123456789",
  };
  for (const std::string_view value : kValues) {
    std::string shown = text;
    std::string secret(value);
    if (text.contains("://SECRET")) secret = "me:" + secret;
    if (text.contains("cookies")) secret = R"({"sid":")" + secret + R"(","more":["x{"]})";
    const bool is_word = text.contains("&token") || text.contains("--") || text.contains("(api") ||
                         text.contains("with ") || text.contains("bearer");
    if (is_word && !secret.starts_with("Bearer")) secret = "hunter2";
    if (text.contains("bearer") || text.contains("--api-key") || text.contains("://")) {
      if (secret.contains(' ')) continue;
    }
    if (text.contains("://SECRET") && secret.contains('/')) continue;
    shown.replace(shown.find("SECRET"), 6, secret);
    INFO(shown);
    const std::string masked = without_named_secrets(shown);
    CHECK(masked == wanted(text));
    CHECK(without_named_secrets(masked) == masked);
  }
}

TEST_CASE("named secrets: a quoted value may hold what ends others", "[secrets][S4]") {
  CHECK(without_named_secrets(R"({"password":"a \" b, c}","n":1})") ==
        R"({"password":")" + kMasked + R"(","n":1})");
  CHECK(without_named_secrets(R"({"password":"ends with \\","n":1})") ==
        R"({"password":")" + kMasked + R"(","n":1})");
  CHECK(without_named_secrets("PASSWORD=correct horse, battery; staple\nnext") ==
        "PASSWORD=" + kMasked + "\nnext");
  CHECK(without_named_secrets("Cookie: a=b; c=d\nnext") == "Cookie: " + kMasked + "\nnext");
  // What was cut off before its end is masked to its end.
  CHECK(without_named_secrets(R"({"token":"abc)") == R"({"token":")" + kMasked);
  CHECK(without_named_secrets(R"({"cookies":{"a":"b")") == R"({"cookies":)" + kMasked);
}

TEST_CASE("named secrets: what names none stays as it is", "[secrets][S4]") {
  const std::string text = GENERATE(
      "", "plain text", "PATH=/bin:/usr/bin", R"({"commandId":"c-1","key":"KEYCODE_BACK"})",
      "the token has expired", "no secret here.", "std::token::parse()", "token",
      "token=", R"({"token":""})", "a password, and more", "https://host:80/a@b",
      "ssh://git@host/x", "see https://example.com", "--token --verbose", "12:30:45 INFO cookies");
  INFO(text);
  CHECK(without_named_secrets(text) == text);
}

TEST_CASE("named secrets: JSON for a log keeps its shape", "[secrets][S4]") {
  Secrets known;
  known.add("hunter2-known");
  const std::string masked = masked_json_for_log(
      R"({"commandId":"c","token":"x","n":5,"deep":[{"apiKey":"y","pin":1}],)"
      R"("credentials":{"user":"u","no":7,"on":true},"said":"a=hunter2-known; TOKEN=z"})",
      known);
  CHECK(json::parse(masked) ==
        json({{"commandId", "c"},
              {"token", kMasked},
              {"n", 5},
              {"deep", {{{"apiKey", kMasked}, {"pin", 1}}}},
              {"credentials", {{"user", kMasked}, {"no", kMasked}, {"on", true}}},
              {"said", "a=" + kMasked + "; TOKEN=" + kMasked}}));
  CHECK(masked_json_for_log("no JSON: hunter2-known", known) == "{}");
  CHECK(masked_for_log("ends in hunter2-kn", known) == "ends in " + kMasked);
}

TEST_CASE("named secrets: a text of nothing but names takes no longer than others",
          "[secrets][S4]") {
  for (const char* piece : {"token=", "token: ", "\"token\":{", "://", "token   ", "\\\"", "-"}) {
    std::string text;
    while (text.size() < (1 << 20)) text += piece;
    INFO(piece);
    CHECK(without_named_secrets(text).size() <= text.size() + kMasked.size());
  }
}
