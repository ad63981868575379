#pragma once
// Reads the log's lines as they stand in the files, day after day, and those that are written
// meanwhile: over midnight into the next file, again from the start of a file that was truncated
// or replaced. adbproto::FolderWatch tells when it is worth to look.

#include <cstdint>
#include <cstdio>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace clawperator {

// A longer line is given as {"level":"warn","event":"log.line_too_long",..} with its beginning.
inline constexpr std::size_t kMaxLogLine = 1 << 20;

// "clawperator-2026-11-22.log"
std::string log_file_name(std::string_view day);

class LogReader {
 public:
  using Day = std::function<std::string()>;
  // From the file of `first_day` on. A file dated later than `today` is not looked at before then:
  // whoever wrote it had another clock, and what is written from now on stands in today's.
  LogReader(std::string folder, std::string_view first_day, Day today);

  // Appends some more lines, without their line breaks; false when there is nothing more for now.
  // A line is given once it has ended.
  bool read(std::vector<std::string>& lines);
  // The last line, if its end is missing.
  void finish(std::vector<std::string>& lines);

  [[nodiscard]] bool found_any() const { return !name_.empty(); }

 private:
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };

  bool open(const std::string& name);
  bool open_next();
  bool start_over();
  void take(std::string_view bytes, std::vector<std::string>& lines);
  void extend(std::string_view bytes);
  [[nodiscard]] std::string path_of(const std::string& name) const { return folder_ + "/" + name; }

  std::string folder_;
  std::string first_name_;
  Day today_;
  std::string name_;  // of the file that is open, or was last
  std::unique_ptr<std::FILE, Close> file_;
  std::int64_t offset_ = 0;
  std::string line_;           // the beginning of a line that has not ended
  std::size_t line_size_ = 0;  // its whole size, when that is too much to keep
};

}  // namespace clawperator
