#include "adbproto/client/data_blocks.hpp"

#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "adbproto/client/local_files.hpp"
#include "adbproto/wire/sync.hpp"

namespace adbproto {
namespace {

constexpr std::size_t kHeader = 8;
constexpr std::size_t kRecord = kHeader + kMaxSyncData;
constexpr std::size_t kRecords = 15;  // with their headers they fit into one WRTE of 1 MiB
constexpr std::size_t kPlainSize = 256 * 1024;
constexpr std::size_t kPlainPerBlock =
    1 << 20;  // of a compressed file: small, so that the device does not wait

// Calls `read_once` until it returns something or fails.
template <class ReadOnce>
Result<std::size_t> read_with(ReadOnce read_once, const std::string& path) {
  ssize_t got = 0;
  do {
    got = read_once();
  } while (got < 0 && errno == EINTR);
  if (got < 0) return file_failure(errc::file_unreadable, "failed to read '" + path + "'", errno);
  return static_cast<std::size_t>(got);
}

}  // namespace

DataBlock::DataBlock() : bytes_(kRecords * kRecord) {}

void DataBlock::clear() { record_ = filled_ = size_ = 0; }

bool DataBlock::full() const { return record_ == kRecords; }

std::span<std::byte> DataBlock::room() {
  return std::span(bytes_).subspan(record_ * kRecord + kHeader + filled_, kMaxSyncData - filled_);
}

void DataBlock::add(std::size_t size) {
  filled_ += size;
  if (filled_ == kMaxSyncData) end_record();
}

Result<std::size_t> DataBlock::read_from(int file, const std::string& path) {
  std::array<iovec, kRecords> parts{};
  for (std::size_t i = 0; i < parts.size(); ++i) {
    parts[i] = {bytes_.data() + i * kRecord + kHeader, kMaxSyncData};
  }
  const auto read = [&] { return ::readv(file, parts.data(), static_cast<int>(parts.size())); };
  TRY(const std::size_t got, read_with(read, path));
  for (std::size_t left = got; left > 0;) {
    const std::size_t size = std::min(left, kMaxSyncData);
    add(size);
    left -= size;
  }
  return got;
}

ByteView DataBlock::finish() {
  if (filled_ > 0) end_record();
  return ByteView(bytes_).first(size_);
}

// The records have no gaps: only the last one may be short.
void DataBlock::end_record() {
  std::byte* const at = bytes_.data() + record_ * kRecord;
  store_le(at, static_cast<std::uint32_t>(SyncId::data));
  store_le(at + 4, static_cast<std::uint32_t>(filled_));
  size_ += kHeader + filled_;
  ++record_;
  filled_ = 0;
}

BlockSource::BlockSource(FileHandle file, std::string path, Compression compression)
    : file_(std::move(file)), path_(std::move(path)) {
  if (compression == Compression::none) return;
  encoder_ = make_encoder(compression);
  plain_.resize(kPlainSize);
}

Result<BlockSource::Filled> BlockSource::fill(DataBlock* block) {
  block->clear();
  return encoder_ ? fill_compressed(block) : fill_plain(block);
}

Result<BlockSource::Filled> BlockSource::fill_plain(DataBlock* block) {
  TRY(const std::size_t size, block->read_from(file_.get(), path_));
  return Filled{.records = block->finish(), .plain = size, .last = size == 0};
}

Result<BlockSource::Filled> BlockSource::fill_compressed(DataBlock* block) {
  Filled filled;
  while (!block->full() && filled.plain < kPlainPerBlock && !filled.last) {
    if (left_.empty() && !at_end_) TRY_VOID(refill());
    const auto input = at_end_ ? Transcoder::Input::last : Transcoder::Input::more;
    TRY(const auto step, encoder_->step(left_, input, block->room()));
    left_ = left_.subspan(step.taken);
    filled.plain += step.taken;
    block->add(step.made);
    filled.last = step.ended;
  }
  filled.records = block->finish();
  return filled;
}

Result<void> BlockSource::refill() {
  const auto read = [&] { return ::read(file_.get(), plain_.data(), plain_.size()); };
  TRY(const std::size_t size, read_with(read, path_));
  left_ = ByteView(plain_).first(size);
  at_end_ = size == 0;
  return ok();
}

}  // namespace adbproto
