#pragma once
// A file as the blocks of DATA records in which it is pushed, compressed on request.
//
//   file --read--> plain --Transcoder--> [DATA 64K][DATA 64K] .. up to 15, then the next block
//
// The code here waits only for the file, so a block can be filled on another thread while the
// previous one is sent.

#include "adbproto/client/compression.hpp"
#include "base/file_handle.hpp"

namespace adbproto {

// DATA records side by side; each is filled up to kMaxSyncData before the next one begins.
class DataBlock {
 public:
  DataBlock();
  void clear();
  [[nodiscard]] bool full() const;
  // The rest of the record that is being filled.
  [[nodiscard]] std::span<std::byte> room();
  void add(std::size_t size);
  // Reads a whole empty block of a file with one call; the number of bytes, 0 at its end.
  Result<std::size_t> read_from(int file, const std::string& path);
  // Ends the last record and returns the bytes to write; nothing may be added afterwards.
  [[nodiscard]] ByteView finish();

 private:
  void end_record();

  Bytes bytes_;
  std::size_t record_ = 0;
  std::size_t filled_ = 0;  // of the record that is being filled
  std::size_t size_ = 0;    // of the records that have ended
};

class BlockSource {
 public:
  struct Filled {
    ByteView records{};     // the block's bytes
    std::size_t plain = 0;  // bytes of the file in it
    bool last = false;      // the file ends with this block
  };

  BlockSource(FileHandle file, std::string path, Compression compression);
  // The next block. Requires that the previous one was not the last.
  Result<Filled> fill(DataBlock* block);

 private:
  Result<Filled> fill_plain(DataBlock* block);
  Result<Filled> fill_compressed(DataBlock* block);
  Result<void> refill();

  FileHandle file_;
  std::string path_;
  std::unique_ptr<Transcoder> encoder_;  // absent: the file is not compressed
  Bytes plain_;
  ByteView left_{};  // of plain_, not yet compressed
  bool at_end_ = false;
};

}  // namespace adbproto
