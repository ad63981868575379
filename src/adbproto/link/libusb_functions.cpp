#include "adbproto/link/libusb_functions.hpp"

namespace adbproto {

ADBPROTO_LIBUSB(LOADED_DEFINE)

Result<void> load_libusb() {
  static const Result<void> kLoaded = [] {
    LoadedLibrary library("libusb-1.0.so.0");
    ADBPROTO_LIBUSB(LOADED_BIND)
    return library.complete("libusb-1.0-0");
  }();
  return kLoaded;
}

}  // namespace adbproto
