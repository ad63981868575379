// Invariants: whatever the key's and the public file hold, loading them is a ring whose first key
// is the one in the file, or adb_keys_unusable; the key's file is never changed.

#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "adbproto/client/key_store.hpp"
#include "adbproto/wire/errc.hpp"

using namespace adbproto;

namespace {

struct Home {
  Home() {
    std::string name = (std::filesystem::temp_directory_path() / "key-store-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) std::abort();
    path = name;
    std::filesystem::create_directory(path / ".android");
  }
  ~Home() {
    std::error_code ignored;
    std::filesystem::remove_all(path, ignored);
  }
  Home(const Home&) = delete;
  Home& operator=(const Home&) = delete;
  std::filesystem::path path;
};

std::string text_of(const std::filesystem::path& file) {
  std::ostringstream text;
  text << std::ifstream(file, std::ios::binary).rdbuf();
  return text.str();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const Home kHome;
  const std::string input(reinterpret_cast<const char*>(data), size);
  const std::size_t cut = std::min(input.find('\f'), input.size());
  const std::string pem = input.substr(0, cut);
  const auto file = kHome.path / ".android/adbkey";
  std::ofstream(file, std::ios::binary) << pem;
  std::ofstream(file.string() + ".pub", std::ios::binary) << input.substr(std::min(cut + 1, size));
  const auto ring = load_keys([](const char* name) -> std::optional<std::string> {
    if (std::string_view(name) == "HOME") return kHome.path.string();
    return std::nullopt;
  });
  if (text_of(file) != pem) std::abort();
  if (!ring) return ring.error().code() == errc::adb_keys_unusable ? 0 : (std::abort(), 0);
  if (ring->keys.size() != 1 || RsaKey::from_pem(pem)->fingerprint() != ring->keys[0].fingerprint())
    std::abort();
  return 0;
}
