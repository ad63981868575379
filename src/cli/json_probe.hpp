#pragma once
// Questions to JSON text of any size that need no document: a tree of small values takes up to a
// hundred times the memory of its text.

#include <string>
#include <string_view>

namespace clawperator::cli {

// The parser's own words about what is wrong, without its exception id; empty when nothing is.
std::string json_fault(std::string_view text);

// The hierarchy inside what `snapshot` printed, the first text at
// /envelope/stepResults/*/data/text; empty when there is none, or the text is no JSON.
std::string snapshot_text_in(std::string_view json);

}  // namespace clawperator::cli
