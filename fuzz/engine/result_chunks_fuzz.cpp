// Input: records of a result, one a line, as JSON. Invariants: the only error is a malformed
// result; what is held stays within the bytes that came; a record that is added twice in a row
// changes nothing; a line that is whole has the size and the digest that its first record
// announced.

#include <nlohmann/json.hpp>

#include "adbproto/crypto/sha256.hpp"
#include "base/json_document.hpp"
#include "base/text.hpp"
#include "runtime/contract/errc.hpp"
#include "runtime/engine/result_chunks.hpp"
#include "wire/chunks.hpp"

using namespace adbproto;
using clawperator::Json;
using clawperator::ResultChunks;

namespace {

struct Outcome {
  std::optional<Errc> error;
  bool whole = false;
  std::string line;

  bool operator==(const Outcome&) const = default;
};

Outcome read(const std::vector<Json>& records, bool twice) {
  Outcome outcome;
  ResultChunks chunks;
  for (const Json& record : records) {
    if (chunks.is_whole()) break;
    auto added = chunks.add(record);
    if (added && twice) added = chunks.add(record);
    if (!added) {
      outcome.error = added.error().code();
      return outcome;
    }
  }
  outcome.whole = chunks.is_whole();
  if (outcome.whole) outcome.line = chunks.take_line();
  return outcome;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string_view text = as_text(fuzz::input(data, size));
  std::vector<Json> records;
  while (!text.empty()) {
    auto record = clawperator::read_json(base::take_line(&text), 8192);
    if (record) records.push_back(*std::move(record));
  }
  const Outcome once = read(records, false);
  fuzz::require(once == read(records, true));
  fuzz::require(!once.error || *once.error == clawperator::errc::result_envelope_malformed);
  fuzz::require(once.line.size() <= size);
  if (!once.whole) return 0;
  fuzz::require(records.at(0)["byteLength"].get<double>() == static_cast<double>(once.line.size()));
  fuzz::require(records.at(0)["sha256"].get<std::string>() == sha256_of(once.line));
  return 0;
}
