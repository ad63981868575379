#pragma once
// `clawperator serve`: listens, keeps devices connected, answers, and ends well.

#include "runtime/daemon/messages.hpp"
#include "runtime/http/access.hpp"
#include "runtime/serve/route_table.hpp"
#include "runtime/serve/service.hpp"
#include "runtime/serve/token_file.hpp"

namespace clawperator::serve {

struct ServeOptions {
  std::string host = "127.0.0.1";      // a literal address
  std::uint16_t port = 3000;           // 0: any
  std::string token;                   // what requests bear; empty: one is made
  std::vector<std::string> origins{};  // whose pages may use it: --allow-origin
  bool always_requires_token = true;   // for the token: other processes of this user, too
  Defaults defaults;
  act::SnapshotStore snapshots{{}};              // what /devices/:serial/snapshot has shown
  std::optional<std::filesystem::path> files{};  // the folder that clients may name files below
  EventLog* log = nullptr;                       // must outlive the task
  std::vector<MoreRoutes> more_routes{};
  mcp::Additions more_of_mcp{};  // of POST /mcp
  // Commands of this user come by the daemon's socket, too, unless another process has it.
  std::optional<daemon::Surface> surface{};
  // Where it listens, and where the token stands that was made.
  std::function<void(std::uint16_t port, const TokenFile* made)> on_listening;
};

// Until it is cancelled: then it accepts nothing more and lets the work in flight end. Fails with
// serve_failed where it cannot listen or `files` is no folder for that, with cancelled otherwise.
Task<void> serve(ServeOptions options);

}  // namespace clawperator::serve
