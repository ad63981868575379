#pragma once
// Whether a command that has an event loop of its own has ordered anything of a phone: if it is cut
// short after that, its outcome is unknown.

#include <asio/any_io_executor.hpp>

namespace clawperator {

// Call it right before the order leaves.
void note_order(const asio::any_io_executor& executor);
bool order_has_left(const asio::any_io_executor& executor);

}  // namespace clawperator
