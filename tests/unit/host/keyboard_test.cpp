#include "runtime/host/verbs/input.hpp"

#include <catch2/catch.hpp>

using namespace clawperator;

TEST_CASE("keyboard: shown where the system and the keyboard itself say so", "[host]") {
  struct Row {
    const char* name;
    std::string printed;
    std::optional<KeyboardState> state;
  };
  const auto row = GENERATE(values<Row>({
      {"Android 14",
       "  mShowForced=false mInputShown=true\r\n  mIsInputViewShown=true\r\n"
       "  mFocusedApp=ActivityRecord{51d0d02 u0 com.x/.Main t7}\r\n",
       KeyboardState{true, "com.x/.Main"}},
      {"Android 9",
       "  mShowRequested=true mInputShown=true\n"
       "    mFocusedApp=AppWindowToken{3 token=Token{4 ActivityRecord{5 u10 a.b/a.b.C t9}}}\n",
       KeyboardState{true, "a.b/a.b.C"}},
      {"the system alone", "mInputShown=true\n  mIsInputViewShown=false\n",
       KeyboardState{false, ""}},
      {"hidden", "mInputShown=false\nmIsInputViewShown=false\nmFocusedApp=null\n",
       KeyboardState{false, ""}},
      {"of two displays the first",
       "mInputShown=false\nmFocusedApp=ActivityRecord{1 u0 a/.B t1}\n"
       "mFocusedApp=ActivityRecord{2 u0 c/.D t2}\n",
       KeyboardState{false, "a/.B"}},
      {"not reported", "mFocusedApp=ActivityRecord{1 u0 a/.B t1}\n", {}},
      {"cut", "mInputShown=tr", KeyboardState{false, ""}},
      {"nothing", "", {}},
  }));
  INFO(row.name);
  CHECK(parse_keyboard(row.printed) == row.state);
}
