#include "skills/phone/rules/merge.hpp"

#include <catch2/catch.hpp>

using namespace clawperator;
using namespace clawperator::phone_skills;

namespace {

std::string entry(const std::string& id, const std::string& summary = "s") {
  return R"({"id":")" + id + R"(","summary":")" + summary + R"("})";
}

std::string registry(const std::vector<std::string>& entries, const std::string& before = "") {
  std::string text = "{" + before + R"("skills":[)";
  for (const std::string& one : entries) text += (text.ends_with('[') ? "" : ",") + one;
  return text + "]}";
}

// Without blanks, to compare.
std::string merged(const std::string& base, const std::string& local, const std::string& incoming) {
  const auto done = merge_registry(base, local, incoming);
  REQUIRE(done);
  CHECK(done->conflicts.empty());
  std::string text = done->text;
  std::erase_if(text, [](char c) { return c == ' ' || c == '\n'; });
  return text;
}

std::vector<std::string> conflicts(const std::string& base, const std::string& local,
                                   const std::string& incoming) {
  const auto done = merge_registry(base, local, incoming);
  REQUIRE(done);
  CHECK(done->text.empty() == !done->conflicts.empty());
  return done->conflicts;
}

using Ids = std::vector<std::string>;

}  // namespace

TEST_CASE("merge: an unchanged side keeps its bytes", "[skills]") {
  const std::string base = registry({entry("a")});
  const std::string other = "{ \"skills\" :\t[] }";
  CHECK(merge_registry(base, base, other)->text == other);
  CHECK(merge_registry(base, other, base)->text == other);
  CHECK(merge_registry(base, other, other)->text == other);
  CHECK(merge_registry(base, "{oops", base)->text == "{oops");
  // Indented anew, nothing else.
  CHECK(merge_registry(base, " " + base + "\n", other)->text == other);
}

TEST_CASE("merge: local entries stay, upstream's arrive, in upstream's order", "[skills]") {
  const std::string base = registry({entry("m"), entry("b")});
  const std::string local = registry({entry("z"), entry("m"), entry("c"), entry("b")});
  const std::string incoming = registry({entry("x"), entry("m", "new"), entry("b")});
  CHECK(merged(base, local, incoming) ==
        registry({entry("x"), entry("m", "new"), entry("b"), entry("c"), entry("z")}));
}

TEST_CASE("merge: an entry that one side changed is that side's", "[skills]") {
  const std::string base = registry({entry("a"), entry("b"), entry("c")});
  const std::string local = registry({entry("a", "mine"), entry("b")});
  const std::string incoming = registry({entry("a"), entry("c")});
  CHECK(merged(base, local, incoming) == registry({entry("a", "mine")}));
}

TEST_CASE("merge: what both changed is a conflict, each id named", "[skills]") {
  const std::string base = registry({entry("a"), entry("b"), entry("c")});
  const std::string local = registry({entry("a", "1"), entry("b", "1"), entry("c"), entry("n")});
  CHECK(conflicts(base, local, registry({entry("a", "2"), entry("c", "2"), entry("n", "2")})) ==
        Ids{"a", "n", "b"});
  // The same change twice is none.
  CHECK(conflicts(base, local, registry({entry("a", "1"), entry("b", "1")})).empty());
}

TEST_CASE("merge: what the user removed comes back only when upstream changed it", "[skills]") {
  const std::string base = registry({entry("a"), entry("b")});
  const std::string incoming = registry({entry("a", "new"), entry("b"), entry("c")});
  CHECK(merged(base, registry({}), incoming) == registry({entry("a", "new"), entry("c")}));
}

TEST_CASE("merge: members beside the skills, known or not", "[skills]") {
  const std::string base = registry({}, R"("schemaVersion":"1.0","gone":1,"at":"x",)");
  const std::string local = registry({}, R"("at":"y","schemaVersion":"1.0","gone":1,"mine":[2],)");
  const std::string incoming =
      registry({entry("a")}, R"("schemaVersion":"1.1","at":"z","new":{},)");
  CHECK(merged(base, local, incoming) ==
        R"({"schemaVersion":"1.1","at":"z","new":{},"skills":[)" + entry("a") + R"(],"mine":[2]})");
  // Upstream did not touch it.
  CHECK(merged(base, local, registry({entry("a")}, R"("at":"x",)")) ==
        R"({"at":"y","skills":[)" + entry("a") + R"(],"mine":[2]})");
}

TEST_CASE("merge: without a base everything local is the user's", "[skills]") {
  CHECK(merged("", registry({entry("a")}), registry({entry("b")})) ==
        registry({entry("b"), entry("a")}));
  CHECK(conflicts("", registry({entry("a")}), registry({entry("a", "2")})) == Ids{"a"});
  CHECK(merged("[]", registry({entry("a")}), registry({entry("b")})) ==
        registry({entry("b"), entry("a")}));
}

TEST_CASE("merge: entries are written as they were, indented by two", "[skills]") {
  const auto done = merge_registry("", R"({"skills":[{"id":"b","n":1.5,"u":{"x":[null]}}]})",
                                   R"({"skills":[{"id":"a"}],"v":1})");
  REQUIRE(done);
  CHECK(done->text == R"({
  "skills": [
    {
      "id": "a"
    },
    {
      "id": "b",
      "n": 1.5,
      "u": {
        "x": [
          null
        ]
      }
    }
  ],
  "v": 1
}
)");
}

TEST_CASE("merge: what cannot be merged by id is refused", "[skills]") {
  const std::string good = registry({entry("a")});
  for (const std::string& bad :
       {std::string("{oops"), std::string("[]"), std::string(R"({"skills":{}})"), registry({"1"}),
        registry({R"({"id":7})"}), registry({entry("a"), entry("a")})}) {
    CAPTURE(bad);
    const auto done = merge_registry(registry({}), bad, good);
    REQUIRE_FALSE(done);
    CHECK(done.error().code() == errc::protocol);
  }
}
