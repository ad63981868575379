// A device's answers to a pull of a tree: no crash, no hang, nothing outside the target, no half
// file left, and the same tree whether they arrive whole or byte by byte. The first byte chooses
// what the device can (1: v2) and how it compresses (the next two bits).

#include <sys/resource.h>

#include <array>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>

#include "adbproto/client/sync_client.hpp"
#include "client/parrot.hpp"

using namespace adbproto;
namespace fs = std::filesystem;

namespace {

constexpr rlim_t kMaxFile = 4 << 20;  // a few bytes of brotli are gigabytes
constexpr std::size_t kMaxInput = 2048;

// Gone when the process ends in peace.
struct Sandbox {
  Sandbox() {
    std::string name = (fs::temp_directory_path() / "sync-pull-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) std::abort();
    path = name;
    const rlimit limit{kMaxFile, kMaxFile};
    ::setrlimit(RLIMIT_FSIZE, &limit);
    std::signal(SIGXFSZ, SIG_IGN);
  }
  ~Sandbox() {
    std::error_code ignored;
    fs::remove_all(path, ignored);
  }
  fs::path path;
};

std::string text_of(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

// What lies in the sandbox, which is emptied.
std::string take_tree(const fs::path& sandbox) {
  std::map<std::string, std::string> tree;
  for (const auto& entry : fs::recursive_directory_iterator(sandbox)) {
    const std::string name = fs::relative(entry.path(), sandbox);
    if (!name.starts_with("target") || name.ends_with(".part")) std::abort();
    if (entry.is_symlink() || entry.is_other()) std::abort();
    tree[name] = entry.is_regular_file() ? text_of(entry.path()) : "/";
  }
  fs::remove_all(sandbox / "target");
  std::string shown;
  for (const auto& [name, content] : tree) shown.append(name).append(1, '\0').append(content);
  return shown;
}

Task<std::string> pull(Device* device, std::string target, Compression compression) {
  CO_TRY(const auto client, co_await SyncClient::open(device));
  TransferOptions options;
  options.compression = compression;
  CO_TRY(const auto done, co_await client->pull({"/d"}, std::move(target), options, {}));
  std::string shown = std::to_string(done.files) + " " + std::to_string(done.skipped);
  for (const std::string& warning : done.warnings) shown += "\n" + warning;
  co_return shown;
}

std::string outcome(ByteView bytes, std::size_t piece, std::uint8_t choice) {
  static const Sandbox sandbox;
  constexpr std::array kCompressions{Compression::none, Compression::brotli, Compression::lz4,
                                     Compression::zstd};
  FeatureSet features;
  if (choice & 1) {
    features = {"stat_v2",         "ls_v2",           "sendrecv_v2", "sendrecv_v2_brotli",
                "sendrecv_v2_lz4", "sendrecv_v2_zstd"};
  }
  asio::io_context context(1);
  fuzz::ParrotDevice device(bytes, piece, std::move(features));
  const std::string said = fuzz::outcome_of(
      &context, pull(&device, sandbox.path / "target", kCompressions[(choice >> 1) & 3]));
  return said + take_tree(sandbox.path);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0 || size > kMaxInput) return 0;
  const ByteView bytes = std::as_bytes(std::span(data + 1, size - 1));
  if (outcome(bytes, bytes.size(), data[0]) != outcome(bytes, 1, data[0])) std::abort();
  return 0;
}
