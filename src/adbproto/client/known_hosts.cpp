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
#include "base/files.hpp"

namespace adbproto {
namespace {

namespace fs = std::filesystem;

Result<fs::path> known_hosts_path(const GetEnvironment& environment) {
  const auto home = environment("HOME");
  if (!home || home->empty()) return fail(errc::io, "HOME is not set");
  return fs::path(*home) / ".android" / "adb_known_hosts.pb";
}

// Nothing when there is no such file.
Result<std::string> read_file_if_any(const fs::path& path) {
  std::error_code none;
  return fs::exists(path, none) ? read_file(path, kMaxKnownHostsFile) : std::string();
}

}  // namespace

Result<std::vector<std::string>> read_known_hosts(const GetEnvironment& environment) {
  TRY(const fs::path path, known_hosts_path(environment));
  TRY(const std::string text, read_file_if_any(path));
  return parse_known_hosts(as_bytes(text));
}

Task<void> add_known_host(GetEnvironment environment, std::string guid) {
  CO_TRY(const fs::path path, known_hosts_path(environment));
  CO_TRY(const auto lock, co_await lock_folder(path.parent_path()));
  CO_TRY(std::string text, read_file_if_any(path));
  const auto known = parse_known_hosts(as_bytes(text));
  if (known && std::ranges::find(*known, guid) != known->end()) co_return ok();
  if (!known && known.error().code() == errc::limit) co_return std::unexpected(known.error());
  if (!known) text.clear();  // as adb does with a damaged file
  text += as_text(encode_known_host(guid));
  co_return write_file_atomically(path, text, ParentFolder::required);
}

}  // namespace adbproto
