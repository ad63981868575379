#pragma once
// The lines of .gitignore files, as far as a skill's files are judged by them: without regard to
// case, as the hub's own clients read them.

#include <string>
#include <string_view>
#include <vector>

namespace clawperator::hub {

class IgnoreRules {
 public:
  // Later lines win; what stands below an ignored folder stays ignored.
  void add(std::string_view text);
  // `path` of a file, with '/', without one in front.
  [[nodiscard]] bool ignores(std::string_view path) const;

 private:
  struct Rule {
    std::vector<std::string> segments{};  // "**" is any number of folders
    bool negated = false;
    bool folders_only = false;
  };
  enum class What { file, folder };
  void add_line(std::string_view line);
  [[nodiscard]] bool decides(std::string_view path, What what) const;

  std::vector<Rule> rules_;
};

}  // namespace clawperator::hub
