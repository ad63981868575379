#include "base/loaded_library.hpp"

namespace base {

namespace fs = std::filesystem;

void* open_library(const fs::path& folder, const char* name) {
  constexpr int kMode = RTLD_NOW | RTLD_LOCAL;
  void* handle = ::dlopen((folder / name).c_str(), kMode);
  return handle != nullptr ? handle : ::dlopen(name, kMode);
}

}  // namespace base
