// Invariant: a tree is handed on only from its first tag to its closing one, as it was printed;
// what is said instead is short, one line, and explained.

#include "runtime/engine/shell_backend/screen_dump.hpp"
#include "wire/chunks.hpp"

using namespace clawperator;
using namespace adbproto;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text = as_text(fuzz::input(data, size));
  const std::string_view out = text.substr(0, text.find('\0'));
  const std::string_view err = out.size() < text.size() ? text.substr(out.size() + 1) : "";
  const ScreenDump dump = read_screen_dump(out, err);
  const bool whole = dump.outcome == DumpOutcome::whole;
  fuzz::require(whole == !dump.xml.empty());
  fuzz::require(whole == why_no_tree(dump).empty());
  fuzz::require(dump.said.size() <= 300 && !dump.said.contains('\n'));
  if (!whole) return 0;
  fuzz::require(out.contains(dump.xml) && dump.xml.ends_with("</hierarchy>"));
  fuzz::require(dump.xml.starts_with("<?xml") || dump.xml.starts_with("<hierarchy"));
  return 0;
}
