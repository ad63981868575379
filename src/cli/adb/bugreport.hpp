#pragma once
// What `bugreportz -p` prints, line by line:
//
//   BEGIN:/data/.../bugreport-X.zip   PROGRESS:17/100   OK:/data/.../bugreport-X.zip   FAIL:reason

#include "base/prelude.hpp"

namespace clawperator::cli {

class BugreportReader {
 public:
  // Chunks may end anywhere. Returns true when progress() has changed.
  bool feed(std::string_view text);
  // The last line may have no line end.
  void finish();

  [[nodiscard]] int progress() const { return progress_; }         // percent, never falls
  [[nodiscard]] const std::string& path() const { return path_; }  // on the device
  [[nodiscard]] const std::optional<std::string>& failure() const { return failure_; }
  // Lines of an unknown kind, at most 100.
  [[nodiscard]] const std::vector<std::string>& strange() const { return strange_; }

 private:
  bool take_line(std::string_view line);
  bool take_progress(std::string_view text);

  std::string line_;
  std::string path_;
  int progress_ = 0;
  std::optional<std::string> failure_;
  std::vector<std::string> strange_;
};

}  // namespace clawperator::cli
