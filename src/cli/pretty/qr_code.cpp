#include "cli/pretty/qr_code.hpp"

#include <qrencode.h>

#include "base/loaded_library.hpp"

namespace clawperator::cli {
namespace {

constexpr int kQuiet = 4;

// libqrencode. Only the one command that needs it loads it, because linking it would slow every
// start of the program.
struct Library {
  decltype(&QRcode_encodeString8bit) encode = nullptr;
  decltype(&QRcode_free) free = nullptr;
};

Result<Library> load_library() {
  LoadedLibrary library("libqrencode.so.4");
  Library functions;
  library.bind(functions.encode, "QRcode_encodeString8bit");
  library.bind(functions.free, "QRcode_free");
  TRY_VOID(library.complete("libqrencode4"));
  return functions;
}

// The modules with the light border that scanners need.
struct Picture {
  const QRcode& code;

  [[nodiscard]] int size() const { return code.width + 2 * kQuiet; }
  [[nodiscard]] bool is_light(int row, int column) const {
    const int y = row - kQuiet, x = column - kQuiet;
    if (y < 0 || x < 0 || y >= code.width || x >= code.width) return row < size();
    return (code.data[y * code.width + x] & 1) == 0;
  }
};

std::string draw_line(const Picture& picture, int row) {
  constexpr const char* kBlocks[2][2] = {{" ", "▄"}, {"▀", "█"}};  // [upper is light][lower]
  std::string line;
  for (int column = 0; column < picture.size(); ++column) {
    line += kBlocks[picture.is_light(row, column)][picture.is_light(row + 1, column)];
  }
  return line;
}

}  // namespace

Result<std::string> draw_qr_code(const std::string& text, Ink ink) {
  TRY(const Library library, load_library());
  const std::unique_ptr<QRcode, decltype(&QRcode_free)> code(
      library.encode(text.c_str(), 0, QR_ECLEVEL_M), library.free);
  if (!code) return fail(errc::limit, "text is too long for a QR code");
  const Picture picture{*code};
  std::string drawn;
  for (int row = 0; row < picture.size(); row += 2) {
    const std::string line = draw_line(picture, row);
    drawn += ink == Ink::terminal ? "\x1b[97;40m" + line + "\x1b[0m\n" : line + "\n";
  }
  return drawn;
}

}  // namespace clawperator::cli
