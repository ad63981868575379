// A device's answers to SyncClient: no crash, no hang, and the same outcome whether they arrive
// whole or byte by byte. The first byte chooses what was asked and what the device can.

#include <asio/co_spawn.hpp>
#include <asio/io_context.hpp>
#include <cstdlib>

#include "adbproto/client/sync_client.hpp"

using namespace adbproto;

namespace {

// Says what it was made with, at most `piece` bytes at a time, then ends.
class Parrot final : public ByteStream {
 public:
  Parrot(ByteView bytes, std::size_t piece) : bytes_(bytes), piece_(piece) {}
  Task<std::size_t> read_some(std::span<std::byte> into) override {
    const std::size_t size = std::min({into.size(), piece_, bytes_.size()});
    if (size == 0) co_return fail(Errc::closed, "said everything");
    std::copy_n(bytes_.begin(), size, into.begin());
    bytes_ = bytes_.subspan(size);
    co_return size;
  }
  Task<void> write_all(ByteView) override { co_return ok(); }
  void close() override { bytes_ = {}; }

 private:
  ByteView bytes_;
  std::size_t piece_;
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

std::string shown(const SyncStat& stat) {
  return std::to_string(stat.mode) + " " + std::to_string(stat.size);
}

Task<std::string> ask(Device* device, unsigned what) {
  CO_TRY(const auto client, co_await SyncClient::open(device));
  if (what == 0) {
    CO_TRY(const Bytes content, co_await client->get("/f", 1 << 16));
    co_return std::string(as_text(content));
  }
  if (what == 1) {
    CO_TRY(const auto entries, co_await client->list("/d"));
    std::string names;
    for (const auto& entry : entries) names += entry.name + shown(entry.stat);
    co_return names;
  }
  if (what == 2) {
    CO_TRY(const auto stat, co_await client->stat("/f"));
    co_return shown(stat);
  }
  CO_TRY_VOID(co_await client->put("/f", 0644, {}));
  co_return "put";
}

std::string outcome(ByteView bytes, std::size_t piece, std::uint8_t choice) {
  asio::io_context context(1);
  FeatureSet features;
  if (choice & 4) features = {"stat_v2", "ls_v2", "sendrecv_v2"};
  ParrotDevice device(bytes, piece, std::move(features));
  std::string text = "nothing";
  asio::co_spawn(context, ask(&device, choice & 3u),
                 [&](const std::exception_ptr&, const Result<std::string>& done) {
                   text = done ? *done : "error " + std::to_string(int(done.error().code()));
                 });
  context.run();
  return text;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const ByteView bytes = std::as_bytes(std::span(data + 1, size - 1));
  if (outcome(bytes, bytes.size(), data[0]) != outcome(bytes, 1, data[0])) std::abort();
  return 0;
}
