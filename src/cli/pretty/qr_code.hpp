#pragma once
// A text as a QR code made of half-block characters: two rows of modules per line.

#include "base/error.hpp"

namespace clawperator::cli {

enum class Ink { plain, terminal };  // terminal: white on black, whatever the terminal's colours

// The filled characters are the light modules; four of them surround the code. `limit` when the
// text is too long for a QR code.
Result<std::string> draw_qr_code(const std::string& text, Ink ink);

}  // namespace clawperator::cli
