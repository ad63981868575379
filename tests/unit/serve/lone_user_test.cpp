#include "runtime/serve/lone_user.hpp"

#include <catch2/catch.hpp>
#include <string>

using clawperator::serve::names_container;

TEST_CASE("lone user: cgroups that Docker, Podman, Kubernetes and LXC make name a container") {
  const auto cgroups = GENERATE(
      as<std::string>{}, "12:memory:/docker/3601745b3bd54d9780436faa5f0e4f72\n0::/\n",
      "0::/system.slice/docker-3601745b3bd5.scope\n",
      "0::/kubepods.slice/kubepods-burstable.slice/cri-containerd-0a1b.scope\n",
      "11:cpu:/kubepods/besteffort/pod0a1b/3601745b\n", "0::/user.slice/libpod-36017.scope\n",
      "1:name=systemd:/lxc/box\n", "0::/lxc.payload.box/init.scope\n");
  CHECK(names_container(cgroups));
}

TEST_CASE("lone user: cgroups of a user's own session name none") {
  const auto cgroups =
      GENERATE(as<std::string>{}, "", "0::/\n",
               "0::/user.slice/user-1000.slice/user@1000.service/app.slice/app-docker.scope\n",
               "1:name=systemd:/system.slice/docker.service\n", "0::/user.slice/user-1000.slice\n");
  CHECK_FALSE(names_container(cgroups));
}
