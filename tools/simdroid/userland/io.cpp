#include "simdroid/userland/io.hpp"

#include <algorithm>
#include <cstring>

#include "simdroid/device/file_system.hpp"

namespace simdroid {
namespace {

constexpr std::size_t kChunk = 64 * 1024;

std::size_t move_front(std::string* from, std::span<std::byte> into) {
  const std::size_t size = std::min(from->size(), into.size());
  std::memcpy(into.data(), from->data(), size);
  from->erase(0, size);
  return size;
}

class NullStream final : public ByteStream {
 public:
  Task<std::size_t> read_some(std::span<std::byte>) override {
    co_return fail(errc::closed, "end of file");
  }
  Task<void> write_all(ByteView) override { co_return ok(); }
  void close() override {}
};

class TextSource final : public ByteStream {
 public:
  explicit TextSource(std::string text) : text_(std::move(text)) {}
  Task<std::size_t> read_some(std::span<std::byte> into) override {
    const std::size_t size = std::min(text_.size() - at_, into.size());
    if (size == 0) co_return fail(errc::closed, "end of file");
    std::memcpy(into.data(), text_.data() + at_, size);
    at_ += size;
    co_return size;
  }
  Task<void> write_all(ByteView) override { co_return fail(errc::io, "Bad file descriptor"); }
  void close() override {}

 private:
  std::string text_;
  std::size_t at_ = 0;
};

class FileSink final : public ByteStream {
 public:
  FileSink(FileSystem* files, std::string path) : files_(files), path_(std::move(path)) {}
  Task<std::size_t> read_some(std::span<std::byte>) override {
    co_return fail(errc::io, "Bad file descriptor");
  }
  Task<void> write_all(ByteView bytes) override {
    const auto written = files_->append(path_, as_text(bytes));
    if (!written) co_return fail(errc::io, error_text(written.error()));
    co_return ok();
  }
  void close() override {}

 private:
  FileSystem* files_;
  std::string path_;
};

}  // namespace

StreamPtr null_stream() { return std::make_shared<NullStream>(); }
StreamPtr text_source(std::string text) { return std::make_shared<TextSource>(std::move(text)); }
StreamPtr file_sink(FileSystem* files, std::string path) {
  return std::make_shared<FileSink>(files, std::move(path));
}

Task<std::size_t> Capture::read_some(std::span<std::byte>) {
  co_return fail(errc::closed, "end of file");
}

Task<void> Capture::write_all(ByteView bytes) {
  if (text_.size() + bytes.size() > limit_) co_return fail(errc::limit, "output is too long");
  text_ += as_text(bytes);
  co_return ok();
}

Task<std::optional<std::string>> PushbackInput::read_line() {
  std::size_t searched = 0;
  while (true) {
    const std::size_t newline = buffer_.find('\n', searched);
    if (newline != std::string::npos) {
      std::string line = buffer_.substr(0, newline + 1);
      buffer_.erase(0, newline + 1);
      co_return line;
    }
    searched = buffer_.size();
    if (searched > kMaxLine) co_return fail(errc::limit, "line is too long");
    Bytes chunk(kChunk);
    const auto size = co_await source_->read_some(chunk);
    if (size) {
      buffer_ += as_text(ByteView(chunk).first(*size));
      continue;
    }
    if (buffer_.empty()) co_return std::nullopt;
    co_return std::exchange(buffer_, {});
  }
}

Task<std::size_t> PushbackInput::read_some(std::span<std::byte> into) {
  if (!buffer_.empty()) co_return move_front(&buffer_, into);
  co_return co_await source_->read_some(into);
}

Task<void> PushbackInput::write_all(ByteView) { co_return fail(errc::io, "Bad file descriptor"); }

Task<std::string> read_to_end(ByteStream* from, std::size_t limit) {
  std::string text;
  Bytes chunk(kChunk);
  while (true) {
    const auto size = co_await from->read_some(chunk);
    if (!size && size.error().code() == errc::closed) co_return text;
    if (!size) co_return std::unexpected(size.error());
    if (text.size() + *size > limit) co_return fail(errc::limit, "input is too long");
    text += as_text(ByteView(chunk).first(*size));
  }
}

}  // namespace simdroid
