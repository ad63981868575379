#pragma once
// The one error table: published spelling, exit code, HTTP status, meaning.
// A new code is an enumerator in adbproto/base/error.hpp and a row in error_codes.cpp, in the same
// place of both lists; docs/errors.md is generated from the table.

#include <span>
#include <string>
#include <string_view>

#include "adbproto/base/error.hpp"

namespace clawperator {

struct ErrorRow {
  adbproto::Errc code;
  std::string_view published;  // e.g. "DEVICE_NOT_FOUND"
  int exit_code;
  int http_status;
  std::string_view meaning;  // one sentence for docs/errors.md
};

std::span<const ErrorRow> error_table();
const ErrorRow& error_row(adbproto::Errc code);

// {"code","message", then the error's further members}, compact.
std::string to_json(const adbproto::Error& error);

// The text of docs/errors.md.
std::string error_table_markdown();

}  // namespace clawperator
