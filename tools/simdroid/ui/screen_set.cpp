#include "simdroid/ui/screen_set.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace simdroid {
namespace {

constexpr std::uintmax_t kMaxFile = 4 << 20;

Result<ScreenFile> read_screen_file(const std::filesystem::path& path) {
  std::error_code error;
  const auto size = std::filesystem::file_size(path, error);
  if (error) return fail(errc::file_unreadable, path.string() + ": " + error.message());
  if (size > kMaxFile) return fail(errc::limit, path.string() + " is larger than 4 MiB");
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  if (!(text << in.rdbuf())) return fail(errc::file_unreadable, path.string() + ": cannot be read");
  return ScreenFile{path.filename().string(), std::move(text).str()};
}

}  // namespace

Result<ScreenSet> ScreenSet::load_directory(const std::string& path) {
  std::error_code error;
  std::vector<std::filesystem::path> paths;
  for (std::filesystem::directory_iterator it(path, error), end; !error && it != end;
       it.increment(error)) {
    if (it->path().extension() == ".json") paths.push_back(it->path());
  }
  if (error) return fail(errc::file_unreadable, path + ": " + error.message());
  std::sort(paths.begin(), paths.end());

  std::vector<ScreenFile> files = bundled_screen_files();
  for (const auto& file : paths) {
    TRY(ScreenFile read, read_screen_file(file));
    files.push_back(std::move(read));
  }
  return parse(files);
}

const App* ScreenSet::find(std::string_view package) const {
  const auto found = apps_.find(package);
  return found == apps_.end() ? nullptr : &found->second;
}

std::shared_ptr<const ScreenSet> bundled_screens() {
  static const auto set = std::make_shared<const ScreenSet>(
      ScreenSet::parse(bundled_screen_files()).value_or(ScreenSet{}));
  return set;
}

}  // namespace simdroid
