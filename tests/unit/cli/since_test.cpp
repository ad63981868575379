#include "cli/payload.hpp"

#include <catch2/catch.hpp>

#include "base/json_text.hpp"
#include "support/temp_folder.hpp"

using namespace adbproto::testing;
using namespace clawperator;
using namespace clawperator::cli;
using namespace adbproto;

namespace {

constexpr std::string_view kHelloScreen =
    "<?xml version='1.0' encoding='UTF-8' standalone='yes' ?><hierarchy rotation=\"0\">"
    "<node index=\"0\" text=\"Hello\" class=\"android.widget.TextView\" clickable=\"true\" "
    "bounds=\"[0,0][10,20]\" /></hierarchy>";

struct Screens {
  TempFolder folder;
  act::SnapshotStore store{folder.path() / "store"};

  [[nodiscard]] std::string file(const std::string& text) const {
    write_text(folder.path() / "before", text);
    return folder.file("before");
  }
};

}  // namespace

TEST_CASE("since: XML files, what snapshot printed, and hashes of what is held") {
  const Screens screens;
  const std::string wrapper = R"({"envelope":{"stepResults":[{"data":{"text":)" +
                              quote_json(kHelloScreen) + R"(}}]},"deviceId":"x"})";
  const auto of_file = read_since(screens.file(std::string(kHelloScreen)), screens.store);
  REQUIRE(of_file);
  REQUIRE(of_file->tree);
  const auto of_result = read_since(screens.file(wrapper + "\n"), screens.store);
  REQUIRE(of_result);
  CHECK(of_result->tree->hash == of_file->tree->hash);

  const std::string hash = of_file->tree->hash;
  CHECK_FALSE(read_since(hash, screens.store)->tree);
  screens.store.keep(hash, kHelloScreen);
  CHECK(read_since(hash, screens.store)->tree->hash == hash);
}

TEST_CASE("since: a file that is neither is refused") {
  const Screens screens;
  const auto text = GENERATE(as<std::string>{}, "", "hello", "{}", "{\"envelope\":3}",
                             "{\"envelope\":{\"stepResults\":[1,{\"data\":{\"text\":5}}]}}");
  const auto since = read_since(screens.file(text), screens.store);
  REQUIRE_FALSE(since);
  CHECK(since.error().code() == errc::file_unreadable);
  CHECK_FALSE(read_since(screens.folder.file("nothing"), screens.store));
}
