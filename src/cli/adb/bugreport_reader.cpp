#include "cli/adb/bugreport_reader.hpp"

#include "base/number.hpp"
#include "base/text.hpp"

namespace clawperator::cli {
namespace {

constexpr std::size_t kMaxLine = 4096;
constexpr std::size_t kMaxStrange = 100;

std::optional<std::string_view> after(std::string_view line, std::string_view prefix) {
  if (!line.starts_with(prefix)) return std::nullopt;
  return line.substr(prefix.size());
}

}  // namespace

bool BugreportReader::take_progress(std::string_view text) {
  const std::size_t slash = text.find('/');
  const auto done = whole_number<long>(text.substr(0, slash));
  const auto total = slash == text.npos ? std::nullopt : whole_number<long>(text.substr(slash + 1));
  if (!done || !total || *done < 0 || *total <= 0 || *done > *total) return false;
  const int percent =
      static_cast<int>(static_cast<double>(*done) * 100 / static_cast<double>(*total));
  if (percent != 0 && percent <= progress_) return false;
  progress_ = percent;
  return true;
}

bool BugreportReader::take_line(std::string_view line) {
  if (line.ends_with('\r')) line.remove_suffix(1);
  if (line.empty()) return false;
  if (const auto text = after(line, "PROGRESS:")) return take_progress(*text);
  auto path = after(line, "BEGIN:");
  if (!path) path = after(line, "OK:");
  if (path) {
    path_ = *path;
  } else if (const auto reason = after(line, "FAIL:")) {
    failure_ = std::string(*reason);
  } else if (strange_.size() < kMaxStrange) {
    strange_.emplace_back(line);
  }
  return false;
}

bool BugreportReader::feed(std::string_view text) {
  bool changed = false;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    const std::string_view piece = text.substr(0, end);
    line_ += piece.substr(0, kMaxLine - std::min(kMaxLine, line_.size()));
    text.remove_prefix(std::min(text.size(), piece.size() + 1));
    if (end == text.npos) break;
    changed = take_line(line_) || changed;
    line_.clear();
  }
  return changed;
}

void BugreportReader::finish() {
  take_line(line_);
  line_.clear();
}

}  // namespace clawperator::cli
