#include "simdroid/operator/log_record.hpp"

#include <catch2/catch.hpp>

using namespace simdroid;
using Pieces = std::vector<std::string>;

namespace {

std::string letters(std::size_t count, char letter = 'x') { return std::string(count, letter); }

}  // namespace

TEST_CASE("log splitting: a message below 4000 characters is one entry with its line breaks") {
  CHECK(split_log_message("") == Pieces{""});
  CHECK(split_log_message("a\nb\n") == Pieces{"a\nb\n"});
  const std::string longest = letters(1999) + "\n" + letters(1999);
  CHECK(split_log_message(longest) == Pieces{longest});
}

TEST_CASE("log splitting: from 4000 characters on every line is an entry, long lines are several") {
  CHECK(split_log_message(letters(4000)) == Pieces{letters(4000)});
  CHECK(split_log_message(letters(4001)) == Pieces{letters(4000), letters(1)});
  CHECK(split_log_message(letters(8000)) == Pieces{letters(4000), letters(4000)});
  CHECK(split_log_message("a\n\n" + letters(4000) + "\nb") == Pieces{"a", "", letters(4000), "b"});
  CHECK(split_log_message(letters(4100) + "\nend\n") == Pieces{letters(4000), letters(100), "end"});
}

TEST_CASE("log splitting: characters are counted in UTF-16 units, not bytes") {
  std::string umlauts;
  for (int i = 0; i < 3999; ++i) umlauts += "\xc3\xa4";
  CHECK(split_log_message(umlauts) == Pieces{umlauts});
  const auto pieces = split_log_message(umlauts + "\xc3\xa4z");
  REQUIRE(pieces.size() == 2);
  CHECK(pieces[0].size() == 8000);
  CHECK(pieces[1] == "z");
  std::string faces;
  for (int i = 0; i < 2000; ++i) faces += "\xf0\x9f\x98\x80";
  CHECK(split_log_message(faces) == Pieces{faces});
  CHECK(split_log_message(faces + "!").size() == 2);
}

TEST_CASE("log splitting: half a surrogate pair at a border is three bytes on either side") {
  // U+1F600 is D83D DE00.
  const auto pieces = split_log_message(letters(3999) + "\xf0\x9f\x98\x80" + "end");
  REQUIRE(pieces.size() == 2);
  CHECK(pieces[0] == letters(3999) + "\xed\xa0\xbd");
  CHECK(pieces[1] ==
        "\xed\xb8\x80"
        "end");
}

TEST_CASE("log splitting: pieces put together are the message, for every length around a border") {
  for (std::size_t length = 3990; length < 4010; ++length) {
    const std::string message = letters(length, 'a') + "\n" + letters(10, 'b');
    std::string joined;
    for (const std::string& piece : split_log_message(message)) {
      joined += piece;
      if (joined.size() == length) joined += "\n";
    }
    CHECK(joined == message);
  }
}

TEST_CASE("log splitting: broken UTF-8 does not break it") {
  CHECK(split_log_message(letters(5000, '\xff')).size() >= 1);
  CHECK(split_log_message(letters(5000) + "\xf0\x9f").size() == 2);
  CHECK(split_log_message(letters(5000, '\x80')).size() == 1);
}
