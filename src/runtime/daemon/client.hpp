#pragma once
// A command's side of the daemon's socket.

#include "runtime/daemon/messages.hpp"

namespace clawperator::daemon {

// A killed process leaves one behind.
bool has_socket();

// Has the process at the socket carry it out. nullopt: there is none, it declined, or it went away
// before it began: nothing happened on the device, and the caller runs the request itself. Pictures
// are written here. Cancelled, it tells the other side and brings what became of it.
asio::awaitable<std::optional<Result<ExecuteResult>>> execute_by_daemon(
    const ExecuteRequest* request, const Surface* surface);

// What the process at the socket says of itself, as a JSON object; nullopt: there is none.
Task<std::optional<std::string>> ask_status();
// Has it end; false: there is none.
Task<bool> ask_stop();

}  // namespace clawperator::daemon
