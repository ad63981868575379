// Invariants: no archive crashes, hangs or writes beyond its limits; what is unpacked is what is
// reported, regular files below the folder, none of git's own; after a refusal nothing is there.
// The first byte chooses the format and what is stripped, the rest is the archive.

#include <strings.h>
#include <unistd.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>

#include "skills/agent/unpack.hpp"
#include "wire/chunks.hpp"

using namespace adbproto;
using namespace clawperator::unpack;
namespace fs = std::filesystem;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  static const fs::path kWork =
      fs::temp_directory_path() / ("archive_fuzz." + std::to_string(::getpid()));
  fs::create_directories(kWork);
  const fs::path archive = kWork / "archive";
  const fs::path target = kWork / "target";
  std::ofstream(archive, std::ios::binary)
      .write(reinterpret_cast<const char*>(data + 1), static_cast<std::streamsize>(size - 1));
  const Limits limits{
      .archive_bytes = 1 << 20, .files = 50, .bytes = 200'000, .file_bytes = 90'000};
  const auto format = static_cast<Format>(data[0] % 3);
  const auto files = unpack(archive, format, target, strip_components(data[0] / 3 % 3), limits, {});
  if (!files) {
    fuzz::require(!fs::exists(fs::symlink_status(target)));
    return 0;
  }
  std::size_t found = 0;
  std::uintmax_t bytes = 0;
  for (const auto& entry : fs::recursive_directory_iterator(target)) {
    const auto kind = entry.symlink_status().type();
    fuzz::require(kind == fs::file_type::regular || kind == fs::file_type::directory);
    fuzz::require(::strcasecmp(entry.path().filename().c_str(), ".git") != 0);
    if (kind != fs::file_type::regular) continue;
    ++found;
    bytes += entry.file_size();
  }
  fuzz::require(found == files->size() && bytes <= limits.bytes);
  for (const std::string& path : *files) fuzz::require(fs::is_regular_file(target / path));
  fs::remove_all(target);
  return 0;
}
