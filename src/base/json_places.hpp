#pragma once
// Where the parts of a JSON text are, for faults that are reported at their places. The text was
// parsed before; of other texts a place within them comes back.

#include "base/prelude.hpp"
#include "base/text_place.hpp"

namespace base {

// Where a value begins.
struct JsonPart {
  std::size_t offset = 0;
  TextPlace place{};
};

// The member of that name, or the element of that index, of the value at `from`; of a repeated name
// the last one. Where there is none, `from` itself, behind blanks.
JsonPart json_part(std::string_view json, std::string_view name, JsonPart from = {});

// The elements of an array, or the values of an object.
std::vector<JsonPart> json_parts(std::string_view json, JsonPart of);

// The place that a parser's message names, as in "parse error at line 2, column 5: ..."; else the
// beginning.
TextPlace place_in(std::string_view message);

}  // namespace base
