#pragma once
// The intent arguments that `am` understands: -a -d -c -f -n -p --es --ez --ei ..., and how `am`
// prints the result.

#include <map>
#include <string>
#include <vector>

#include "simdroid/device/prelude.hpp"

namespace simdroid {

struct Intent {
  std::string action;
  std::string data;
  std::string package;
  std::string component;  // package/class
  std::vector<std::string> categories;
  std::map<std::string, std::string, std::less<>> extras;
  std::uint32_t flags = 0;
  bool wait = false;  // -W

  // "Intent { act=... cmp=... (has extras) }"
  [[nodiscard]] std::string to_string() const;
};

// args[from...]; errc::invalid_argument carries what `am` prints.
Result<Intent> parse_intent(const std::vector<std::string>& args, std::size_t from);

}  // namespace simdroid
