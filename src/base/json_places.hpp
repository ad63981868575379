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

// The value at `path`, names of members and indices of elements, below the value at `from`; of a
// repeated name the last one. Where there is none, the place of the last part that exists.
JsonPart json_part(std::string_view json, std::span<const std::string> path, JsonPart from = {});

// The elements of an array, or the values of an object.
std::vector<JsonPart> json_parts(std::string_view json, JsonPart of);

// The place that a parser's message names, as in "parse error at line 2, column 5: ..."; else the
// beginning.
TextPlace place_in(std::string_view message);

}  // namespace base
