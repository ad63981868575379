#include "runtime/serve/lone_user.hpp"

#include <unistd.h>

#include <algorithm>

#include "base/files.hpp"
#include "base/number.hpp"
#include "base/system/environment.hpp"
#include "base/text.hpp"

namespace clawperator::serve {
namespace {

constexpr std::size_t kLargest = std::size_t{64} * 1024;

// Files that Docker, Podman, and systemd in a container leave there.
constexpr std::array kMarks{"/.dockerenv", "/run/.containerenv", "/run/systemd/container"};

// Environment variables that systemd-nspawn, LXC and Podman, and Kubernetes set.
constexpr std::array kVariables{"container", "KUBERNETES_SERVICE_HOST"};

bool is_in_container() {
  if (std::ranges::any_of(kMarks, [](const char* mark) { return is_there(mark); })) return true;
  const auto is_set = [](const char* name) { return environment_variable(name).has_value(); };
  if (std::ranges::any_of(kVariables, is_set)) return true;
  const auto cgroups = read_file("/proc/self/cgroup", kLargest);
  return cgroups && names_container(*cgroups);
}

uid_t overflow_user() {
  constexpr uid_t kUsual = 65534;
  const auto text = read_file("/proc/sys/kernel/overflowuid", kLargest);
  return text ? whole_number<uid_t>(trimmed(*text)).value_or(kUsual) : kUsual;
}

}  // namespace

bool is_lone_user() {
  const uid_t user = ::geteuid();
  return user != 0 && user != overflow_user() && !is_in_container();
}

// "4:memory:/docker/0123...", "0::/system.slice/docker-0123....scope", "0::/kubepods.slice/..."
bool names_container(std::string_view cgroups) {
  constexpr std::array kFolders{"docker", "lxc", "kubepods", "kubepods.slice"};
  constexpr std::array kStarts{"docker-",         "libpod-",     "crio-",
                               "cri-containerd-", "lxc.payload", "kubepods-"};
  while (!cgroups.empty()) {
    for (const std::string_view part : split(take_line(&cgroups), '/')) {
      if (std::ranges::find(kFolders, part) != kFolders.end()) return true;
      const auto begins = [part](const char* start) { return part.starts_with(start); };
      if (std::ranges::any_of(kStarts, begins)) return true;
    }
  }
  return false;
}

}  // namespace clawperator::serve
