#pragma once
// Asked when the Operator says that its accessibility service is not there.

#include <asio/awaitable.hpp>
#include <string>

#include "runtime/engine/channel.hpp"
#include "runtime/engine/service_list.hpp"

namespace clawperator {

// Of the user in front; free of side effects. What the device does not tell is unknown.
asio::awaitable<ServiceListing> ask_service_listing(CommandChannel* channel,
                                                    std::string operator_package);

}  // namespace clawperator
