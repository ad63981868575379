#include <catch2/catch.hpp>

#include "skills/hub/client.hpp"

using namespace clawperator::hub;

TEST_CASE("hub token: it is taken out however it is spelled") {
  const std::string token = "ab/cd+ef\\g%2h";
  for (const char* spelled :
       {"ab/cd+ef\\g%2h", R"(ab\/cd+ef\\g%2h)", R"(\u0061b\u002Fcd\u002bef\u005cg%2h)",
        "ab%2Fcd%2Bef%5Cg%252h", "ab%2fcd%2bef%5cg%252h", "%61%62/cd+ef%5Cg%252h"}) {
    CAPTURE(spelled);
    CHECK(without_token("<" + std::string(spelled) + ">" + spelled, token) == "<***>***");
  }
  CHECK(without_token("", token).empty());
  CHECK(without_token("100% \\", "").size() == 6);
  for (const char* other : {"100% of it \\", "\\u12", "%4", "%zz", "ab/cd+ef\\g%2", "\\", "%"}) {
    CHECK(without_token(other, token) == other);
  }
}

TEST_CASE("hub token: it goes on behind what stands for it") {
  CHECK(without_token("a ******** b", "********") == "a *** b");
  CHECK(without_token("a *** b", "***") == "a *** b");
  CHECK(without_token("TTTTTTTTTTTTTTTTT", "TTTTTTTT") == "******T");
}

TEST_CASE("hub token: an answer of nothing but tokens is done in one pass") {
  const std::string answer(std::size_t{1} << 20, 'T');
  const std::string shown = without_token(answer, "TTTTTTTT");
  CHECK(shown.size() == answer.size() / 8 * 3);
  std::string almost;
  while (almost.size() < answer.size()) almost += std::string(4095, 'T') + "%41";
  CHECK(without_token(almost, std::string(4096, 'T')) == almost);
}
