#include "base/system/state_file.hpp"

#include "base/files.hpp"
#include "base/system/environment.hpp"
#include "base/system/file_lock.hpp"

namespace base {

void warn(const OnNotice& on_notice, const std::string& line) {
  if (on_notice) on_notice("warning: " + line);
}

std::filesystem::path StateFile::path() const {
  const auto folder = state_folder();
  return folder.empty() ? folder : folder / name_;
}

Result<std::optional<std::string>> StateFile::read() const {
  const auto file = path();
  std::error_code unknown;
  if (file.empty() || (!std::filesystem::exists(file, unknown) && !unknown)) return std::nullopt;
  TRY(std::string text, read_file(file, most_bytes_));
  return text;
}

void StateFile::warn_of_damage(const OnNotice& on_notice) const {
  warn(on_notice, path().string() + " is damaged; its unreadable parts are ignored");
}

Result<void> StateFile::replace(const std::string& json, bool is_damaged,
                                const OnNotice& on_notice) const {
  const auto file = path();
  if (is_damaged) {
    TRY(const std::string aside, keep_damaged(file));
    warn(on_notice, file.string() + " was damaged; it is " + aside + " now");
  }
  return write_file_atomically(file, json + "\n", ParentFolder::created, Durable::yes);
}

Task<FileHandle> StateFile::lock() const { co_return co_await lock_folder(path().parent_path()); }

}  // namespace base
