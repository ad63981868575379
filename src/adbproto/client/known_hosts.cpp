#include "adbproto/client/pairing.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <system_error>

#include "adbproto/client/folder_lock.hpp"
#include "adbproto/wire/known_hosts.hpp"

namespace adbproto {
namespace {

namespace fs = std::filesystem;

Result<fs::path> known_hosts_path(const GetEnvironment& environment) {
  const auto home = environment("HOME");
  if (!home || home->empty()) return fail(Errc::io, "HOME is not set");
  return fs::path(*home) / ".android" / "adb_known_hosts.pb";
}

// Nothing when there is no such file.
Result<Bytes> read_file(const fs::path& path) {
  std::error_code none;
  if (!fs::exists(path, none)) return Bytes{};
  std::ifstream file(path, std::ios::binary);
  std::string text(kMaxKnownHostsFile + 1, '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  if (file.bad() || (!file && !file.eof())) return fail(Errc::io, "cannot read " + path.string());
  return to_bytes(std::string_view(text).substr(0, static_cast<std::size_t>(file.gcount())));
}

std::unexpected<Error> write_failure(const std::string& path) {
  return fail(Errc::io, "cannot write " + path + ": " + std::generic_category().message(errno));
}

Result<void> write_new(int descriptor, const std::string& path, ByteView bytes) {
  while (!bytes.empty()) {
    const auto written = ::write(descriptor, bytes.data(), bytes.size());
    if (written < 0) return write_failure(path);
    bytes = bytes.subspan(static_cast<std::size_t>(written));
  }
  return ok();
}

// All of it or nothing, readable by the user only.
Result<void> replace_file(const fs::path& path, ByteView bytes) {
  std::string fresh = path.string() + ".XXXXXX";
  const int descriptor = ::mkstemp(fresh.data());
  if (descriptor < 0) return write_failure(path.string());
  auto written = write_new(descriptor, fresh, bytes);
  ::close(descriptor);
  if (written && ::rename(fresh.c_str(), path.c_str()) != 0) written = write_failure(path.string());
  if (!written) ::unlink(fresh.c_str());
  return written;
}

}  // namespace

Result<std::vector<std::string>> read_known_hosts(const GetEnvironment& environment) {
  TRY(const fs::path path, known_hosts_path(environment));
  TRY(const Bytes bytes, read_file(path));
  return parse_known_hosts(bytes);
}

Task<void> add_known_host(GetEnvironment environment, std::string guid) {
  CO_TRY(const fs::path path, known_hosts_path(environment));
  CO_TRY(const auto lock, co_await lock_folder(path.parent_path()));
  CO_TRY(Bytes bytes, read_file(path));
  const auto known = parse_known_hosts(bytes);
  if (known && std::ranges::find(*known, guid) != known->end()) co_return ok();
  if (!known && known.error().code() == Errc::limit) co_return std::unexpected(known.error());
  if (!known) bytes.clear();  // as adb does with a damaged file
  append(bytes, encode_known_host(guid));
  co_return replace_file(path, bytes);
}

}  // namespace adbproto
