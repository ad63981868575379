#include "runtime/contract/secrets.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "base/error_members.hpp"
#include "base/json_text.hpp"
#include "runtime/contract/parse.hpp"

using namespace clawperator;
using nlohmann::json;

namespace {

Secrets of(std::initializer_list<std::string_view> texts) {
  Secrets secrets;
  for (const std::string_view text : texts) secrets.add(text);
  return secrets;
}

const std::string kDots(kMask);

constexpr std::string_view kOdd = "p\"w<&'\\ /\n\u00E9\U0001F600z";

std::string payload(std::string_view params) {
  return R"({"commandId":"c","taskId":"t","source":"s","expectedFormat":"android-ui-automator",)"
         R"("timeoutMs":2000,"actions":[{"id":"a","type":"enter_text","params":)" +
         std::string(params) + "}]}";
}

Execution typing(std::string_view params) { return parse_execution(payload(params)).value(); }

constexpr std::string_view kSecret = R"({"matcher":{"role":"r"},"text":"hunter2","secret":true})";

}  // namespace

TEST_CASE("secrets: a secret is masked wherever it stands", "[secrets]") {
  const Secrets secrets = of({"hunter2"});
  CHECK(secrets.masked("hunter2") == kDots);
  CHECK(secrets.masked("typed hunter2, hunter2!") == "typed " + kDots + ", " + kDots + "!");
  CHECK(secrets.masked("xhunter2y") == "x" + kDots + "y");
  CHECK(secrets.masked("hunter") == "hunter");
  CHECK(of({}).masked("hunter2") == "hunter2");
  CHECK(of({""}).empty());
}

TEST_CASE("secrets: however it is spelled", "[secrets]") {
  const Secrets secrets = of({kOdd});
  const auto escaped = [](std::string_view text) {
    const std::string quoted = quote_json(text);
    return quoted.substr(1, quoted.size() - 2);
  };
  const std::string once = escaped(kOdd);
  const std::string spellings[] = {
      std::string(kOdd),
      once,
      escaped(once),
      R"(p\"w<&'\\ \/\n\u00e9\ud83d\ude00z)",
      R"(p\"w\u003c\u0026\u0027\\ \/\n\u00E9\uD83D\uDE00z)",
      "p&quot;w&lt;&amp;&apos;\\ /&#10;&#233;&#128512;z",
      "p&quot;w&lt;&amp;&#39;\\ /&#xA;&#xe9;&#x1F600;z",
      "p\"w<&'\\''\\%s/\n\u00E9\U0001F600z",
  };
  for (const std::string& spelled : spellings) {
    INFO(spelled);
    CHECK(secrets.masked("<" + spelled + ">") == "<" + kDots + ">");
  }
}

TEST_CASE("secrets: a short one is masked only where it is all", "[secrets]") {
  const Secrets secrets = of({"ab", "\u00E9\u00E8"});
  CHECK(secrets.masked("ab") == kDots);
  CHECK(secrets.masked("cab") == "cab");
  CHECK(secrets.masked("abc") == "abc");
  CHECK(secrets.masked("\u00E9\u00E8") == kDots);
  CHECK(secrets.masked("\u00E9\u00E8 ") == "\u00E9\u00E8 ");
  CHECK(secrets.masked_json(R"({"text":"ab","ab":"abc"})") ==
        R"({"text":")" + kDots + R"(","ab":"abc"})");
}

TEST_CASE("secrets: of several the longest counts, and a mask is masked as it is", "[secrets]") {
  const Secrets secrets = of({"abc", "abcdef"});
  CHECK(secrets.masked("abcdef abc") == kDots + " " + kDots);
  const std::string once = secrets.masked("x abcdef");
  CHECK(secrets.masked(once) == once);
}

TEST_CASE("secrets: the beginning of one that was cut off", "[secrets]") {
  const Secrets secrets = of({"hunter2"});
  CHECK(secrets.masked_beginning("typed hunter") == "typed " + kDots);
  CHECK(secrets.masked_beginning("typed hunt") == "typed " + kDots);
  CHECK(secrets.masked_beginning("typed hun") == "typed hun");
  CHECK(secrets.masked("typed hunter") == "typed hunter");
}

TEST_CASE("secrets: a text of many backslashes takes no long time", "[secrets]") {
  const Secrets secrets = of({std::string(512, '\\')});
  CHECK(secrets.masked(std::string(4096, '\\')).contains(kDots));
}

