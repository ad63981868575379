// Invariants: the lines do not depend on how the file grew, nor on what stood there before it was
// truncated; all its bytes are in them but the line breaks.

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "runtime/log/log_reader.hpp"
#include "wire/chunks.hpp"

using namespace adbproto;
using namespace clawperator;

namespace {

const std::string kDay = "2026-11-22";

const std::string& folder() {
  static std::string path = std::filesystem::temp_directory_path() / "log_reader_fuzz.XXXXXX";
  static const bool made = ::mkdtemp(path.data()) != nullptr;
  fuzz::require(made);
  return path;
}

void write(std::string_view text, std::ios::openmode mode) {
  std::ofstream(folder() + "/" + log_file_name(kDay), std::ios::binary | mode) << text;
}

void read_all(LogReader* reader, std::vector<std::string>* lines) {
  while (reader->read(*lines)) {
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0 || size > 4096) return 0;
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  const std::size_t step = data[0] + std::size_t{1};
  const auto today = [] { return kDay; };
  write({}, std::ios::trunc);
  LogReader growing(folder(), kDay, today);
  std::vector<std::string> grown;
  for (std::size_t at = 0; at < text.size(); at += step) {
    write(text.substr(at, step), std::ios::app);
    read_all(&growing, &grown);
  }
  LogReader once(folder(), kDay, today);
  std::vector<std::string> whole;
  read_all(&once, &whole);
  fuzz::require(grown == whole);
  std::string joined;
  for (const std::string& line : whole) joined += line;
  const auto ended = text.substr(0, text.rfind('\n') == text.npos ? 0 : text.rfind('\n'));
  fuzz::require(joined.size() + static_cast<std::size_t>(std::ranges::count(ended, '\n')) ==
                ended.size());
  std::vector<std::string> again;
  write({}, std::ios::trunc);
  read_all(&growing, &again);
  write(text, std::ios::app);
  read_all(&growing, &again);
  fuzz::require(again == whole);
  return 0;
}
