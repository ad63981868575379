#pragma once
// The effect of faults on a result on its way to the log: the line, its records, and lines of other
// apps.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "simdroid/device/faults.hpp"
#include "simdroid/operator/publication.hpp"

namespace simdroid {

// The `[L-Result] {...}` line before it is cut into records.
void alter_envelope(const Faults& faults, std::string& line);
// The records of `line`, or the line alone.
void alter_records(const Faults& faults, const OperatorNames& names, const ResultIds& ids,
                   const std::string& line, std::vector<std::string>& records);

// A successful envelope for a command, forged by an app that has read its payload; empty:
// unreadable.
std::string forged_envelope(const OperatorNames& names, std::string_view payload);

// The command of another host, which keeps the app busy for this time.
std::string foreign_payload(std::uint64_t number, std::int64_t milliseconds);
bool is_foreign(std::string_view command_id);

}  // namespace simdroid
