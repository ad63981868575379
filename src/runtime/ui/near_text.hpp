#pragma once
// Texts as people compare them: case, accents, quotes, dashes, dots and blanks do not count.
//
//   "Don’t allow" = "don't allow" = "DO NOT ALLOW"      "Wi‑Fi" = "wifi"      "Größe…" = "grosse"
//
// A text with the opposite meaning is never near: "Allow" is a part of "Don't allow", and its
// caller must not get it.

#include <algorithm>

#include "base/prelude.hpp"

namespace clawperator {

enum class Nearness : std::uint8_t {
  nothing,
  part,       // one of the two is a part of the other
  word_typo,  // as `typo`, of one word of the text
  typo,       // a letter or two are wrong, missing, too many or swapped, but not the first one
  opposite,   // the same, but one of them has more negations
  equal,
};

class NearText {
 public:
  // In an id a capital letter begins a word, too.
  enum class Kind : std::uint8_t { prose, id };

  // Only the beginning of a text counts that is longer than kMost.
  static constexpr std::size_t kMost = 4096;
  explicit NearText(std::string_view text, Kind kind = Kind::prose);

  // Compares this text, which is wanted, with one on the screen.
  [[nodiscard]] Nearness to(const NearText& shown) const;

 private:
  void end_word();
  void take(char32_t character);
  [[nodiscard]] std::string_view word_around(std::size_t place) const;
  [[nodiscard]] Nearness holds(const NearText& part) const;
  [[nodiscard]] Nearness misspells(const NearText& shown) const;

  std::string letters_;             // of all words, one behind the other
  std::vector<std::size_t> words_;  // where they begin
  std::size_t negations_ = 0;
};

// Of what was compared: at most `most` of those that are near, the nearest first, else in order.
template <class Thing>
std::vector<Thing> nearest_first(std::vector<std::pair<Nearness, Thing>> compared,
                                 std::size_t most) {
  std::erase_if(compared, [](const auto& one) {
    return one.first == Nearness::nothing || one.first == Nearness::opposite;
  });
  std::ranges::sort(compared, [](const auto& one, const auto& other) {
    return one.first != other.first ? one.first > other.first : one.second < other.second;
  });
  compared.resize(std::min(compared.size(), most));
  std::vector<Thing> things;
  things.reserve(compared.size());
  for (auto& [near, thing] : compared) things.push_back(std::move(thing));
  return things;
}

}  // namespace clawperator
