#pragma once
// The libusb functions that we call, as pointers: the library is loaded when the first phone on USB
// is opened, because loading it would slow every start of the program.

#include <libusb.h>

#include "base/loaded_library.hpp"

// clang-format off
#define ADBPROTO_LIBUSB(X)                                                                      \
  X(libusb_alloc_transfer) X(libusb_cancel_transfer) X(libusb_claim_interface)                  \
  X(libusb_clear_halt) X(libusb_close) X(libusb_error_name) X(libusb_exit)                      \
  X(libusb_free_transfer) X(libusb_handle_events_timeout_completed) X(libusb_init)              \
  X(libusb_interrupt_event_handler) X(libusb_release_interface) X(libusb_reset_device)          \
  X(libusb_set_option) X(libusb_submit_transfer) X(libusb_wrap_sys_device)
// clang-format on

namespace adbproto {

// Written once, by load_libusb().
ADBPROTO_LIBUSB(LOADED_DECLARE)

// Loads libusb at the first call; `unsupported` if it is not installed. Call nothing above before
// it.
Result<void> load_libusb();

}  // namespace adbproto
