#pragma once
// A shared library that is loaded at its first use, and then stays: a program that is started often
// does not pay for a library that it does not use. It is looked for in ../lib/clawperator, seen
// from the program's own folder, and then where the system has its libraries (cmake/module.cmake).
//
//   LoadedLibrary library("libusb-1.0.so.0");
//   library.bind(init, "libusb_init");            init: a pointer to a function
//   TRY_VOID(library.complete("libusb-1.0-0"));   the Debian package to install where it is missing

#include <dlfcn.h>

#include "base/error.hpp"

namespace base {

class LoadedLibrary {
 public:
  explicit LoadedLibrary(const char* name)
      : name_(name), handle_(::dlopen(name, RTLD_NOW | RTLD_LOCAL)) {}

  template <class Function>
  void bind(Function*& function, const char* symbol) {
    if (handle_ == nullptr) return;
    function = reinterpret_cast<Function*>(::dlsym(handle_, symbol));
    if (function == nullptr && missing_.empty()) missing_ = symbol;
  }

  // `unsupported` when the library, or anything that was bound, is not there.
  [[nodiscard]] Result<void> complete(const char* package) const {
    if (handle_ != nullptr && missing_.empty()) return ok();
    const std::string what = handle_ == nullptr ? name_ + " cannot be loaded"
                                                : name_ + " is too old: it lacks " + missing_;
    return fail(errc::unsupported, what + "; install the package " + package);
  }

 private:
  std::string name_;
  void* handle_;
  std::string missing_;
};

}  // namespace base

// A library that is called much keeps its names: for each of them a pointer within our namespace,
// which hides the declaration of the library's header, so that calls and macros read as ever. Where
// nothing links the library, a name that was forgotten fails to link.
//
//   #define FUNCTIONS(X) X(usb_init) X(usb_exit)
//   FUNCTIONS(LOADED_DECLARE)                                      in a header
//   FUNCTIONS(LOADED_DEFINE)                                       in a .cpp
//   LoadedLibrary library("libusb.so.1"); FUNCTIONS(LOADED_BIND)   once, before the first call
//
// NOLINTBEGIN(readability-identifier-naming,bugprone-macro-parentheses)
#define LOADED_DECLARE(name) extern decltype(&::name) name;
#define LOADED_DEFINE(name) decltype(&::name) name = nullptr;
#define LOADED_BIND(name) library.bind(name, #name);
// NOLINTEND(readability-identifier-naming,bugprone-macro-parentheses)
