#include "runtime/ui/near_text.hpp"

#include <catch2/catch.hpp>

#include "support/print_result.hpp"
#include "unit/ui/widget.hpp"

#include "runtime/ui/find.hpp"

using namespace clawperator;

namespace {

Nearness nearness_of(std::string_view wanted, std::string_view shown) {
  return NearText(wanted).to(NearText(shown));
}

struct TextPair {
  const char* wanted;
  const char* shown;
};

}  // namespace

TEST_CASE("near text: quotes, dashes, dots, blanks, accents and case do not count", "[A4]") {
  const TextPair pairs[] = {
      {"Don't allow", "Don’t allow"},
      {"DON‘T ALLOW", "don't  allow"},
      {"Do not allow", "Don’t allow"},
      {"Can't find it?", "Cannot find it"},
      {"\"Maps\" settings", "“Maps” settings"},
      {"Ouvrir « Plans »", "ouvrir \"plans\""},
      {"Wi-Fi", "Wi‑Fi"},  // with a hyphen that does not break
      {"2020-2024", "2020–2024"},
      {"More...", "More…"},
      {"10 000 km", "10\u00a0000\u202fkm"},
      {"設定 画面", "設定\u3000画面"},
      {"Größe", "GROSSE"},
      {"Cafe\u0301", "CAFÉ"},
      {"Allow", "Al\u200blow"},
      {"İstanbul ışık", "istanbul isik"},
      {"Łódź", "lodz"},
      {"Được phép", "DUOC PHEP"},
      {"Ρυθμίσεις", "ΡΥΘΜΙΣΕΙΣ"},
      {"Ещё", "ЕЩЕ"},
      {"ＡＢＣ１２３", "abc123"},
      {"Straße", "STRASSE"},
  };
  for (const TextPair& pair : pairs) {
    INFO(pair.wanted << " | " << pair.shown);
    CHECK(nearness_of(pair.wanted, pair.shown) == Nearness::equal);
    CHECK(nearness_of(pair.shown, pair.wanted) == Nearness::equal);
  }
}

TEST_CASE("near text: what says the opposite is never near, in either direction", "[A4]") {
  const TextPair pairs[] = {
      {"Don't allow", "Allow"},
      {"Don’t allow", "Allow"},
      {"Do not share", "Share"},
      {"Never ask again", "Ask again"},
      {"Continue without account", "Continue"},
      {"Nicht zulassen", "Zulassen"},
      {"Keine Werbung", "Werbung"},
      {"Ne pas autoriser", "Autoriser"},
      {"No permitir", "Permitir"},
      {"Não permitir", "Permitir"},
      {"Non consentire", "Consentire"},
      {"Niet toestaan", "Toestaan"},
      {"Nie zezwalaj", "Zezwalaj"},
      {"Не разрешать", "Разрешать"},
      {"Να μην επιτρέπεται", "Να επιτρέπεται"},
      {"Unsubscribe", "Subscribe"},
      {"Deactivate", "Activate"},
      {"Nepovolit", "Povolit"},
      {"İzin verme", "İzin ver"},
      {"不允许", "允许"},
      {"許可しない", "許可し"},
      {"허용 안함", "허용"},
  };
  for (const TextPair& pair : pairs) {
    INFO(pair.wanted << " | " << pair.shown);
    CHECK(nearness_of(pair.wanted, pair.shown) != Nearness::equal);
    CHECK(nearness_of(pair.wanted, pair.shown) != Nearness::part);
    CHECK(nearness_of(pair.shown, pair.wanted) != Nearness::equal);
    CHECK(nearness_of(pair.shown, pair.wanted) != Nearness::part);
  }
}

TEST_CASE("near text: a part is near where both say no as often", "[A4]") {
  CHECK(nearness_of("Don't allow", "Don’t allow access") == Nearness::part);
  CHECK(nearness_of("No, thanks", "No") != Nearness::opposite);
  CHECK(nearness_of("Don't ask again, not now", "Not now") == Nearness::opposite);
  CHECK(nearness_of("Reinstall or uninstall", "install") == Nearness::part);
  CHECK(nearness_of("Save changes", "save") == Nearness::part);
  CHECK(nearness_of("Notable", "No table") == Nearness::opposite);
}

