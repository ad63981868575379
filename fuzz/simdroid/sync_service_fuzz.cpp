// A host's requests to the simulated phone's file service: no crash, no hang, and the same answers
// and files whether they arrive whole or byte by byte. The first byte: 1 for a phone of today, 0
// for one that knows v1 only.

#include <cstdint>

#include "client/parrot.hpp"
#include "simdroid/adbd/service.hpp"

using namespace adbproto;
using namespace simdroid;

namespace {

constexpr std::size_t kMaxInput = 2048;

PhoneOptions phone_options() {
  static const auto screens = bundled_screens();
  PhoneOptions options;
  options.screens = screens;
  options.boot = WallTime(std::chrono::days(20'000));
  return options;
}

// No brotli: a few bytes of it fill the phone.
FeatureSet features_of(std::uint8_t choice) {
  if ((choice & 1) == 0) return {};
  return {"stat_v2",          "ls_v2",
          "sendrecv_v2",      "sendrecv_v2_lz4",
          "sendrecv_v2_zstd", "sendrecv_v2_dry_run_send"};
}

Bytes answers(ByteView bytes, std::size_t piece, std::uint8_t choice) {
  asio::io_context context(1);
  Phone phone(context.get_executor(), phone_options());
  phone.files.install("/sdcard/Download/f", "content");
  Bytes said;
  ServiceCall call;
  call.connection = std::make_shared<Connection>();
  call.connection->phone = &phone;
  call.connection->features = features_of(choice);
  call.stream = std::make_shared<fuzz::Parrot>(bytes, piece, &said);
  asio::co_spawn(context, serve_sync(std::move(call)), [](const std::exception_ptr& thrown) {
    if (thrown) std::abort();
  });
  context.run();
  append(said, as_bytes(std::to_string(phone.files.bytes())));
  return said;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Clock::manual_now = 0;  // the phone's clock stands still
  if (size == 0 || size > kMaxInput) return 0;
  const ByteView bytes = std::as_bytes(std::span(data + 1, size - 1));
  if (answers(bytes, bytes.size(), data[0]) != answers(bytes, 1, data[0])) std::abort();
  return 0;
}
