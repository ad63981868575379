#include "runtime/log/log_reader.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <utility>

#include "runtime/contract/json_text.hpp"

namespace clawperator {
namespace {

constexpr std::size_t kBlock = 64 * 1024;
constexpr std::size_t kBeginning = 1024;
constexpr std::string_view kPrefix = "clawperator-";
constexpr std::string_view kPattern = "clawperator-dddd-dd-dd.log";

bool is_log_file(std::string_view name) {
  if (name.size() != kPattern.size()) return false;
  for (std::size_t i = 0; i < name.size(); ++i) {
    const bool digit = name[i] >= '0' && name[i] <= '9';
    if (kPattern[i] == 'd' ? !digit : name[i] != kPattern[i]) return false;
  }
  return true;
}

std::string too_long(std::string_view beginning, std::size_t size) {
  return JsonObject()
      .text("level", "warn")
      .text("event", "log.line_too_long")
      .text("message", "a line of " + std::to_string(size) + " bytes is left out")
      .text("beginning", beginning.substr(0, kBeginning))
      .str();
}

}  // namespace

std::string log_file_name(std::string_view day) {
  return std::string(kPrefix) + std::string(day) + ".log";
}

LogReader::LogReader(std::string folder, std::string_view first_day, Day today)
    : folder_(std::move(folder)), first_name_(log_file_name(first_day)), today_(std::move(today)) {}

bool LogReader::read(std::vector<std::string>& lines) {
  if (!file_ && !open_next()) return false;
  std::array<char, kBlock> block{};
  const ssize_t size = ::pread(::fileno(file_.get()), block.data(), block.size(), offset_);
  if (size > 0) {
    offset_ += size;
    take({block.data(), static_cast<std::size_t>(size)}, lines);
    return true;
  }
  if (start_over()) return true;
  if (!open_next()) return false;
  finish(lines);  // of the file before
  return true;
}

void LogReader::finish(std::vector<std::string>& lines) {
  if (line_size_ == 0) return;
  lines.push_back(line_size_ > kMaxLogLine ? too_long(line_, line_size_) : line_);
  line_.clear();
  line_size_ = 0;
}

// After a truncation the rest of the old line is gone; a new file of the same name begins anew.
bool LogReader::start_over() {
  struct stat opened{}, named{};
  if (::fstat(::fileno(file_.get()), &opened) != 0) return false;
  const bool replaced = ::stat(path_of(name_).c_str(), &named) == 0 &&
                        (named.st_ino != opened.st_ino || named.st_dev != opened.st_dev);
  if (!replaced && opened.st_size >= offset_) return false;
  line_.clear();
  line_size_ = 0;
  if (replaced) return open(name_);
  offset_ = 0;
  return true;
}

bool LogReader::open(const std::string& name) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path_of(name), error)) return false;
  std::unique_ptr<std::FILE, Close> file(std::fopen(path_of(name).c_str(), "re"));
  if (!file) return false;
  file_ = std::move(file);
  name_ = name;
  offset_ = 0;
  return true;
}

bool LogReader::open_next() {
  std::vector<std::string> names;
  const std::string last_name = log_file_name(today_());
  std::error_code error;
  for (std::filesystem::directory_iterator at(folder_, error), end; !error && at != end;
       at.increment(error)) {
    std::string name = at->path().filename().string();
    const bool later = name_.empty() ? name >= first_name_ : name > name_;
    if (later && name <= last_name && is_log_file(name)) names.push_back(std::move(name));
  }
  std::ranges::sort(names);
  return std::ranges::any_of(names, [this](const std::string& name) { return open(name); });
}

void LogReader::take(std::string_view bytes, std::vector<std::string>& lines) {
  for (;;) {
    const auto end = bytes.find('\n');
    extend(bytes.substr(0, end));
    if (end == bytes.npos) return;
    finish(lines);
    bytes.remove_prefix(end + 1);
  }
}

void LogReader::extend(std::string_view bytes) {
  line_size_ += bytes.size();
  if (line_size_ <= kMaxLogLine) {
    line_ += bytes;
  } else {
    line_.resize(std::min(line_.size(), kBeginning));
    line_ += bytes.substr(0, kBeginning - line_.size());
  }
}

}  // namespace clawperator
