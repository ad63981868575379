#pragma once
// A result in chunk records: how the Operator app writes each result above 3000 bytes since 0.10.
// Pure.
//
//   [Clawperator-Result-Chunk] {"commandId","taskId","index","count","byteLength","sha256","data"}
//
//   the line     "[Clawperator-Result] " + envelope, UTF-8: byteLength bytes, of this sha256
//   data         base64 of its bytes [index*1024, (index+1)*1024): a character may be cut in two
//   index        0, 1, ... count-1, in this order; count = ceil(byteLength / 1024)
//
// Source: the app's writer and upstream's reader (docs/internals/android.md). Unlike upstream's,
// this reader takes a record that comes twice.

#include <nlohmann/json_fwd.hpp>

#include "adbproto/crypto/sha256.hpp"
#include "base/error.hpp"

namespace clawperator {

class ResultChunks {
 public:
  // The next record, read and of our command. Fails with result_envelope_malformed: a record that
  // contradicts itself or the first one, a text of another checksum, a record that the log lost
  // (then is_lost()).
  Result<void> add(const nlohmann::ordered_json& record);

  // The first record came; all of them did.
  [[nodiscard]] bool began() const { return count_ != 0; }
  [[nodiscard]] bool is_whole() const { return began() && received_ == count_; }
  [[nodiscard]] bool is_lost() const { return lost_; }
  [[nodiscard]] std::size_t received() const { return received_; }
  [[nodiscard]] std::size_t count() const { return count_; }
  [[nodiscard]] std::size_t held() const { return line_.size(); }
  [[nodiscard]] const std::string& task_id() const { return task_id_; }

  // The line, once it is whole.
  std::string take_line() { return std::exchange(line_, {}); }

 private:
  Result<void> begin(const nlohmann::ordered_json& record);
  [[nodiscard]] bool repeats_header(const nlohmann::ordered_json& record) const;
  Result<void> add_piece(std::size_t index, std::string_view piece);

  std::string task_id_;
  std::size_t count_ = 0;
  std::size_t byte_length_ = 0;
  std::string sha256_;
  std::size_t received_ = 0;
  bool lost_ = false;
  std::string line_;
  adbproto::Sha256 hash_;
};

}  // namespace clawperator
