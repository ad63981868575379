#pragma once
// A small file in ~/.clawperator that several processes read and replace as a whole: the targets,
// the known phones, the known signers. A damaged file gives a warning, and is moved aside before it
// is replaced.

#include <filesystem>

#include "base/async/task.hpp"
#include "base/file_handle.hpp"

namespace base {

using OnNotice = std::function<void(std::string_view)>;  // receives a line for the waiting user

void warn(const OnNotice& on_notice, const std::string& line);

class StateFile {
 public:
  constexpr StateFile(const char* name, std::size_t most_bytes)
      : name_(name), most_bytes_(most_bytes) {}

  // Empty when HOME is unset.
  [[nodiscard]] std::filesystem::path path() const;
  // nullopt without a file; an error if the file cannot be read.
  [[nodiscard]] Result<std::optional<std::string>> read() const;
  void warn_of_damage(const OnNotice& on_notice) const;
  // The new text is on the disk before it gets the name. on_notice reports where a damaged file was
  // moved.
  Result<void> replace(const std::string& json, bool is_damaged, const OnNotice& on_notice) const;
  // A writer holds this lock from its read to its write, so that two changes do not undo each
  // other.
  [[nodiscard]] Task<FileHandle> lock() const;

 private:
  const char* name_;
  std::size_t most_bytes_;
};

// The file's content through `parse`; empty without a file. on_notice reports a damaged file.
template <class Content>
Result<Content> read_state(const StateFile& file, Content (*parse)(std::string_view),
                           const OnNotice& on_notice) {
  TRY(const auto text, file.read());
  if (!text) return Content{};
  Content content = parse(*text);
  if (content.is_damaged) file.warn_of_damage(on_notice);
  return content;
}

}  // namespace base
