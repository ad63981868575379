#include "runtime/android/input_commands.hpp"

#include <catch2/catch.hpp>

using namespace clawperator;

TEST_CASE("input commands: gestures are words of the service") {
  CHECK(tap_words({540, 1200}) == Words{"tap", "540", "1200"});
  CHECK(swipe_words({1, 2}, {3, 4}, {}) == Words{"swipe", "1", "2", "3", "4"});
  CHECK(swipe_words({1, 2}, {1, 2}, 800) == Words{"swipe", "1", "2", "1", "2", "800"});
  CHECK(keyevent_words(4) == Words{"keyevent", "4"});
}

TEST_CASE("input commands: the program takes the service's words, quoted for the shell") {
  const Words words = text_words("it's");
  CHECK(service_line(Rung::cmd, AndroidService::input, words) == "cmd input 'text' 'it'\"'\"'s'");
  CHECK(service_line(Rung::am, AndroidService::input, words) == "input 'text' 'it'\"'\"'s'");
  CHECK(abb_words(AndroidService::input, words) == Words{"input", "text", "it's"});
}

TEST_CASE("input commands: a blank is written %s, everything else as it is") {
  CHECK(text_words("a b  c") == Words{"text", "a%sb%s%sc"});
  CHECK(text_words("-t \"$x\" 100%") == Words{"text", "-t%s\"$x\"%s100%"});
  CHECK(text_words("% s") == Words{"text", "%%ss"});
}

TEST_CASE("input commands: no piece of a text holds %s, which has no spelling") {
  using Pieces = std::vector<std::string>;
  CHECK(input_text_pieces("plain") == Pieces{"plain"});
  CHECK(input_text_pieces("%s") == Pieces{"%", "s"});
  CHECK(input_text_pieces("a%s%sb%") == Pieces{"a%", "s%", "sb%"});
  CHECK(input_text_pieces("%%s") == Pieces{"%%", "s"});
  CHECK(input_text_pieces("").empty());
}

TEST_CASE("input commands: the pieces of a text are short, and are the text") {
  const std::string text = std::string(99, 'a') + "%s" + std::string(250, 'b');
  std::string joined;
  for (const std::string& piece : input_text_pieces(text)) {
    CHECK(piece.size() <= 100);
    CHECK_FALSE(piece.contains("%s"));
    joined += piece;
  }
  CHECK(joined == text);
}

TEST_CASE("input commands: what an American keyboard has not cannot be typed") {
  std::string printable;
  for (char c = ' '; c <= '~'; ++c) printable += c;
  CHECK(can_type(printable));
  for (const std::string text : {"gr\xc3\xbc\xc3\x9f", "a\nb", "a\tb", "\x7f", "\x1b"}) {
    CAPTURE(text);
    CHECK_FALSE(can_type(text));
  }
}

TEST_CASE("input commands: keys by the names and numbers of android.view.KeyEvent") {
  CHECK(key_number("KEYCODE_HOME") == 3);
  CHECK(key_number("KEYCODE_BACK") == 4);
  CHECK(key_number("KEYCODE_ENTER") == 66);
  CHECK(key_number("KEYCODE_DEL") == 67);
  CHECK(key_number("KEYCODE_APP_SWITCH") == 187);
  CHECK(key_number("KEYCODE_WAKEUP") == 224);
  CHECK(key_number("KEYCODE_0") == 7);
  CHECK(key_number("KEYCODE_9") == 16);
  CHECK(key_number("KEYCODE_A") == 29);
  CHECK(key_number("KEYCODE_Z") == 54);
  CHECK(key_number("26") == 26);
  for (const auto* name :
       {"", "0", "-4", "289", "4.0", "+4", " 4", "BACK", "KEYCODE_", "keycode_back",
        "KEYCODE_NOSUCH", "KEYCODE_4 5", "KEYCODE_BACK;reboot", "KEYCODE_a"}) {
    CAPTURE(name);
    CHECK_FALSE(key_number(name));
  }
}

TEST_CASE("input commands: a key is found as people write it") {
  CHECK(find_key("back") == 4);
  CHECK(find_key("Volume Up") == 24);
  CHECK(find_key("volume-up") == 24);
  CHECK(find_key("KEYCODE_ENTER") == 66);
  CHECK(find_key("keycode_enter") == 66);
  CHECK(find_key("recents") == 187);
  CHECK(find_key("a") == 29);
  CHECK(find_key("4") == 4);
  const auto none = GENERATE(as<std::string>{}, "", "289", "0", "no such key", "KEYCODE_", "-1");
  CHECK_FALSE(find_key(none));
}

TEST_CASE("input: a drag and a double tap, as commands for the shell", "[android]") {
  CHECK(drag_words({1, 2}, {3, 4}, 1500) == Words{"draganddrop", "1", "2", "3", "4", "1500"});
  CHECK(double_tap_line({5, 6}) == "cmd input tap 5 6 && sleep 0.06 && cmd input tap 5 6");
}
