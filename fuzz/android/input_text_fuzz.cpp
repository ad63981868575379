// Invariant: what Android's `input text` types of the pieces, one after the other, is the text.

#include "runtime/android/input_commands.hpp"
#include "wire/chunks.hpp"

using namespace clawperator;
using namespace adbproto;

namespace {

// com.android.commands.input: an s behind a % makes a blank of both; a % counts once.
std::string typed_by_android(const std::string& argument) {
  std::string text = argument;
  bool is_escape = false;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (is_escape) {
      is_escape = false;
      if (text[at] == 's') {
        text[at] = ' ';
        text.erase(--at, 1);
      }
    }
    if (text[at] == '%') is_escape = true;
  }
  return text;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto text = as_text(fuzz::input(data, size));
  if (!can_type(text)) return 0;
  std::string typed;
  for (const std::string& piece : input_text_pieces(text)) {
    const Words words = text_words(piece);
    fuzz::require(words.size() == 2 && words.front() == "text" && !words.back().contains(' '));
    typed += typed_by_android(words.back());
  }
  fuzz::require(typed == text);
  return 0;
}
