#pragma once
// Whether the system lists the Operator's accessibility service, asked when the app says that it is
// not there.

#include <asio/awaitable.hpp>
#include <string>

#include "runtime/engine/channel.hpp"
#include "runtime/engine/service_list.hpp"

namespace clawperator {

// Asks for the user in front, without side effects. What the device does not tell is unknown.
asio::awaitable<ServiceListing> ask_service_listing(CommandChannel* channel,
                                                    std::string operator_package);

}  // namespace clawperator
