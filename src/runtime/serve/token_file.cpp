#include "runtime/serve/token_file.hpp"

#include <utility>

#include "base/files.hpp"
#include "runtime/daemon/errc.hpp"
#include "runtime/device/runtime_folder.hpp"
#include "runtime/http/access.hpp"

namespace clawperator::serve {
namespace {

namespace fs = std::filesystem;

Result<fs::path> path_of(const std::string& host, std::uint16_t port) {
  TRY(const RuntimeFolders folders, runtime_folders());
  return folders.main / ("clawperator-serve-" + host + "-" + std::to_string(port) + ".token");
}

void remove_file(const fs::path& path) {
  std::error_code ignored;
  fs::remove(path, ignored);
}

}  // namespace

Result<std::unique_ptr<TokenFile>> TokenFile::make(const std::string& host, std::uint16_t port) {
  TRY(std::string token, http::random_token());
  const auto path = path_of(host, port);
  const auto written = path ? write_file_atomically(*path, token + "\n", ParentFolder::required,
                                                    Durable::no, Kept::nothing)
                            : std::unexpected(path.error());
  if (written) return std::unique_ptr<TokenFile>(new TokenFile(*path, std::move(token)));
  return fail(errc::serve_failed, "Failed to start server: the token cannot be kept (" +
                                      written.error().message() + "); --token-file gives one");
}

void TokenFile::remove(const std::string& host, std::uint16_t port) {
  if (const auto path = path_of(host, port)) remove_file(*path);
}

TokenFile::TokenFile(fs::path path, std::string token)
    : path_(std::move(path)), token_(std::move(token)) {}

TokenFile::~TokenFile() { remove_file(path_); }

}  // namespace clawperator::serve
