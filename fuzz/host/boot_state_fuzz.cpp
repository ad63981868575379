// Invariants: booted only if the first two lines are "1"; the name is one bounded line of the
// answer; the line ends of a terminal change nothing.

#include "runtime/host/emulator/running.hpp"
#include "wire/chunks.hpp"

using namespace adbproto;
using namespace clawperator;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string answer(reinterpret_cast<const char*>(data), size);
  const BootState state = parse_boot_state(answer);
  fuzz::require(state.avd_name.size() <= 200 && !state.avd_name.contains('\n'));
  fuzz::require(answer.contains(state.avd_name));
  fuzz::require(!state.booted || std::ranges::count(answer, '1') >= 2);
  std::string on_a_terminal;
  for (const char c : answer) on_a_terminal += c == '\n' ? std::string("\r\n") : std::string(1, c);
  const BootState same = parse_boot_state(on_a_terminal);
  fuzz::require(same.booted == state.booted && same.avd_name == state.avd_name);
  const BootState booted = parse_boot_state("1\n1\n" + answer);
  fuzz::require(booted.booted);
  fuzz::require(!parse_boot_state("0\n" + answer).booted);
  return 0;
}
