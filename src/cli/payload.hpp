#pragma once
// Input from files and stdin: the execution of `exec`, the earlier screen of `--since`.

#include "base/error.hpp"
#include "runtime/act/snapshot.hpp"

namespace clawperator::cli {

// `{...}` is inline; `[...]` is a file of that name, inline if there is none; `-` is stdin; any
// other text is a file. The file's text is checked to be JSON (errors name the file).
Result<std::string> read_payload(std::string_view source);

// The two functions below read JSON text of any size without a document: for a tree of small values
// a document takes up to a hundred times the memory of its text.
// The parser's message about the first error, without its exception id; empty for valid JSON.
std::string json_fault(std::string_view text);

// The hierarchy in the output of `snapshot`: the first text at
// /envelope/stepResults/*/data/text. Empty when there is none, or when the text is no JSON.
std::string snapshot_text_in(std::string_view json);

// `value` is a tree hash or a file: the XML, or the JSON output of `snapshot`. A file that is
// neither, or that cannot be read, is an error; an unknown hash is not.
Result<act::Since> read_since(const std::string& value, const act::SnapshotStore& store);

}  // namespace clawperator::cli
