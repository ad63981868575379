#include "base/loaded_library.hpp"

namespace base {

namespace fs = std::filesystem;

void* open_library(const fs::path& folder, const char* name) {
  constexpr int kMode = RTLD_NOW | RTLD_LOCAL;
  void* handle = ::dlopen((folder / name).c_str(), kMode);
  return handle != nullptr ? handle : ::dlopen(name, kMode);
}

fs::path library_folder() {
  std::error_code unknown;
  const fs::path program = fs::read_symlink("/proc/self/exe", unknown);
  if (unknown) return {};  // and never below the folder in which the user happens to be
  return program.parent_path().parent_path() / "lib/clawperator";
}

}  // namespace base
