#pragma once
// Secret texts, such as a typed password. They are masked in everything that is written about an
// execution, from its answer to the log. Pure.
//
//   {"text":"hun\"ter"}   text="hun&quot;ter"   input text 'hun"ter'   ->   the mask instead

#include "base/error.hpp"

namespace base {

// Like a password field, but always of the same length; masking a masked text changes nothing.
inline constexpr std::string_view kMask = "\u2022\u2022\u2022\u2022";

class Secrets {
 public:
  void add(std::string_view text);  // an empty one is ignored
  void add(const Secrets& more);

  [[nodiscard]] bool empty() const { return patterns_.empty(); }
  [[nodiscard]] bool has(std::string_view text) const;
  [[nodiscard]] std::vector<std::string> texts() const;

  // However it is spelled: as it is, or escaped for JSON, XML or a shell. One of less than three
  // characters stands in too much else: it is masked only where it is the whole text.
  [[nodiscard]] std::string masked(std::string_view text) const;
  // The same for the beginning of a longer text, at whose end a secret may be cut off.
  [[nodiscard]] std::string masked_beginning(std::string_view text) const;
  // Masks the string values of a JSON text, except ids: "device", and names that end with "Id".
  [[nodiscard]] std::string masked_json(std::string_view json) const;
  [[nodiscard]] Error masked(const Error& error) const;
  // Of a hierarchy what an app shows: no bounds, classes or ids.
  [[nodiscard]] std::string masked_xml(std::string_view xml) const;

 private:
  // For each character of the text, the strings that may stand for it.
  struct Pattern {
    std::string text;
    std::vector<std::vector<std::string>> spellings;
    bool is_short = false;

    // Where it ends that begins at `at`; `cut`: it may end with the text.
    [[nodiscard]] std::optional<std::size_t> end_of(std::string_view where, std::size_t at,
                                                    bool cut) const;
  };

  [[nodiscard]] std::string replaced(std::string_view text, bool cut) const;
  [[nodiscard]] std::string masked_string(std::string_view quoted) const;

  std::vector<Pattern> patterns_;
  std::string beginnings_;  // the bytes with which any of them may begin
};

}  // namespace base
