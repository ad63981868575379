#include "adbproto/link/libusb_functions.hpp"

namespace adbproto {

ADBPROTO_LIBUSB(LOADED_DEFINE)

namespace {

Result<void> load() {
  LoadedLibrary library("libusb-1.0.so.0");
  ADBPROTO_LIBUSB(LOADED_BIND)
  return library.complete("libusb-1.0-0");
}

}  // namespace

Result<void> load_libusb() {
  static const Result<void> loaded = load();
  return loaded;
}

}  // namespace adbproto
