#pragma once
// The options of push, pull and sync:  [-a] [-z ALGORITHM] [-Z] [-n] [-q] [--sync] PATH...

#include <string>
#include <vector>

#include "adbproto/client/sync_client.hpp"

namespace clawperator::cli {

enum class Direction { push, pull };

struct TransferLine {
  adbproto::TransferOptions options{};
  bool quiet = false;
  std::vector<std::string> paths{};
};

// Fails with adb's words.
Result<TransferLine> read_transfer_line(Direction direction,
                                        const std::vector<std::string>& arguments);

}  // namespace clawperator::cli
