#pragma once
// Unchanged parts of a JSON text, for values that go back to their sender. read_json must have
// accepted the text; for any other text the parts are undefined.

#include "base/prelude.hpp"

namespace base {

// The elements of an array; empty for a value that is no array.
std::vector<std::string_view> element_slices(std::string_view json);

// The value of a member of an object, the last one for a repeated name; empty: absent.
std::string_view member_slice(std::string_view json, std::string_view name);

}  // namespace base
