#pragma once
// The input and output of a process: byte streams, as everywhere, plus the few kinds a shell needs.
//
//   null_stream   reads nothing, swallows everything      </dev/null
//   text_source   reads a fixed text                       <file
//   file_sink     writes into the phone's file             >file
//   capture       keeps what is written                    $(command)
//   PushbackInput the shell's own stdin: lines for the shell, the rest for its children

#include <memory>
#include <optional>
#include <string>

#include "base/async/byte_stream.hpp"
#include "simdroid/device/prelude.hpp"

namespace simdroid {

class FileSystem;

using StreamPtr = std::shared_ptr<ByteStream>;

struct Io {
  StreamPtr in, out, err;
};

StreamPtr null_stream();
StreamPtr text_source(std::string text);
StreamPtr file_sink(FileSystem* files, std::string path);

// Above `limit` writing fails with errc::limit.
class Capture final : public ByteStream {
 public:
  explicit Capture(std::size_t limit) : limit_(limit) {}
  Task<std::size_t> read_some(std::span<std::byte> into) override;
  Task<void> write_all(ByteView bytes) override;
  void close() override {}
  [[nodiscard]] std::string take() { return std::move(text_); }

 private:
  std::size_t limit_;
  std::string text_;
};

class PushbackInput final : public ByteStream {
 public:
  static constexpr std::size_t kMaxLine = 8 * 1024 * 1024;

  explicit PushbackInput(StreamPtr source) : source_(std::move(source)) {}

  // With its newline, which only the last line may lack; nullopt at the end.
  Task<std::optional<std::string>> read_line();

  Task<std::size_t> read_some(std::span<std::byte> into) override;
  Task<void> write_all(ByteView bytes) override;
  void close() override { source_->close(); }

 private:
  StreamPtr source_;
  std::string buffer_;
};

// Everything until the end. errc::limit above `limit`.
Task<std::string> read_to_end(ByteStream* from, std::size_t limit);

}  // namespace simdroid
