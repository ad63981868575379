#pragma once
// What is read of files and stdin: the execution of `exec`, the earlier screen that `--since`
// names.

#include "base/error.hpp"
#include "runtime/act/snapshot.hpp"

namespace clawperator::cli {

// `{...}` is inline; `[...]` is a file of that name, inline if there is none; `-` is stdin;
// everything else is a file, whose text is known to be JSON (its faults name the file).
Result<std::string> read_payload(std::string_view source);

// The two that follow are questions to JSON text of any size that need no document: a tree of small
// values takes up to a hundred times the memory of its text.
// The parser's own words about what is wrong, without its exception id; empty when nothing is.
std::string json_fault(std::string_view text);

// The hierarchy inside what `snapshot` printed, the first text at
// /envelope/stepResults/*/data/text; empty when there is none, or the text is no JSON.
std::string snapshot_text_in(std::string_view json);

// `value` is a file (the XML, or the JSON a `snapshot` printed) or a tree hash. A file that is
// neither, or cannot be read, is an error; an unknown hash is not.
Result<act::Since> read_since(const std::string& value, const act::SnapshotStore& store);

}  // namespace clawperator::cli
