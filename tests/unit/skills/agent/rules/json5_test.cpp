#include "skills/agent/rules/json5.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <nlohmann/json.hpp>
#include <random>

#include "base/errc.hpp"
#include "support/print_result.hpp"

using namespace clawperator;
using namespace clawperator::agent_skills;

namespace {

Json same(std::string_view text) { return Json::parse(text); }

std::string complaint_of(std::string_view text) {
  const auto read = read_json5(text);
  return read ? "" : read.error().message();
}

}  // namespace

TEST_CASE("json5: what JSON has not", "[json5]") {
  // The short example of spec.json5.org.
  const auto read = read_json5(R"({
  // comments
  unquoted: 'and you can quote me on that',
  singleQuotes: 'I can use "double quotes" here',
  lineBreaks: "Look, Mom! \
No \\n's!",
  hexadecimal: 0xdecaf,
  leadingDecimalPoint: .8675309, andTrailing: 8675309.,
  positiveSign: +1,
  trailingComma: 'in objects', andIn: ['arrays',],
  "backwardsCompatible": "with JSON",
})");
  REQUIRE(read);
  CHECK(*read == same(R"({"unquoted":"and you can quote me on that",
    "singleQuotes":"I can use \"double quotes\" here","lineBreaks":"Look, Mom! No \\n's!",
    "hexadecimal":912559.0,"leadingDecimalPoint":0.8675309,"andTrailing":8675309.0,
    "positiveSign":1.0,"trailingComma":"in objects","andIn":["arrays"],
    "backwardsCompatible":"with JSON"})"));
}

TEST_CASE("json5: values", "[json5]") {
  CHECK(*read_json5(" /* a */ null // b") == nullptr);
  CHECK(*read_json5("\xEF\xBB\xBF true") == true);
  CHECK(read_json5("-Infinity")->get<double>() == -std::numeric_limits<double>::infinity());
  CHECK(std::isnan(read_json5("+NaN")->get<double>()));
  CHECK(read_json5("1e400")->get<double>() == std::numeric_limits<double>::infinity());
  CHECK(read_json5("1e-400")->get<double>() == 0);
  CHECK(read_json5("-0x1F")->get<double>() == -31);
  CHECK(*read_json5(R"('\x41\u0042\v\0\a\'\ud83d\ude00')") ==
        std::string("AB\v\0a'\xF0\x9F\x98\x80", 10));
  CHECK(*read_json5(R"("\ud83d")") == "\xEF\xBF\xBD");
  CHECK(*read_json5("'\xFF'") == "\xEF\xBF\xBD");
  CHECK(*read_json5("'a\\\r\nb'") == "ab");
  CHECK(*read_json5("{a:1,b:2,a:3}") == same(R"({"a":3.0,"b":2.0})"));
  CHECK(*read_json5("{\\u0061b$_1:0}") == same(R"({"ab$_1":0.0})"));
}

TEST_CASE("json5: where it is none", "[json5]") {
  CHECK(complaint_of("") == "line 1, column 1: a value was expected");
  CHECK(complaint_of("{a 1}") == "line 1, column 4: ':' was expected");
  CHECK(complaint_of("{a:1\n b:2}") == "line 2, column 2: ',' or '}' was expected");
  CHECK(complaint_of("[1 2]") == "line 1, column 4: ',' or ']' was expected");
  CHECK(complaint_of("'a\nb'") == "line 1, column 3: a text has no end");
  CHECK(complaint_of("/* a") == "line 1, column 3: a comment has no end");
  CHECK(complaint_of("1 2") == "line 1, column 3: nothing more was expected");
  for (const char* text : {"[,]", "{,}", "{a}", "01", "1a", "0x", "1e", ".", "-", "nul", "'\\1'",
                           "{1:2}", "\"a", "True", "[", "{", "'\\x4'", "'\\u12'"}) {
    INFO(text);
    CHECK_FALSE(read_json5(text));
  }
  CHECK(read_json5(std::string(60, '[') + std::string(60, ']')));
  CHECK(*read_json5("{a\u00a0:\u00a01\u2003}") == same(R"({"a":1.0})"));
  CHECK_FALSE(read_json5(std::string(70, '[') + std::string(70, ']')));
  CHECK(read_json5(std::string(2 << 20, ' ')).error().code() == errc::limit);
}