TEST_CASE("near text: what has no letters is near nothing", "[A4]") {
  CHECK(nearness_of("...", "…") == Nearness::nothing);
  CHECK(nearness_of("", "Allow") == Nearness::nothing);
  CHECK(nearness_of("\xff\xfe", "Allow") == Nearness::nothing);
}

TEST_CASE("near text: an id is read as its words", "[A4]") {
  const NearText allow("allowButton", NearText::Kind::id);
  CHECK(NearText("allow_button", NearText::Kind::id).to(allow) == Nearness::equal);
  CHECK(NearText("Allow").to(NearText("dontAllowButton", NearText::Kind::id)) ==
        Nearness::opposite);
}

TEST_CASE("near text: who wants the refusal is offered the refusal, and never the consent",
          "[A4]") {
  const auto button = [](const char* text, const char* id, int top) {
    return test::Widget{.class_name = "android.widget.Button",
                        .id = id,
                        .text = text,
                        .bounds = {0, top, 100, top + 50},
                        .clickable = true};
  };
  const UiTree dialog =
      test::tree_of({{.children = {button("Allow", "android:id/button1", 0),
                                   button("Allow all", "android:id/button3", 50),
                                   button("Don’t allow once more", "", 100),
                                   button("Don’t allow", "android:id/button2", 150)}}});
  const auto offered = [&](const char* wanted) {
    std::vector<std::string> texts;
    for (const std::size_t node : near_matches(dialog, {.text_equals = wanted}, 5)) {
      texts.push_back(dialog.nodes[node].text);
    }
    return texts;
  };
  CHECK(offered("Don't allow") == std::vector<std::string>{"Don’t allow", "Don’t allow once more"});
  CHECK(offered("ALLOW") == std::vector<std::string>{"Allow", "Allow all"});
}

TEST_CASE("near text: a misspelled text or word is near", "[D1]") {
  const TextPair pairs[] = {
      {"Settingz", "Settings"},
      {"Ciy", "City"},
      {"Nmae", "Name"},
      {"Setings", "Settings"},
      {"Setitngs", "Settings"},
      {"Netwrok & internet", "Network & internet"},
      {"Netwrok & internte", "Network & internet"},
      {"Настрайки", "Настройки"},
      {"Einstelungen", "Einstellungen"},
  };
  for (const TextPair& pair : pairs) {
    INFO(pair.wanted << " | " << pair.shown);
    CHECK(nearness_of(pair.wanted, pair.shown) == Nearness::typo);
  }
}

TEST_CASE("near text: a misspelled word is less near than a misspelled text", "[D1]") {
  CHECK(nearness_of("Blutooth", "Bluetooth, pairing") == Nearness::word_typo);
  CHECK(nearness_of("Blutooth pairing", "Bluetooth, pairing") == Nearness::typo);
  CHECK(nearness_of("Blutooth pairs", "Bluetooth, devices") == Nearness::nothing);
}

TEST_CASE("near text: what looks alike and has another meaning is no typo", "[D1]") {
  const TextPair pairs[] = {
      {"Include", "Exclude"},   {"Import", "Export"},     {"Accept", "Except"},
      {"Minimize", "Maximize"}, {"Increase", "Decrease"}, {"On", "Off"},
      {"Cat", "Car"},           {"Enable", "Disable"},    {"Send", "Spending"},
  };
  for (const TextPair& pair : pairs) {
    INFO(pair.wanted << " | " << pair.shown);
    CHECK(nearness_of(pair.wanted, pair.shown) == Nearness::nothing);
    CHECK(nearness_of(pair.shown, pair.wanted) == Nearness::nothing);
  }
  for (const TextPair& pair : {TextPair{"Item 9", "Item 1"}, TextPair{"Alarm 7:00", "Alarm 8:00"},
                               TextPair{"Chapter 12", "Chapter 2"}}) {
    INFO(pair.wanted << " | " << pair.shown);
    CHECK(nearness_of(pair.wanted, pair.shown) == Nearness::nothing);
  }
  const std::string page(70, 'x');
  CHECK(nearness_of(page + "a", page + "b") == Nearness::nothing);
}