TEST_CASE("secrets: of a JSON text the strings are masked, no names, ids and numbers",
          "[secrets]") {
  const Secrets secrets = of({"5554"});
  const std::string masked = secrets.masked_json(
      R"({"deviceId":"emulator-5554","5554":5554,"list":["5554",{"why":"a \"5554\""}]})");
  CHECK(json::parse(masked) == json{{"deviceId", "emulator-5554"},
                                    {"5554", 5554},
                                    {"list", {kDots, {{"why", "a \"" + kDots + "\""}}}}});
  CHECK(of({"p\"w\\"}).masked_json(R"({"a":"p\"w\\"})") == R"({"a":")" + kDots + R"("})");
  CHECK(of({"abc"}).masked_json("") == "");
  CHECK(of({"abc"}).masked_json("\"") == "\"");
  CHECK(of({"nabc"}).masked_json(R"({"a":"\nabc"})") == R"({"a":"\nabc"})");
  CHECK(of({"abc\\"}).masked_json(R"({"a":"abc\""})") == R"({"a":"abc\""})");
}

TEST_CASE("secrets: of an error its words and members", "[secrets]") {
  const Error error(errc::unknown, "no hunter2", R"({"details":{"line":"hunter2"}})");
  const Error masked = of({"hunter2"}).masked(error);
  CHECK(masked.code() == errc::unknown);
  CHECK(masked.message() == "no " + kDots);
  CHECK(masked.members() == R"({"details":{"line":")" + kDots + R"("}})");
  CHECK(of({}).masked(error) == error);
}

TEST_CASE("secrets: of a hierarchy what it shows, not where", "[secrets]") {
  const auto masked = [](std::string_view secret, std::string xml) {
    Envelope envelope;
    envelope.step_results.push_back({"s", "snapshot_ui", true, {{"text", std::move(xml)}}});
    envelope.error = "of " + std::string(secret);
    mask(envelope, of({secret}));
    CHECK(envelope.error == "of " + kDots);
    return envelope.step_results.front().data.front().second;
  };
  const auto node = [](std::string_view text) {
    return "<?xml?><hierarchy rotation=\"0\"><node index=\"1080\" text=" + std::string(text) +
           " resource-id=\"a:id/1080\" class=\"1080\" hint=\"1080\" checked=\"true\" "
           "bounds=\"[0,0][1080,2400]\" /></hierarchy>";
  };
  CHECK(masked("1080", node("\"at 1080\"")) ==
        "<?xml?><hierarchy rotation=\"0\"><node index=\"1080\" text=\"at " + kDots +
            "\" resource-id=\"a:id/1080\" class=\"1080\" hint=\"" + kDots +
            "\" checked=\"true\" bounds=\"[0,0][1080,2400]\" /></hierarchy>");
  CHECK(masked("true", node("\"true\"")).contains("checked=\"true\""));
  CHECK_FALSE(masked("a\"b>c", node("'a\"b>c'")).contains("b>c"));
  CHECK_FALSE(masked("a<bc", node("\"a&lt;bc\"")).contains("bc"));
  CHECK(masked("abc", "<hierarchy><node text=\"abc") == "<hierarchy><node text=\"" + kDots);
}

TEST_CASE("secrets: the device gets the text and no word of the secret", "[secrets]") {
  const Execution execution = typing(kSecret);
  CHECK(execution.actions.front().as<EnterText>()->secret);
  CHECK_FALSE(to_json(execution).contains("secret"));
  CHECK(to_json(execution).contains(R"("text":"hunter2")"));
  CHECK(parse_execution(payload_json(execution)).value() == execution);
  CHECK(secrets_of(execution).texts() == std::vector<std::string>{"hunter2"});
  const Execution open = typing(R"({"matcher":{"role":"r"},"text":"hunter2","secret":false})");
  CHECK(secrets_of(open).empty());
  CHECK(typed_by(open).has("hunter2"));
}

TEST_CASE("secrets: a plan is shown with the mask, and says why", "[secrets]") {
  const std::string shown = payload_json(masked(typing(kSecret)));
  CHECK_FALSE(shown.contains("hunter2"));
  CHECK(shown.contains(R"("text":")" + kDots + R"(","secret":true})"));
  Execution open = typing(R"({"matcher":{"role":"r"},"text":"hunter2"})");
  CHECK(masked(open) == open);
  mark_secret(open, of({"hunter2"}));
  CHECK_FALSE(to_json(masked(open)).contains("hunter2"));
}

TEST_CASE("secrets: a payload that is none of ours is masked, too", "[secrets]") {
  const std::string wrong = R"({"actions":[{"type":"x","params":{"value":"hunter2","secret":1}}]})";
  CHECK_FALSE(masked_payload(wrong).contains("hunter2"));
  const std::string open = R"({"actions":[{"params":{"text":"Ada","secret":false}}]})";
  CHECK(masked_payload(open) == open);
  CHECK(masked_payload("[]") == "[]");
}

TEST_CASE("secrets: what is wrong with a payload quotes nothing of it", "[secrets]") {
  const auto fault = parse_execution(R"({"text":"x","secret":true,"text":"hunter2)");
  REQUIRE_FALSE(fault);
  CHECK_FALSE(to_json(fault.error()).contains("hunter2"));
  CHECK(masked_fault("a; last read: 'b'", "b") == "a; last read: 'b'");
  CHECK_FALSE(to_json(malformed_envelope("a; last read: 'b'").error()).contains("last read"));
}
