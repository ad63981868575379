#include "base/utf8.hpp"

#include <catch2/catch.hpp>

using namespace clawperator;

TEST_CASE("harmless text: every control but line feed and tab is replaced, once a character") {
  for (char32_t point = 0; point < 0xa0; ++point) {
    CAPTURE(static_cast<unsigned>(point));
    std::string text;
    if (point >= 0x80) text += '\xc2';
    text += static_cast<char>(point);
    const bool shows = (point >= 0x20 && point < 0x7f) || point == '\n' || point == '\t';
    CHECK(harmless_text("a" + text + "b", "?") == (shows ? "a" + text + "b" : "a?b"));
  }
}

TEST_CASE("harmless text: what turns the direction of writing or breaks lines is replaced") {
  for (const char* text : {"\u061c", "\u200e", "\u200f", "\u2028", "\u2029", "\u202a", "\u202b",
                           "\u202c", "\u202d", "\u202e", "\u2066", "\u2067", "\u2068", "\u2069"}) {
    CHECK(harmless_text(text, "?") == "?");
  }
}

TEST_CASE("harmless text: letters of every script, emoji and their joiners stay") {
  for (const char* text :
       {"", "plain ~", "\u00a0\u00fc", "\u05d0\u0627", "\u200d\u200b", "\u2027", "\u202f", "\u2065",
        "\u206a", "\u65e5\u672c", "\U0001f980", "\U0010ffff", "\ufffd"}) {
    CHECK(harmless_text(text, "?") == text);
  }
}

TEST_CASE("harmless text: each byte of broken UTF-8 is replaced, so none is a control elsewhere") {
  CHECK(harmless_text("\x9b[2J", "?") == "?[2J");  // CSI where one byte is one character
  CHECK(harmless_text("\xc2", "?") == "?");
  CHECK(harmless_text("\xc2\x1b[", "?") == "??[");
  CHECK(harmless_text("\xc0\x9b", "?") == "??");            // overlong ESC
  CHECK(harmless_text("\xe0\x82\x9b", "?") == "???");       // overlong U+009B
  CHECK(harmless_text("\xed\xa0\x80", "?") == "???");       // a surrogate
  CHECK(harmless_text("\xf4\x90\x80\x80", "?") == "????");  // above U+10FFFF
  CHECK(harmless_text("\xe2\x80", "?") == "??");
}

TEST_CASE("harmless text: what stands instead may be any text") {
  CHECK(harmless_text("a\x1b\u202e", "\ufffd") == "a\ufffd\ufffd");
  CHECK(harmless_text("a\x1b", "") == "a");
}

TEST_CASE("utf8: a length in UTF-16 counts what is outside the basic plane twice") {
  CHECK(utf16_length("") == 0);
  CHECK(utf16_length("abc") == 3);
  CHECK(utf16_length("\u00e9\u20ac") == 2);
  CHECK(utf16_length("\U0001F600x") == 3);
}

TEST_CASE("utf8: a sequence is whole and well-formed, or there is none") {
  CHECK(sequence_length("abc") == 1);
  CHECK(sequence_length("\u00e9b") == 2);
  CHECK(sequence_length("\u20ac") == 3);
  CHECK(sequence_length("\U0001F600x") == 4);
  CHECK(sequence_length("\xe2\x82") == 0);
  CHECK(sequence_length("\x80") == 0);
  CHECK(sequence_length("\xed\xa0\x80") == 0);
}

TEST_CASE("utf8: characters are counted, not bytes", "[base]") {
  CHECK(base::character_count("") == 0);
  CHECK(base::character_count("a\u00e9\u20ac\U0001F600") == 4);
}
