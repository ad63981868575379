#pragma once
// How a service's shell command ends when the service throws: text on stderr, exit 255.

#include <string>
#include <string_view>

#include "simdroid/userland/process.hpp"

namespace simdroid {

struct JavaException {
  std::string verb;       // "list", "grant"
  std::string_view type;  // "SecurityException"; a literal
  std::string text;
};

Task<int> throw_exception(Process* process, JavaException thrown);
// A SecurityException.
Task<int> refuse_shell(Process* process, std::string verb, std::string text);

}  // namespace simdroid
