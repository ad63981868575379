#pragma once
// What an error advises, as each of its readers can follow it. Errors are made with the text for
// the command line; HTTP and MCP replace it where they write an error.

#include "base/error.hpp"

namespace base {

enum class Reader { command_line, http, mcp };

struct HintRow {
  std::string_view key;
  // `{}` stands for a value, which the other two texts may have, too.
  std::string_view command_line;
  std::string_view http;
  std::string_view mcp;

  // The text for the command line with these values.
  [[nodiscard]] std::string with(std::initializer_list<std::string_view> values = {}) const;
};

// NOLINTBEGIN(readability-identifier-naming): they read like the codes beside them.
namespace hints {
extern const HintRow no_source, start_server, absent_device, several_devices, one_of_two_apps,
    which_app, other_app, longer_timeout, shell_backend, new_snapshot, line, settling;
}  // namespace hints
// NOLINTEND(readability-identifier-naming)

// `text`, made for the command line, for this reader. Commands that no row has are those of the
// computer that this program runs on, and the text then begins with that.
std::string restated(std::string text, Reader reader);
// The same of an error's `hint`. Of its message only the rows are replaced.
Error restated(const Error& error, Reader reader);

}  // namespace base
