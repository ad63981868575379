#pragma once
// Whether anything was ordered of a phone on an event loop: what cuts a command short afterwards
// leaves it unknown what came of that. For commands that have a loop of their own.

#include <asio/any_io_executor.hpp>

namespace clawperator {

// Right before the order leaves.
void note_order(const asio::any_io_executor& executor);
bool order_has_left(const asio::any_io_executor& executor);

}  // namespace clawperator
