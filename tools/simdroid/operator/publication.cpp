#include "simdroid/operator/publication.hpp"

#include <nlohmann/json.hpp>

#include "adbproto/crypto/sha256.hpp"
#include "adbproto/wire/base64.hpp"
#include "simdroid/operator/node_json.hpp"

namespace simdroid {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kLongestLine = 3000;
constexpr std::size_t kPieceBytes = 1024;

std::string publication(const OperatorNames& names, const ResultIds& ids, std::string_view event,
                        std::size_t bytes, std::size_t written, Duration elapsed) {
  const std::size_t records = record_count(bytes);
  const auto ms = std::chrono::duration_cast<std::chrono::milliseconds>(elapsed).count();
  return names.line("Publication", json_text({{"commandId", ids.command_id},
                                              {"taskId", ids.task_id},
                                              {"event", event},
                                              {"byteLength", bytes},
                                              {"recordCount", records},
                                              {"chunkCount", bytes > kLongestLine ? records : 0},
                                              {"writtenRecords", written},
                                              {"elapsedMs", ms}}));
}

}  // namespace

std::size_t record_count(std::size_t bytes) {
  return bytes <= kLongestLine ? 1 : (bytes + kPieceBytes - 1) / kPieceBytes;
}

// Cut at bytes: a character may lie in two records.
std::vector<std::string> result_records(const OperatorNames& names, const ResultIds& ids,
                                        const std::string& line) {
  const std::size_t count = record_count(line.size());
  if (count == 1) return {line};
  const std::string digest = adbproto::sha256_of(line);
  std::vector<std::string> records;
  records.reserve(count);
  for (std::size_t index = 0; index < count; ++index) {
    const auto piece = std::string_view(line).substr(index * kPieceBytes, kPieceBytes);
    records.push_back(names.line(
        "Result-Chunk", json_text({{"commandId", ids.command_id},
                                   {"taskId", ids.task_id},
                                   {"index", index},
                                   {"count", count},
                                   {"byteLength", line.size()},
                                   {"sha256", digest},
                                   {"data", adbproto::encode_base64(adbproto::as_bytes(piece))}})));
  }
  return records;
}

std::string publication_started(const OperatorNames& names, const ResultIds& ids,
                                std::size_t bytes) {
  return publication(names, ids, "started", bytes, 0, Duration::zero());
}

std::string publication_completed(const OperatorNames& names, const ResultIds& ids,
                                  std::size_t bytes, Duration elapsed) {
  return publication(names, ids, "writes_completed", bytes, record_count(bytes), elapsed);
}

}  // namespace simdroid
