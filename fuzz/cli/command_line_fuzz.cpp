// The words of a command line, one a line. Invariants: no words crash; a refusal is one JSON
// object; what a command is given stood on the line.

#include "cli/grammar/command_line.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "base/error_members.hpp"

using namespace clawperator;
using namespace clawperator::cli;

namespace {

std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words;
  for_each_part(text, [&](std::string_view word) { words.emplace_back(word); }, '\n');
  return words;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto words = words_of({reinterpret_cast<const char*>(data), size});
  const auto line = read_command_line(words);
  if (!line.request) {
    if (!nlohmann::json::accept(to_json(line.request.error()))) std::abort();
    return 0;
  }
  const auto* invocation = std::get_if<Invocation>(&*line.request);
  if (!invocation) return 0;
  for (const std::string& word : invocation->arguments.positionals()) {
    if (std::ranges::find(words, word) == words.end()) std::abort();
  }
  for (const Option& option : invocation->command->options) {
    const Given* given = invocation->arguments.find(option.name);
    if (!given || given->values.empty()) continue;
    const auto stood = [&](const std::string& word) { return word.contains(given->values[0]); };
    if (std::ranges::none_of(words, stood)) std::abort();
  }
  return 0;
}
