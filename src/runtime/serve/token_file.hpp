#pragma once
// The token that a server makes: a file of this user alone in the runtime folder, one for each
// address, for as long as the server listens there.

#include <filesystem>

#include "base/error.hpp"

namespace clawperator::serve {

class TokenFile {
 public:
  static Result<std::unique_ptr<TokenFile>> make(const std::string& host, std::uint16_t port);
  // Removes the file of a server that was killed: its token is no longer valid.
  static void remove(const std::string& host, std::uint16_t port);

  ~TokenFile();
  TokenFile(const TokenFile&) = delete;
  TokenFile& operator=(const TokenFile&) = delete;

  [[nodiscard]] const std::string& token() const { return token_; }
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  TokenFile(std::filesystem::path path, std::string token);

  std::filesystem::path path_;
  std::string token_;
};

}  // namespace clawperator::serve
