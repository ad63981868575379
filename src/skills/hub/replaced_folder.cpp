#include "skills/hub/replaced_folder.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <ctime>
#include <utility>

#include "skills/hub/plain_file.hpp"

namespace clawperator::hub {

namespace fs = std::filesystem;

namespace {

std::string time_now() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  ::gmtime_r(&now, &parts);
  std::array<char, 32> text{};
  return {text.data(), std::strftime(text.data(), text.size(), "%Y%m%dT%H%M%SZ", &parts)};
}

}  // namespace

ReplacedFolder::ReplacedFolder(fs::path path, FileHandle folder)
    : path_(std::move(path)), folder_(std::move(folder)) {}

ReplacedFolder::~ReplacedFolder() {
  if (folder_.is_open()) ::rmdir(path_.c_str());
}

Result<ReplacedFolder> ReplacedFolder::open(const fs::path& skills) {
  fs::path path = skills / ".hub-replaced";
  if (::mkdir(path.c_str(), 0755) != 0 && errno != EEXIST) return cannot_write_to(path, errno);
  FileHandle folder = open_real_folder(path);
  if (!folder.is_open()) return cannot_write_to(path, errno);
  return ReplacedFolder(std::move(path), std::move(folder));
}

Result<fs::path> ReplacedFolder::keep(const fs::path& folder, const std::string& slug) const {
  TRY(const std::string name, set_aside(folder, folder_, slug + "-" + time_now()));
  return path_ / name;
}

}  // namespace clawperator::hub
