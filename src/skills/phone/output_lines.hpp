#pragma once
// A script's output as lines, each at most 4 KiB, for readers while it runs; after a bound further
// lines are dropped.

#include "base/system/child_process.hpp"

namespace clawperator::phone_skills {

class OutputLines {
 public:
  using OnLine = std::function<void(ChildStream, const std::string& line)>;
  static constexpr std::size_t kLongest = 4096;
  // Bounds the events of a run to 40 MiB (kLongest each); a person follows far fewer lines.
  static constexpr std::size_t kMost = 10'000;

  explicit OutputLines(OnLine on_line, std::size_t most = kMost)
      : on_line_(std::move(on_line)), most_(most) {}
  ~OutputLines() { end(); }
  OutputLines(const OutputLines&) = delete;
  OutputLines& operator=(const OutputLines&) = delete;

  void take(ChildStream stream, std::string_view text) {
    std::string& line = begun(stream);
    while (!text.empty()) {
      const auto end = std::min(text.find('\n'), text.size());
      line += text.substr(0, std::min(end, kLongest - std::min(line.size(), kLongest)));
      if (end == text.size()) return;
      end_line(stream);
      text.remove_prefix(end + 1);
    }
  }

  // A last line without its line feed counts, too.
  void end() {
    for (const ChildStream stream : {ChildStream::out, ChildStream::err}) {
      if (!begun(stream).empty()) end_line(stream);
    }
  }

 private:
  std::string& begun(ChildStream stream) { return begun_[stream == ChildStream::out ? 0 : 1]; }

  void end_line(ChildStream stream) {
    std::string& line = begun(stream);
    if (line.ends_with('\r')) line.pop_back();
    if (count_ < most_) on_line_(stream, line);
    if (count_ == most_) on_line_(stream, "[clawperator: further lines are left out]");
    ++count_;
    line.clear();
  }

  OnLine on_line_;
  std::size_t most_;
  std::array<std::string, 2> begun_;
  std::size_t count_ = 0;
};

}  // namespace clawperator::phone_skills
