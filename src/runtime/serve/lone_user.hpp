#pragma once
// Whether being this process's user proves anything: root acts for everybody, a container's user
// for all that runs in it and before its door, and a user namespace has one number for all whom it
// does not know.

#include <string_view>

namespace clawperator::serve {

bool is_lone_user();

// What /proc/self/cgroup says of a process that Docker, Podman, Kubernetes or LXC has started.
// Pure.
bool names_container(std::string_view cgroups);

}  // namespace clawperator::serve
