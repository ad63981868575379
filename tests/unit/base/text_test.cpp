#include "base/text.hpp"

#include <catch2/catch.hpp>

namespace base {
namespace {

TEST_CASE("text lines: trimming takes blanks, tabs and line ends from both ends alone") {
  CHECK(trimmed(" \t a b\r\n") == "a b");
  CHECK(trimmed("a") == "a");
  CHECK(trimmed(" \r\n\t") == "");
  CHECK(trimmed("") == "");
}

TEST_CASE("text: only ASCII's letters have a lower case") {
  CHECK(ascii_lower("ScrollUNTIL_\u00c9") == "scrolluntil_\u00c9");
  CHECK(in_quotes("a 'b'") == "'a 'b''");
}

TEST_CASE("text: all but the unreserved characters of a URI are encoded") {
  CHECK(percent_encoded("aZ9-_.~") == "aZ9-_.~");
  CHECK(percent_encoded("a b/c?d&e=\xc3\xa4") == "a%20b%2Fc%3Fd%26e%3D%C3%A4");
  CHECK(percent_encoded("a b/c", "/") == "a%20b/c");
}

TEST_CASE("text: texts are joined, and each mark is replaced once") {
  const std::vector<std::string> texts{"a", "", "b"};
  CHECK(joined(texts, ", ") == "a, , b");
  CHECK(joined({}, ", ").empty());
  CHECK(replaced("a-b-", "-", "--") == "a--b--");
}

TEST_CASE("text: a run of what is not kept is one gap, and none at the ends") {
  CHECK(with_gaps("--My  Skill_v2!", '-', is_letter_or_digit) == "My-Skill-v2");
  CHECK(with_gaps("\xc3\xa4-", '-', is_letter_or_digit).empty());
}

TEST_CASE("text lines: trimming the end leaves the beginning") {
  CHECK(trimmed_end(" a b\t\r\n ") == " a b");
  CHECK(trimmed_end(" \n") == "");
}

TEST_CASE("text lines: lines are taken off the front, the last one without its line feed too") {
  std::string_view text = "one\r\n\n  two";
  CHECK(take_line(&text) == "one");
  CHECK(take_line(&text) == "");
  CHECK(take_line(&text) == "two");
  CHECK(text.empty());
  CHECK(take_line(&text) == "");
}

TEST_CASE("text lines: the first line ends at either line end, or where it is too long") {
  CHECK(first_line("one\r\ntwo") == "one");
  CHECK(first_line("one\ntwo") == "one");
  CHECK(first_line("one") == "one");
  CHECK(first_line("abcdef\n", 3) == "abc");
  CHECK(first_line("") == "");
}

TEST_CASE("text lines: of the last lines the text's end decides what a line is") {
  CHECK(last_lines("a\nb\nc\n", 2) == "b\nc\n");
  CHECK(last_lines("a\nb\nc", 1) == "c");
  CHECK(last_lines("a\nb\n", 5) == "a\nb\n");
  CHECK(last_lines("", 3) == "");
  CHECK(last_lines("\n\n", 1) == "\n");
}

TEST_CASE("text lines: the last bytes of a short text are all of it") {
  CHECK(last_bytes("abcdef", 2) == "ef");
  CHECK(last_bytes("ab", 5) == "ab");
  CHECK(last_bytes("", 5) == "");
}

}  // namespace
}  // namespace base
