#pragma once
// Secret texts, such as a typed password. They are masked in everything that is written about an
// execution, from its answer to the log. Pure.
//
//   {"text":"hun\"ter"}   text="hun&quot;ter"   input text 'hun"ter'   ->   the mask instead

#include "base/error.hpp"

namespace base {

// Looks like a password field, but always has the same length; masking twice changes nothing.
inline constexpr std::string_view kMask = "\u2022\u2022\u2022\u2022";

class Secrets {
 public:
  void add(std::string_view text);  // an empty one is ignored
  void add(const Secrets& more);

  [[nodiscard]] bool empty() const { return patterns_.empty(); }
  [[nodiscard]] bool has(std::string_view text) const;
  [[nodiscard]] std::vector<std::string> texts() const;

  // Masks every spelling: unchanged, or escaped for JSON, XML or a shell. A text of less than three
  // characters occurs in too many others: it is masked only if it is the whole text.
  [[nodiscard]] std::string masked(std::string_view text) const;
  // The same for the beginning of a longer text, which may end inside a secret.
  [[nodiscard]] std::string masked_beginning(std::string_view text) const;
  // Masks the string values of a JSON text, except ids: "device", and names that end with "Id".
  [[nodiscard]] std::string masked_json(std::string_view json) const;
  [[nodiscard]] Error masked(const Error& error) const;
  // Masks the visible texts of a hierarchy, not its bounds, classes or ids.
  [[nodiscard]] std::string masked_xml(std::string_view xml) const;

 private:
  // For each character of the text, its possible spellings.
  struct Pattern {
    std::string text;
    std::vector<std::vector<std::string>> spellings;
    bool is_short = false;

    // The end of the spelling that begins at `at`; `cut`: it may end with the text.
    [[nodiscard]] std::optional<std::size_t> end_of(std::string_view where, std::size_t at,
                                                    bool cut) const;
  };

  [[nodiscard]] std::string replaced(std::string_view text, bool cut) const;
  [[nodiscard]] std::string masked_string(std::string_view quoted) const;

  std::vector<Pattern> patterns_;
  std::string beginnings_;  // the possible first bytes
};

}  // namespace base
