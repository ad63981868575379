#pragma once
// Whether being this process's user proves anything. It proves nothing for root, which acts for all
// users; for a container's user, which runs everything inside and may be reached from outside; and
// in a user namespace, which maps all unknown users to one number.

#include <string_view>

namespace clawperator::serve {

bool is_lone_user();

// Whether /proc/self/cgroup names a process of Docker, Podman, Kubernetes or LXC. Pure.
bool names_container(std::string_view cgroups);

}  // namespace clawperator::serve
