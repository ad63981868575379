#include "runtime/engine/result_chunks.hpp"

#include <nlohmann/json.hpp>

#include "adbproto/wire/base64.hpp"
#include "base/json_document.hpp"
#include "base/text.hpp"
#include "runtime/contract/envelope.hpp"

namespace clawperator {
namespace {

constexpr std::size_t kPieceBytes = 1024;
// As kMaxIdLength; a UTF-16 unit takes three bytes of UTF-8, and six as \uXXXX.
constexpr std::size_t kMaxTaskId = 128;
constexpr std::size_t kSha256Digits = 64;

std::size_t pieces_of(std::size_t bytes) { return (bytes + kPieceBytes - 1) / kPieceBytes; }

std::optional<std::size_t> size_member(const Json& record, std::string_view name,
                                       std::size_t most) {
  const auto value = whole_value(find_member(record, name), 0, static_cast<std::int64_t>(most));
  return value ? std::optional(static_cast<std::size_t>(*value)) : std::nullopt;
}

std::unexpected<Error> bad_record(std::string_view why) {
  return malformed_envelope("a record of the result is damaged: " + std::string(why));
}

}  // namespace

// The app announces the size of the result; memory is reserved only as it arrives.
Result<void> ResultChunks::begin(const Json& record) {
  const auto count = size_member(record, "count", pieces_of(kMaxEnvelopeBytes));
  const auto bytes = size_member(record, "byteLength", kMaxEnvelopeBytes);
  const std::string* task = string_member(record, "taskId");
  const std::string* digest = string_member(record, "sha256");
  if (!bytes) return malformed_envelope(kTooLongEnvelope);
  if (!count || *bytes == 0 || *count != pieces_of(*bytes)) {
    return bad_record("its size and count do not fit");
  }
  if (!task || task->empty() || task->size() > 6 * kMaxTaskId) return bad_record("its taskId");
  if (!digest || !base::is_hex(*digest, kSha256Digits)) return bad_record("its sha256");
  task_id_ = *task;
  sha256_ = *digest;
  byte_length_ = *bytes;
  count_ = *count;
  return ok();
}

bool ResultChunks::repeats_header(const Json& record) const {
  const std::string* task = string_member(record, "taskId");
  const std::string* digest = string_member(record, "sha256");
  return task && *task == task_id_ && digest && *digest == sha256_ &&
         size_member(record, "count", count_) == count_ &&
         size_member(record, "byteLength", byte_length_) == byte_length_;
}

Result<void> ResultChunks::add(const Json& record) {
  const auto index = size_member(record, "index", pieces_of(kMaxEnvelopeBytes));
  const std::string* data = string_member(record, "data");
  const auto piece = data ? adbproto::decode_base64(*data) : std::nullopt;
  if (!index || !piece) return bad_record("its index or its data");
  if (*index > received_) {
    lost_ = true;
    return lost_receipt("the device's log lost record " + std::to_string(received_ + 1) +
                        " of the result");
  }
  if (!began()) TRY_VOID(begin(record));
  if (!repeats_header(record)) return bad_record("it is of another result than the first one");
  return add_piece(*index, adbproto::as_text(*piece));
}

Result<void> ResultChunks::add_piece(std::size_t index, std::string_view piece) {
  const std::size_t from = index * kPieceBytes;
  if (index >= count_ || piece.size() != std::min(kPieceBytes, byte_length_ - from)) {
    return bad_record("it is not as long as it has to be");
  }
  if (index < received_) {
    const bool same = std::string_view(line_).substr(from, piece.size()) == piece;
    return same ? ok() : bad_record("it comes twice, with other data");
  }
  line_ += piece;
  hash_.update(adbproto::as_bytes(piece));
  ++received_;
  if (is_whole() && hash_.finish() != sha256_) {
    return malformed_envelope("the result's records do not have the announced sha256");
  }
  return ok();
}

}  // namespace clawperator
