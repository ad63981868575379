#pragma once
// The form of a result in the log: one line, or several records if the line is long.
//
//   [L-Result] {...}                                             up to 3000 bytes
//   [L-Result-Chunk] {commandId, taskId, index, count, byteLength, sha256, data}   1024 bytes each

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "simdroid/operator/operator_version.hpp"
#include "simdroid/profile.hpp"

namespace simdroid {

struct ResultIds {
  std::string_view command_id, task_id;
};

// One message for each log entry, in order. `line` is the whole line, prefix included.
std::vector<std::string> result_records(const OperatorNames& names, const ResultIds& ids,
                                        const std::string& line);
// How many entries a line of this many bytes becomes.
std::size_t record_count(std::size_t bytes);

// The lines before and after the records, which acknowledge nothing.
std::string publication_started(const OperatorNames& names, const ResultIds& ids,
                                std::size_t bytes);
std::string publication_completed(const OperatorNames& names, const ResultIds& ids,
                                  std::size_t bytes, Duration elapsed);

}  // namespace simdroid
