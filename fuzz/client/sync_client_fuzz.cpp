// A device's answers to SyncClient: no crash, no hang, and the same outcome whether they arrive
// whole or byte by byte. The first byte chooses the request and what the device can.

#include "adbproto/client/sync_client.hpp"
#include "client/parrot.hpp"

using namespace adbproto;

namespace {

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
  fuzz::ParrotDevice device(bytes, piece, std::move(features));
  return fuzz::outcome_of(&context, ask(&device, choice & 3u));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const ByteView bytes = std::as_bytes(std::span(data + 1, size - 1));
  if (outcome(bytes, bytes.size(), data[0]) != outcome(bytes, 1, data[0])) std::abort();
  return 0;
}
