#include "cli/since.hpp"

#include <unistd.h>

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>

#include "runtime/contract/errc.hpp"
#include "runtime/contract/json_text.hpp"

using namespace clawperator;
using namespace clawperator::cli;
using namespace adbproto;
namespace fs = std::filesystem;

namespace {

constexpr std::string_view kScreen =
    "<?xml version='1.0' encoding='UTF-8' standalone='yes' ?><hierarchy rotation=\"0\">"
    "<node index=\"0\" text=\"Hello\" class=\"android.widget.TextView\" clickable=\"true\" "
    "bounds=\"[0,0][10,20]\" /></hierarchy>";

struct Folder {
  fs::path path = fs::temp_directory_path() / ("clawperator-since-" + std::to_string(getpid()));
  act::SnapshotStore store{path / "store"};
  Folder() { fs::create_directories(path); }
  ~Folder() { fs::remove_all(path); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  [[nodiscard]] std::string file(std::string_view text) const {
    std::ofstream(path / "before") << text;
    return path / "before";
  }
};

}  // namespace

TEST_CASE("since: XML files, what snapshot printed, and hashes of what is held") {
  const Folder folder;
  const std::string wrapper = R"({"envelope":{"stepResults":[{"data":{"text":)" +
                              quote_json(kScreen) + R"(}}]},"deviceId":"x"})";
  const auto of_file = read_since(folder.file(kScreen), folder.store);
  REQUIRE(of_file);
  REQUIRE(of_file->tree);
  const auto of_result = read_since(folder.file(wrapper + "\n"), folder.store);
  REQUIRE(of_result);
  CHECK(of_result->tree->hash == of_file->tree->hash);

  const std::string hash = of_file->tree->hash;
  CHECK_FALSE(read_since(hash, folder.store)->tree);
  folder.store.keep(hash, kScreen);
  CHECK(read_since(hash, folder.store)->tree->hash == hash);
}

TEST_CASE("since: a file that is neither is refused") {
  const Folder folder;
  const auto text = GENERATE(as<std::string>{}, "", "hello", "{}", "{\"envelope\":3}",
                             "{\"envelope\":{\"stepResults\":[1,{\"data\":{\"text\":5}}]}}");
  const auto since = read_since(folder.file(text), folder.store);
  REQUIRE_FALSE(since);
  CHECK(since.error().code() == errc::file_unreadable);
  CHECK_FALSE(read_since(folder.path / "nothing", folder.store));
}
