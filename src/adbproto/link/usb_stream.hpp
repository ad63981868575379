#pragma once
// A claimed adb interface as a byte stream of transport packets.
//
//   write_all -> UsbOutbound -> pending -> up to 8 transfers in flight
//   read_some <- ready <- UsbInbound <- up to 5 transfers in flight

#include <asio/any_io_executor.hpp>
#include <memory>

#include "adbproto/link/byte_stream.hpp"
#include "adbproto/link/usb_engine.hpp"

namespace adbproto {

// `pipe` is claimed and adopted by the engine.
ByteStreamPtr make_usb_stream(const asio::any_io_executor& executor, UsbEngine* engine,
                              std::shared_ptr<UsbPipe> pipe);

}  // namespace adbproto
