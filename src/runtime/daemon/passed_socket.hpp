#pragma once
// A socket that whoever started this process listens at for it, as systemd's socket units do
// (sd_listen_fds(3)): LISTEN_PID is this process, LISTEN_FDS counts descriptors from 3 on.

#include <optional>
#include <string>

#include "base/error.hpp"
#include "base/file_handle.hpp"

namespace clawperator::daemon {

// Once, before there are threads: the variables are removed, so that no child takes them for its
// own. nullopt: none was passed to this process. serve_failed where it is not one listening unix
// stream socket.
Result<std::optional<base::FileHandle>> take_passed_socket();

// The path it is bound to.
std::string socket_name(const base::FileHandle& socket);

}  // namespace clawperator::daemon
