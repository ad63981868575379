#pragma once
// The one error table: published spelling, exit code, HTTP status, meaning.
// A new code is a constant at the end of runtime/contract/errc.hpp, before `unknown`, and a row in
// error_codes.cpp, where docs/errors.md should have it, which a test writes from the table.

#include "base/error.hpp"

namespace clawperator {

struct ErrorRow {
  Errc code;
  std::string_view published;  // e.g. "DEVICE_NOT_FOUND"
  int exit_code;
  int http_status;
  std::string_view meaning;  // one sentence for docs/errors.md
};

std::span<const ErrorRow> error_table();
const ErrorRow& error_row(Errc code);

// {"code","message", then the error's further members}, compact.
std::string to_json(const Error& error);

}  // namespace clawperator
