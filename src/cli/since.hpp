#pragma once
// The earlier screen that `--since` names.

#include <string>

#include "base/error.hpp"
#include "runtime/act/snapshot.hpp"

namespace clawperator::cli {

// `value` is a file (the XML, or the JSON a `snapshot` printed) or a tree hash. A file that is
// neither, or cannot be read, is an error; an unknown hash is not.
Result<act::Since> read_since(const std::string& value, const act::SnapshotStore& store);

}  // namespace clawperator::cli
