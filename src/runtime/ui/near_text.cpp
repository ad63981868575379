#include "runtime/ui/near_text.hpp"

#include <algorithm>

#include "base/text.hpp"
#include "base/utf8.hpp"

namespace clawperator {
namespace {

// Words of negation, folded; the languages that phones are mostly set to.
constexpr std::string_view kNegations =
    "not no none never nothing nor neither without cannot dont "
    "nicht kein keine keinen keiner keinem nie niemals ohne nein "
    "ne pas non jamais sans aucun aucune "
    "nunca sin tampoco nao sem nem senza mai "
    "niet geen nee zonder inte ingen ej utan nej ikke nei uden uten "
    "nie bez nu fara nem nincs ei ala ilman "
    "не нет ни нельзя без ні немає "
    "δεν μη μην οχι χωρισ "
    "degil hayir yok khong dung jangan tidak bukan tanpa "
    "لا لم لن عدم بدون غير לא אל ללא בלי नहीं न मत बिना";
// For languages that write words without blanks.
constexpr std::string_view kMarks[] = {"不", "没", "沒", "未", "無",   "无",
                                       "别", "別", "勿", "非", "ない", "ません",
                                       "안", "않", "못", "없", "아니", "ไม่"};
// English ones that lose a letter: "don't" is "do not".
constexpr std::string_view kContracted =
    "dont doesnt didnt cant couldnt wont wouldnt shouldnt isnt arent wasnt werent hasnt havent "
    "hadnt mustnt";
// "unsubscribe", "deactivate", "nepovolit"; "verme".
constexpr std::string_view kOpposingStarts =
    "un dis de des dez in im ir non anti mis ab ent ne nie не";
constexpr std::string_view kOpposingEnds = "me ma meyin mayin";

struct CharacterRange {
  char32_t first, last;
};

// Characters inside of words that do not count: marks, apostrophes, invisible ones.
constexpr CharacterRange kUncounted[] = {
    {0x27, 0x27},     {0x60, 0x60},     {0xad, 0xad},     {0xb4, 0xb4},       {0x2b9, 0x2df},
    {0x300, 0x36f},   {0x483, 0x489},   {0x591, 0x5c7},   {0x610, 0x61a},     {0x64b, 0x65f},
    {0x670, 0x670},   {0x1ab0, 0x1aff}, {0x1dc0, 0x1dff}, {0x200b, 0x200f},   {0x2018, 0x201b},
    {0x202a, 0x202e}, {0x2032, 0x2037}, {0x2060, 0x206f}, {0x20d0, 0x20ff},   {0x3099, 0x309c},
    {0xfe00, 0xfe0f}, {0xfe20, 0xfe2f}, {0xfeff, 0xfeff}, {0xe0100, 0xe01ef},
};
// End a word: blanks, dashes, dots, quotes and the like.
constexpr CharacterRange kGaps[] = {
    {0, 0x26},        {0x28, 0x2f},     {0x3a, 0x40},     {0x5b, 0x5f},     {0x7b, 0xa9},
    {0xab, 0xac},     {0xae, 0xb1},     {0xb6, 0xb8},     {0xbb, 0xbb},     {0xbf, 0xbf},
    {0xd7, 0xd7},     {0xf7, 0xf7},     {0x37e, 0x37e},   {0x387, 0x387},   {0x55a, 0x55f},
    {0x589, 0x58a},   {0x60c, 0x60d},   {0x61b, 0x61f},   {0x66a, 0x66d},   {0x6d4, 0x6d4},
    {0x964, 0x965},   {0x1680, 0x1680}, {0x2000, 0x200a}, {0x2010, 0x2017}, {0x201c, 0x2029},
    {0x202f, 0x2031}, {0x2038, 0x205f}, {0x2212, 0x2212}, {0x2e00, 0x2e7f}, {0x3000, 0x3004},
    {0x3008, 0x3020}, {0x3030, 0x3030}, {0x303d, 0x303d}, {0x30a0, 0x30a0}, {0x30fb, 0x30fb},
    {0xfe10, 0xfe1f}, {0xfe30, 0xfe6f}, {0xff5f, 0xff65}, {0xfffd, 0xfffd},
};

bool is_among(char32_t character, std::span<const CharacterRange> ranges) {
  const auto behind = std::ranges::upper_bound(
      ranges, character, {}, [](const CharacterRange& range) { return range.first; });
  return behind != ranges.begin() && character <= std::prev(behind)->last;
}

// Letters without their marks, in small letters; * is no letter.
constexpr char32_t kLatinBegin = 0xc0;
constexpr std::string_view kLatin =
    "aaaaaa*ceeeeiiiidnooooo*ouuuuy**aaaaaa*ceeeeiiiidnooooo*ouuuuy*y"
    "aaaaaaccccccccddddeeeeeeeeeegggggggghhhhiiiiiiiiii**jjkkklllllll"
    "lllnnnnnnnnnoooooo**rrrrrrssssssssttttttuuuuuuuuuuuuwwyyyzzzzzzs";
constexpr char32_t kMoreLatinBegin = 0x1e00;
constexpr std::string_view kMoreLatin =
    "aabbbbbbccddddddddddeeeeeeeeeeffgghhhhhhhhhhiiiikkkkkkllllllllmm"
    "mmmmnnnnnnnnoooooooopppprrrrrrrrssssssssssttttttttuuuuuuuuuuvvvv"
    "wwwwwwwwwwxxxxyyzzzzzzhtwy*s****aaaaaaaaaaaaaaaaaaaaaaaaeeeeeeee"
    "eeeeeeeeiiiioooooooooooooooooooooooouuuuuuuuuuuuuuyyyyyyyy******";

struct Spelling {
  char32_t letter;
  std::string_view as;
};
constexpr Spelling kSpellings[] = {
    {0xaa, "a"},  {0xb5, "μ"},  {0xba, "o"},   {0xc6, "ae"},   {0xde, "th"},  {0xdf, "ss"},
    {0xe6, "ae"}, {0xfe, "th"}, {0x132, "ij"}, {0x133, "ij"},  {0x152, "oe"}, {0x153, "oe"},
    {0x1a0, "o"}, {0x1a1, "o"}, {0x1af, "u"},  {0x1b0, "u"},   {0x218, "s"},  {0x219, "s"},
    {0x21a, "t"}, {0x21b, "t"}, {0x386, "α"},  {0x388, "ε"},   {0x389, "η"},  {0x38a, "ι"},
    {0x38c, "ο"}, {0x38e, "υ"}, {0x38f, "ω"},  {0x390, "ι"},   {0x3aa, "ι"},  {0x3ab, "υ"},
    {0x3ac, "α"}, {0x3ad, "ε"}, {0x3ae, "η"},  {0x3af, "ι"},   {0x3b0, "υ"},  {0x3c2, "σ"},
    {0x3ca, "ι"}, {0x3cb, "υ"}, {0x3cc, "ο"},  {0x3cd, "υ"},   {0x3ce, "ω"},  {0x400, "е"},
    {0x401, "е"}, {0x403, "г"}, {0x407, "і"},  {0x40c, "к"},   {0x40d, "и"},  {0x40e, "у"},
    {0x419, "и"}, {0x439, "и"}, {0x450, "е"},  {0x451, "е"},   {0x453, "г"},  {0x457, "і"},
    {0x45c, "к"}, {0x45d, "и"}, {0x45e, "у"},  {0x1e9e, "ss"},
};
static_assert(std::ranges::is_sorted(kSpellings, {}, &Spelling::letter));

constexpr bool is_within(char32_t letter, char32_t first, char32_t last) {
  return letter >= first && letter <= last;
}

char32_t small(char32_t letter) {
  if (is_within(letter, 'A', 'Z') || is_within(letter, 0x391, 0x3a9)) return letter + 0x20;
  if (is_within(letter, 0x400, 0x40f)) return letter + 0x50;
  if (is_within(letter, 0x410, 0x42f)) return letter + 0x20;
  const bool comes_in_pairs = is_within(letter, 0x460, 0x481) || is_within(letter, 0x48a, 0x4bf) ||
                              is_within(letter, 0x4d0, 0x52f);
  if (comes_in_pairs) return letter | 1;
  if (is_within(letter, 0x4c1, 0x4ce)) return letter + (letter & 1);
  return is_within(letter, 0x531, 0x556) ? letter + 0x30 : letter;
}

void append_utf8(std::string& out, char32_t letter) {
  const auto add = [&](char32_t bits) {
    out += static_cast<char>(static_cast<unsigned char>(bits));
  };
  if (letter < 0x80) return add(letter);
  if (letter < 0x800) {
    add(0xc0 | letter >> 6);
  } else if (letter < 0x10000) {
    add(0xe0 | letter >> 12);
    add(0x80 | (letter >> 6 & 0x3f));
  } else {
    add(0xf0 | letter >> 18);
    add(0x80 | (letter >> 12 & 0x3f));
    add(0x80 | (letter >> 6 & 0x3f));
  }
  add(0x80 | (letter & 0x3f));
}

void append_folded(std::string& out, char32_t letter) {
  const auto spelling = std::ranges::lower_bound(kSpellings, letter, {}, &Spelling::letter);
  if (spelling != std::end(kSpellings) && spelling->letter == letter) {
    out += spelling->as;
    return;
  }
  for (const auto& [begin, table] :
       {std::pair(kLatinBegin, kLatin), std::pair(kMoreLatinBegin, kMoreLatin)}) {
    if (letter < begin || letter - begin >= table.size()) continue;
    if (const char base = table[letter - begin]; base != '*') {
      out += base;
      return;
    }
  }
  append_utf8(out, small(letter));
}

// The first character of a text that is not empty, which loses it; U+FFFD for a byte of none.
char32_t take_character(std::string_view& text) {
  const std::size_t size = base::sequence_length(text);
  const std::string_view bytes = text.substr(0, std::max<std::size_t>(size, 1));
  text.remove_prefix(bytes.size());
  if (size == 0) return 0xfffd;
  auto character = static_cast<char32_t>(static_cast<unsigned char>(bytes.front()));
  if (size > 1) character &= (1U << (7 - size)) - 1;
  for (const char byte : bytes.substr(1)) {
    character = character << 6 | (static_cast<unsigned char>(byte) & 0x3fU);
  }
  return character;
}

std::size_t count_of(std::string_view text, std::string_view mark) {
  std::size_t count = 0;
  for (auto at = text.find(mark); at != text.npos; at = text.find(mark, at + mark.size())) ++count;
  return count;
}

std::u32string characters_of(std::string_view text) {
  std::u32string characters;
  while (!text.empty()) characters += take_character(text);
  return characters;
}

// Letters that are wrong, missing or too many, and neighbours that are swapped.
std::size_t count_typos(const std::u32string& a, const std::u32string& b) {
  std::vector<std::size_t> before_last(b.size() + 1), last(b.size() + 1), now(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) last[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    now[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t wrong = a[i - 1] == b[j - 1] ? 0 : 1;
      now[j] = std::min({last[j] + 1, now[j - 1] + 1, last[j - 1] + wrong});
      const bool is_swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (is_swapped) now[j] = std::min(now[j], before_last[j - 2] + 1);
    }
    before_last.swap(last);
    last.swap(now);
  }
  return last[b.size()];
}

std::u32string digits_of(const std::u32string& text) {
  std::u32string digits;
  std::ranges::copy_if(text, std::back_inserter(digits),
                       [](char32_t character) { return is_within(character, '0', '9'); });
  return digits;
}

// "Item 9" is not "Item 1": another number names another thing.
// Opposites that look alike mostly differ at the beginning (include, exclude; import, export) or in
// two letters of a short word (minimize, maximize).
bool is_typo(const std::u32string& wanted, const std::u32string& shown) {
  constexpr std::size_t kLeast = 3;  // of shorter words half would be near
  constexpr std::size_t kLong = 10;  // from here on two letters may be wrong
  constexpr std::size_t kMost = 64;  // a longer text is copied, not typed
  const std::size_t shorter = std::min(wanted.size(), shown.size());
  const std::size_t longer = std::max(wanted.size(), shown.size());
  const std::size_t allowed = shorter < kLong ? 1 : 2;
  if (shorter < kLeast || longer > kMost || longer - shorter > allowed) return false;
  if (longer == kLeast) return false;  // "cat" and "car" are two words
  if (digits_of(wanted) != digits_of(shown)) return false;
  return wanted.front() == shown.front() && count_typos(wanted, shown) <= allowed;
}

}  // namespace

NearText::NearText(std::string_view text, Kind kind) {
  text = text.substr(0, kMost);
  bool was_small = false;
  words_.push_back(0);
  while (!text.empty()) {
    const char32_t character = take_character(text);
    if (kind == Kind::id && was_small && is_within(character, 'A', 'Z')) end_word();
    was_small = is_within(character, 'a', 'z');
    take(character);
  }
  end_word();
  for (const std::string_view mark : kMarks) negations_ += count_of(letters_, mark);
}

void NearText::take(char32_t character) {
  if (is_within(character, 0xff01, 0xff5e)) character -= 0xfee0;  // the wide forms of ASCII
  if (is_among(character, kUncounted)) return;
  if (is_among(character, kGaps)) return end_word();
  append_folded(letters_, character);
}

void NearText::end_word() {
  const std::size_t begin = words_.back();
  if (begin == letters_.size()) return;
  std::string word = letters_.substr(begin);
  const bool is_contracted = is_one_of(word, kContracted);
  if (is_contracted || is_one_of(word, kNegations)) ++negations_;
  if (is_contracted) {
    word.resize(word.size() - 2);
    word = word == "ca" ? "can" : word == "wo" ? "will" : word;
    letters_.replace(begin, letters_.npos, word + "not");
  }
  words_.push_back(letters_.size());
}

std::string_view NearText::word_around(std::size_t place) const {
  const auto behind = std::ranges::upper_bound(words_, place);
  const std::size_t begin = *std::prev(behind);
  const std::size_t end = behind == words_.end() ? letters_.size() : *behind;
  return std::string_view(letters_).substr(begin, end - begin);
}

// An occurrence that is most of a word can be the opposite of that word.
Nearness NearText::holds(const NearText& part) const {
  Nearness best = Nearness::nothing;
  const std::string& wanted = part.letters_;
  for (auto at = letters_.find(wanted); at != letters_.npos; at = letters_.find(wanted, at + 1)) {
    const std::size_t end = at + wanted.size();
    const std::string_view first = word_around(at), last = word_around(end - 1);
    const auto* here = letters_.data();
    const std::string_view before(first.data(), here + at);
    const std::string_view after(here + end, last.data() + last.size());
    if (!is_one_of(before, kOpposingStarts) && !is_one_of(after, kOpposingEnds)) {
      return Nearness::part;
    }
    best = Nearness::opposite;
  }
  return best;
}

Nearness NearText::misspells(const NearText& shown) const {
  const std::u32string wanted = characters_of(letters_);
  if (is_typo(wanted, characters_of(shown.letters_))) return Nearness::typo;
  if (words_.size() > 2) return Nearness::nothing;  // the end of the last word is among them
  for (std::size_t i = 0; i + 1 < shown.words_.size(); ++i) {
    const std::size_t begin = shown.words_[i];
    const auto word = shown.letters_.substr(begin, shown.words_[i + 1] - begin);
    if (is_typo(wanted, characters_of(word))) return Nearness::word_typo;
  }
  return Nearness::nothing;
}

Nearness NearText::to(const NearText& shown) const {
  constexpr std::size_t kMinWanted = 3;  // a shorter text matches too much
  if (letters_.empty() || shown.letters_.empty()) return Nearness::nothing;
  Nearness near = Nearness::equal;
  if (letters_ != shown.letters_) near = shown.holds(*this);
  if (near == Nearness::nothing && shown.letters_.size() >= kMinWanted) near = holds(shown);
  if (near == Nearness::nothing) near = misspells(shown);
  const bool differs = negations_ != shown.negations_;
  return near != Nearness::nothing && differs ? Nearness::opposite : near;
}

}  // namespace clawperator
