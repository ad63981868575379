#pragma once
// The outline of a TOML document (toml.io, v1.0.0): its keys and the places of their values. Values
// are skipped, not checked: every valid document passes, and an invalid one may pass.

#include "base/error.hpp"

namespace clawperator::cli {

enum class TomlKind { table, tables, value };  // [a.b], [[a.b]], a.b = 1

struct TomlStatement {
  TomlKind kind = TomlKind::value;
  std::vector<std::string> key{};  // of a value: the table's names first
  std::size_t table_depth = 0;     // of a value: how many names of `key` are the table's
  std::size_t value_begin = 0;
  std::size_t value_end = 0;
};

// In document order. `protocol`: "line 3: a value was expected"; `limit`.
Result<std::vector<TomlStatement>> outline_toml(std::string_view text);

// The text of a one-line string; the texts of an array of such strings. nullopt for anything else.
std::optional<std::string> toml_string(std::string_view value);
std::optional<std::vector<std::string>> toml_strings(std::string_view value);

}  // namespace clawperator::cli
