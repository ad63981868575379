#pragma once
// A shared library that is loaded at its first use and then stays, because a program that is
// started often should not load libraries that it does not use. A release with its own libraries
// has them in PREFIX/lib/clawperator (own_program.hpp); otherwise they are the system's.
//
//   LoadedLibrary library("libusb-1.0.so.0");
//   library.bind(init, "libusb_init");            init: a pointer to a function
//   TRY_VOID(library.complete("libusb-1.0-0"));   the Debian package to install if it is missing

#include <dlfcn.h>

#include <filesystem>

#include "base/error.hpp"
#include "base/own_program.hpp"

namespace base {

// The library in `folder`, or the system's if that is missing or does not fit; null without either.
// An empty `folder` means only the system's.
void* open_library(const std::filesystem::path& folder, const char* name);

class LoadedLibrary {
 public:
  explicit LoadedLibrary(const char* name)
      : name_(name), handle_(open_library(own_folder("lib/clawperator"), name)) {}

  template <class Function>
  void bind(Function*& function, const char* symbol) {
    if (handle_ == nullptr) return;
    function = reinterpret_cast<Function*>(::dlsym(handle_, symbol));
    if (function == nullptr && missing_.empty()) missing_ = symbol;
  }

  // `unsupported` when the library or one of the bound functions is missing.
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
// which hides the declaration in the library's header, so that calls and macros look unchanged. As
// the program does not link the library, a forgotten name fails to link.
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
