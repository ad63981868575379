#pragma once
// An open file descriptor that closes itself.

#include <unistd.h>

#include <cerrno>

#include "base/prelude.hpp"

namespace base {

class FileHandle {
 public:
  FileHandle() = default;
  explicit FileHandle(int descriptor) : descriptor_(descriptor) {}
  ~FileHandle() { reset(); }
  FileHandle(FileHandle&& other) noexcept : descriptor_(other.release()) {}
  FileHandle& operator=(FileHandle&& other) noexcept {
    if (this == &other) return *this;
    reset();
    descriptor_ = other.release();
    return *this;
  }
  FileHandle(const FileHandle&) = delete;
  FileHandle& operator=(const FileHandle&) = delete;

  [[nodiscard]] int get() const { return descriptor_; }
  [[nodiscard]] bool is_open() const { return descriptor_ >= 0; }
  int release() { return std::exchange(descriptor_, -1); }
  void reset() {
    if (is_open()) ::close(release());
  }
  // The result of close(2): 0, or an errno. Some file systems report a full disk only here.
  [[nodiscard]] int close() { return ::close(release()) == 0 ? 0 : errno; }

 private:
  int descriptor_ = -1;
};

}  // namespace base
