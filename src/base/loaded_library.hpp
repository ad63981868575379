#pragma once
// A shared library that is loaded at its first use, and then stays: a program that is started often
// does not pay for a library that it does not use. A release that brings its libraries has them in
// PREFIX/lib/clawperator (own_program.hpp); else they are the system's.
//
//   LoadedLibrary library("libusb-1.0.so.0");
//   library.bind(init, "libusb_init");            init: a pointer to a function
//   TRY_VOID(library.complete("libusb-1.0-0"));   the Debian package to install where it is missing

#include <dlfcn.h>

#include <filesystem>

#include "base/error.hpp"
#include "base/own_program.hpp"

namespace base {

// That of `folder`, or the system's where it is not there or does not fit; null without either. An
// empty `folder` is none.
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
