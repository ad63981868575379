// A device's answers to a push of more files than may be unanswered: no crash, no hang, and no
// success without an answer for every file. The first byte chooses what the device can (1: v2) and
// how is compressed (the next two bits).

#include <array>
#include <filesystem>
#include <fstream>

#include "adbproto/client/sync_client.hpp"
#include "client/parrot.hpp"

using namespace adbproto;
namespace fs = std::filesystem;

namespace {

constexpr unsigned kFiles = 130;
constexpr std::size_t kLarge = 100'000;

// Gone when the process ends in peace.
struct Tree {
  Tree() {
    std::string name = (fs::temp_directory_path() / "sync-push-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) std::abort();
    path = name;
    for (unsigned i = 1; i < kFiles; ++i) std::ofstream(path / std::to_string(i)) << i;
    std::ofstream(path / "large") << std::string(kLarge, 'x');
  }
  ~Tree() {
    std::error_code ignored;
    fs::remove_all(path, ignored);
  }
  fs::path path;
};

Task<std::string> push(Device* device, std::string tree, TransferOptions options) {
  CO_TRY(const auto client, co_await SyncClient::open(device));
  CO_TRY(const auto done, co_await client->push({std::move(tree)}, "/d", options, {}));
  co_return std::to_string(done.files + done.skipped);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const Tree tree;
  constexpr std::array kCompressions{Compression::none, Compression::brotli, Compression::lz4,
                                     Compression::zstd};
  if (size == 0) return 0;
  const std::uint8_t choice = data[0];
  const ByteView bytes = std::as_bytes(std::span(data + 1, size - 1));
  FeatureSet features;
  if (choice & 1) {
    features = {"stat_v2",         "ls_v2",
                "sendrecv_v2",     "sendrecv_v2_brotli",
                "sendrecv_v2_lz4", "sendrecv_v2_zstd",
                "fixed_push_mkdir"};
  }
  TransferOptions options;
  options.compression = kCompressions[(choice >> 1) & 3];
  if (choice & 8) options.only_newer = OnlyNewer::yes;
  for (const std::size_t piece : {bytes.size(), std::size_t{1}}) {
    asio::io_context context(1);
    fuzz::ParrotDevice device(bytes, piece, features);
    const std::string said = fuzz::outcome_of(&context, push(&device, tree.path, options));
    if (!said.starts_with("error") && said != std::to_string(kFiles)) std::abort();
  }
  return 0;
}
