#pragma once
// A device that says what a fuzz target was given, whatever it hears.

#include <algorithm>
#include <asio/co_spawn.hpp>
#include <asio/io_context.hpp>
#include <cstdlib>
#include <string>
#include <utility>

#include "adbproto/client/device.hpp"

namespace adbproto::fuzz {

// Says what it was made with, at most `piece` bytes at a time, then ends; `heard` may be null.
class Parrot final : public ByteStream {
 public:
  Parrot(ByteView bytes, std::size_t piece, Bytes* heard = nullptr)
      : bytes_(bytes), piece_(piece), heard_(heard) {}
  Task<std::size_t> read_some(std::span<std::byte> into) override {
    const std::size_t size = std::min({into.size(), piece_, bytes_.size()});
    if (size == 0) co_return fail(errc::closed, "said everything");
    std::copy_n(bytes_.begin(), size, into.begin());
    bytes_ = bytes_.subspan(size);
    co_return size;
  }
  Task<void> write_all(ByteView bytes) override {
    if (heard_ != nullptr) append(*heard_, bytes);
    co_return ok();
  }
  void close() override { bytes_ = {}; }

 private:
  ByteView bytes_;
  std::size_t piece_;
  Bytes* heard_;
};

class ParrotDevice final : public Device {
 public:
  ParrotDevice(ByteView bytes, std::size_t piece, FeatureSet features)
      : bytes_(bytes), piece_(piece), features_(std::move(features)) {}
  Task<ByteStreamPtr> open(std::string) override {
    co_return std::make_unique<Parrot>(std::exchange(bytes_, {}), piece_);
  }
  [[nodiscard]] const std::string& serial() const override { return serial_; }
  [[nodiscard]] const FeatureSet& features() const override { return features_; }
  [[nodiscard]] std::string_view route() const override { return "parrot"; }
  [[nodiscard]] std::size_t max_service_size() const override { return 1024; }

 private:
  ByteView bytes_;
  std::size_t piece_;
  FeatureSet features_;
  std::string serial_ = "parrot";
};

// Runs to the task's end; an error as text.
inline std::string outcome_of(asio::io_context* context, Task<std::string> task) {
  std::string text = "nothing";
  asio::co_spawn(*context, std::move(task),
                 [&](const std::exception_ptr&, const Result<std::string>& done) {
                   text = done ? *done : "error " + std::string(done.error().code()->published);
                 });
  context->run();
  return text;
}

}  // namespace adbproto::fuzz
