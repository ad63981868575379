#include "skills/workspace/host_facts.hpp"

#include <dirent.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <unordered_set>

#include "base/text.hpp"
#include "skills/workspace/stamp.hpp"

namespace clawperator::agent_skills {
namespace {

std::string platform_name() {
  utsname system{};
  if (::uname(&system) != 0) return "linux";
  return ascii_lower(system.sysname);  // linux, darwin
}

std::string path_variable() {
  const char* path = std::getenv("PATH");
  return path == nullptr ? "" : path;
}

std::vector<std::string> folders_of(std::string_view rest) {
  std::vector<std::string> folders;
  while (!rest.empty()) {
    const auto colon = std::min(rest.find(':'), rest.size());
    if (colon > 0) folders.emplace_back(rest.substr(0, colon));
    rest.remove_prefix(std::min(colon + 1, rest.size()));
  }
  return folders;
}

// What the folders of a PATH hold.
struct Listing {
  std::string path{};
  std::vector<Stamp> stamps{};  // of its folders
  std::unordered_set<std::string> names{};
  std::vector<std::string> unread{};  // folders that do not tell what they hold
};

std::vector<Stamp> stamps_of(const std::vector<std::string>& folders) {
  const std::int64_t now = file_clock_now();
  std::vector<Stamp> stamps;
  for (const std::string& folder : folders) {
    struct stat found{};
    const bool is_there = ::stat(folder.c_str(), &found) == 0;
    stamps.push_back(is_there ? stamp_of(found, now) : Stamp{.is_settled = true});
  }
  return stamps;
}

Listing read_folders(std::vector<Stamp> stamps, const std::vector<std::string>& folders) {
  Listing listing{.stamps = std::move(stamps)};
  for (const std::string& folder : folders) {
    DIR* open = ::opendir(folder.c_str());
    if (open == nullptr) {
      listing.unread.push_back(folder);
      continue;
    }
    while (const dirent* each = ::readdir(open)) listing.names.emplace(each->d_name);
    ::closedir(open);
  }
  return listing;
}

// What this process last read of the folders, while it is true.
class KeptListing {
 public:
  // Null where it would have to be read, and `read` is not asked for.
  std::shared_ptr<const Listing> get(const std::string& path,
                                     const std::vector<std::string>& folders, bool read) {
    const std::scoped_lock lock(mutex_);
    if (!last_ && !read) return nullptr;
    std::vector<Stamp> stamps = stamps_of(folders);
    const auto confirms = [](const Stamp& now, const Stamp& then) { return now.confirms(then); };
    if (last_ && last_->path == path && std::ranges::equal(stamps, last_->stamps, confirms)) {
      return last_;
    }
    last_ = nullptr;
    if (!read) return nullptr;
    Listing listing = read_folders(std::move(stamps), folders);
    listing.path = path;
    last_ = std::make_shared<const Listing>(std::move(listing));
    return last_;
  }

 private:
  std::mutex mutex_;
  std::shared_ptr<const Listing> last_;
};

KeptListing& kept_listing() {
  static KeptListing kept;
  return kept;
}

// The name is joined to each folder, so that an absolute one is found nowhere. Who asks for many is
// answered from what the folders hold.
class Programs {
 public:
  bool has(const std::string& bin) {
    if (listing_ && listing_->unread.empty() && !may_be_listed(bin)) return false;
    const auto [found, is_new] = known_.try_emplace(bin, false);
    if (is_new) found->second = look(bin);
    return found->second;
  }

 private:
  [[nodiscard]] bool may_be_listed(const std::string& bin) const {
    return bin.contains('/') || listing_->names.contains(bin);
  }

  bool look(const std::string& bin) {
    if (bin.contains('\0')) return false;
    if (known_.size() == kFew && !listing_) listing_ = kept_listing().get(path_, folders_, true);
    for (const std::string& folder :
         !listing_ || may_be_listed(bin) ? folders_ : listing_->unread) {
      if (::access((folder + "/" + bin).c_str(), X_OK) == 0) return true;
    }
    return false;
  }

  static constexpr std::size_t kFew = 50;

  std::string path_ = path_variable();
  std::vector<std::string> folders_ = folders_of(path_);
  std::unordered_map<std::string, bool> known_;
  std::shared_ptr<const Listing> listing_ = kept_listing().get(path_, folders_, false);
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
