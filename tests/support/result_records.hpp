#pragma once
// A result's line as the Operator app writes it since 0.10: one line up to 3000 bytes, else
// records. Written from the app's description (operator-today, 1.1).

#include <string>
#include <string_view>
#include <vector>

#include "adbproto/crypto/sha256.hpp"
#include "adbproto/wire/base64.hpp"
#include "base/json_text.hpp"

namespace clawperator::testing {

// The records of `line`, however short it is.
inline std::vector<std::string> result_records(std::string_view line, std::string_view command_id,
                                               std::string_view task_id) {
  constexpr std::size_t kPiece = 1024;
  const std::size_t count = (line.size() + kPiece - 1) / kPiece;
  const std::string digest = adbproto::sha256_of(line);
  const std::string name = line.starts_with("[Androperator-") ? "[Androperator-" : "[Clawperator-";
  std::vector<std::string> records;
  records.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    records.push_back(name + "Result-Chunk] " +
                      JsonObject()
                          .text("commandId", command_id)
                          .text("taskId", task_id)
                          .number("index", static_cast<std::int64_t>(i))
                          .number("count", static_cast<std::int64_t>(count))
                          .number("byteLength", static_cast<std::int64_t>(line.size()))
                          .text("sha256", digest)
                          .text("data", adbproto::encode_base64(
                                            adbproto::as_bytes(line.substr(i * kPiece, kPiece))))
                          .str());
  }
  return records;
}

inline std::vector<std::string> result_lines(std::string_view line, std::string_view command_id,
                                             std::string_view task_id) {
  if (line.size() <= 3000) return {std::string(line)};
  return result_records(line, command_id, task_id);
}

}  // namespace clawperator::testing
