#include "skills/workspace/host_facts.hpp"

#include <dirent.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <cstdlib>
#include <memory>
#include <unordered_map>
#include <unordered_set>

#include "base/text.hpp"

namespace clawperator::agent_skills {
namespace {

std::string platform_name() {
  utsname system{};
  if (::uname(&system) != 0) return "linux";
  return ascii_lower(system.sysname);  // linux, darwin
}

std::vector<std::string> path_folders() {
  const char* path = std::getenv("PATH");
  std::string_view rest = path == nullptr ? "" : path;
  std::vector<std::string> folders;
  while (!rest.empty()) {
    const auto colon = std::min(rest.find(':'), rest.size());
    if (colon > 0) folders.emplace_back(rest.substr(0, colon));
    rest.remove_prefix(std::min(colon + 1, rest.size()));
  }
  return folders;
}

// The name is joined to each folder, so that an absolute one is found nowhere. Who asks for many is
// answered from what the folders hold.
class Programs {
 public:
  bool has(const std::string& bin) {
    const auto [found, is_new] = known_.try_emplace(bin, false);
    if (is_new) found->second = look(bin);
    return found->second;
  }

 private:
  bool look(const std::string& bin) {
    if (bin.contains('\0')) return false;
    if (known_.size() >= kFew && !is_read_) read_folders();
    const bool may_be_listed = !is_read_ || bin.contains('/') || names_.contains(bin);
    for (const std::string& folder : may_be_listed ? folders_ : unread_) {
      if (::access((folder + "/" + bin).c_str(), X_OK) == 0) return true;
    }
    return false;
  }

  void read_folders() {
    is_read_ = true;
    for (const std::string& folder : folders_) {
      DIR* open = ::opendir(folder.c_str());
      if (open == nullptr) {
        unread_.push_back(folder);
        continue;
      }
      while (const dirent* each = ::readdir(open)) names_.emplace(each->d_name);
      ::closedir(open);
    }
  }

  static constexpr std::size_t kFew = 50;

  std::vector<std::string> folders_ = path_folders();
  std::unordered_map<std::string, bool> known_;
  bool is_read_ = false;
  std::unordered_set<std::string> names_;  // in the folders
  std::vector<std::string> unread_;        // folders that do not tell what they hold
};

}  // namespace

HostFacts host_facts() {
  HostFacts facts;
  facts.platform = platform_name();
  facts.has_bin = [programs = std::make_shared<Programs>()](const std::string& bin) {
    return programs->has(bin);
  };
  facts.variable = [](const std::string& name) -> std::optional<std::string> {
    if (name.contains('\0')) return std::nullopt;
    const char* value = std::getenv(name.c_str());
    return value == nullptr ? std::nullopt : std::optional<std::string>(value);
  };
  return facts;
}

}  // namespace clawperator::agent_skills