TEST_CASE("json5: an edit changes what it names and no other byte", "[json5]") {
  const std::vector<std::string> path{"a", "b"};
  CHECK(*with_member("", path, "1") == "{\n  \"a\": {\n    \"b\": 1\n  }\n}\n");
  CHECK(*with_member("{}", path, "1") == "{\n  \"a\": {\n    \"b\": 1\n  }\n}");
  CHECK(*with_member("{a:{b:0/*x*/}}//y", path, "1") == "{a:{b:1/*x*/}}//y");
  CHECK(*with_member("{a: {c: 1}}", path, "2") == "{a: {c: 1, b: 2}}");
  CHECK(*with_member("{'a': {'c': 1,}}", path, "2") == "{'a': {'c': 1, \"b\": 2,}}");
  CHECK(*with_member("{\n  a: {\n    c: 1 // one\n  },\n}\n", path, "2") ==
        "{\n  a: {\n    c: 1, // one\n    b: 2\n  },\n}\n");
  CHECK(*with_member("{\n\ta: {\n\t\tc: 1,\n\t},\n}\n", path, "2") ==
        "{\n\ta: {\n\t\tc: 1,\n\t\tb: 2,\n\t},\n}\n");
  CHECK(with_member("{a: 1}", path, "2").error().code() == errc::invalid_argument);
  CHECK(with_member("[]", path, "2").error().code() == errc::invalid_argument);
  CHECK(with_member("{a", path, "2").error().code() == errc::protocol);

  CHECK(*without_member("{a:{b:1}}", path) == "{a:{}}");
  CHECK(*without_member("{a:{b:1, c:2}}", path) == "{a:{c:2}}");
  CHECK(*without_member("{a:{c:2, b:1}}", path) == "{a:{c:2}}");
  CHECK(*without_member("{a:{\n  b: 1, // one\n  c: 2\n}}", path) == "{a:{\n  // one\n  c: 2\n}}");
  CHECK(*without_member("{a:{\n  b: 1,\n  c: 2\n}}", path) == "{a:{\n  c: 2\n}}");
  CHECK(*without_member("{a:{b:1,b:2}}", path) == "{a:{}}");
  CHECK(*without_member("{a:{b:1/*x*/,/*y*/c:2}}", path) == "{a:{/*x*//*y*/c:2}}");
  CHECK(*without_member("{a:{c:2,/*y*/b:1/*x*/}}", path) == "{a:{c:2/*y*//*x*/}}");
  CHECK(*without_member("{a:{c:2, // y\n  b:1 // x\n}}", path) == "{a:{c:2 // y\n  // x\n}}");
  CHECK(without_member("{a:{b:1,b:2,b:3,b:4,b:5,b:6,b:7,b:8,b:9,b:10}}", path).error().code() ==
        errc::invalid_argument);
  CHECK(*without_member("{a:1}", path) == "{a:1}");
  CHECK(*without_member("{}", path) == "{}");
}

namespace {

// A document as people write them, and what it means.
class RandomDocument {
 public:
  explicit RandomDocument(unsigned seed) : random_(seed) {}

  unsigned below(unsigned most) { return static_cast<unsigned>(random_() % most); }
  std::string name() { return std::string(1, static_cast<char>('a' + below(5))); }

  std::string object(unsigned depth) {
    std::string text = "{" + gap();
    const unsigned count = below(4);
    for (unsigned i = 0; i < count; ++i) {
      const std::string quote = below(2) ? "\"" : "";
      text += quote + name() + quote + gap() + ":" + gap() + value(depth) + gap();
      if (i + 1 < count || below(2)) text += "," + gap();
    }
    return text + "}";
  }

 private:
  std::string value(unsigned depth) {
    if (depth > 0 && below(2)) return object(depth - 1);
    const char* const values[] = {"1", "'x}'", "[1, {a: 2},]", "null", "\"//\""};
    return values[below(5)];
  }

  std::string gap() {
    const char* const gaps[] = {"", "", " ", "\n  ", " // it's\n", "/*{*/"};
    return gaps[below(6)];
  }

  std::mt19937 random_;
};

Json* member_at(Json* document, const std::vector<std::string>& path) {
  for (const std::string& name : path) {
    if (!document->is_object() || !document->contains(name)) return nullptr;
    document = &(*document)[name];
  }
  return document;
}

bool can_be_set(Json* document, const std::vector<std::string>& path) {
  for (std::size_t depth = 0; depth < path.size(); ++depth) {
    if (!document->is_object()) return false;
    if (!document->contains(path[depth])) return true;
    if (depth + 1 < path.size()) document = &(*document)[path[depth]];
  }
  return true;
}

}  // namespace

TEST_CASE("json5: whatever the document, an edit means what it says", "[json5]") {
  for (unsigned seed = 0; seed < 4000; ++seed) {
    RandomDocument random(seed);
    const std::string text = random.object(3);
    const auto before = read_json5(text);
    INFO(seed << ": " << text);
    REQUIRE(before);
    const std::vector<std::string> path{random.name(), random.name()};

    Json expected = *before;
    const auto changed = with_member(text, path, "\"new\"");
    REQUIRE(changed.has_value() == can_be_set(&expected, path));
    if (changed) {
      expected[path[0]][path[1]] = "new";
      INFO(*changed);
      const auto after = read_json5(*changed);
      REQUIRE(after);
      CHECK(nlohmann::json(*after) == nlohmann::json(expected));
    }

    Json without = *before;
    if (Json* holder = member_at(&without, {path[0]}); holder != nullptr && holder->is_object()) {
      holder->erase(path[1]);
    }
    const auto removed = without_member(text, path);
    REQUIRE(removed);
    INFO(*removed);
    const auto after = read_json5(*removed);
    REQUIRE(after);
    CHECK(nlohmann::json(*after) == nlohmann::json(without));
  }
}
