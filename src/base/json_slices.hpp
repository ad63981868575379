#pragma once
// Parts of a JSON text as they stand in it, for what goes back to its sender as it came. The text
// is one that read_json has read; of any other one the parts are some pieces of it.

#include "base/prelude.hpp"

namespace base {

// The elements of an array; none of what is no array.
std::vector<std::string_view> element_slices(std::string_view json);

// The value of a member of an object, the last one of several of that name; empty: there is none.
std::string_view member_slice(std::string_view json, std::string_view name);

}  // namespace base
