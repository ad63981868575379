#include "skills/agent/unpack.hpp"

#include <sys/stat.h>

#include <catch2/catch.hpp>
#include <filesystem>
#include <string>
#include <vector>

#include "skills/agent/errc.hpp"
#include "support/archives.hpp"
#include "support/print_result.hpp"
#include "support/temp_folder.hpp"

using namespace adbproto::testing;
using namespace clawperator;
using namespace clawperator::unpack;
namespace fs = std::filesystem;

namespace {

using Names = std::vector<std::string>;

// An archive in a folder of its own, and where it is unpacked to.
class Bench {
 public:
  Bench(const std::string& bytes, Format format) : format_(format) { write_text(archive_, bytes); }

  Result<Names> unpack(unsigned strip = 0, const Limits& limits = {}) {
    return clawperator::unpack::unpack(archive_, format_, target_, strip_components(strip), limits,
                                       {});
  }
  // What the error is about; that nothing was left is checked here.
  std::string refusal(const Limits& limits = {}) {
    const auto result = unpack(0, limits);
    CHECK_FALSE(fs::exists(target_));
    if (result) return "was unpacked";
    CHECK(result.error().code() == errc::archive_refused);
    return result.error().message();
  }
  [[nodiscard]] std::string text(const std::string& path) const {
    return file_text(target_ / path);
  }
  [[nodiscard]] const fs::path& target() const { return target_; }
  [[nodiscard]] const fs::path& archive() const { return archive_; }
  [[nodiscard]] unsigned mode(const std::string& path) const {
    struct stat found{};
    REQUIRE(::lstat((target_ / path).c_str(), &found) == 0);
    return found.st_mode & 07777;
  }

 private:
  TempFolder folder_;
  fs::path archive_ = folder_.path() / "archive";
  fs::path target_ = folder_.path() / "target";
  Format format_;
};

std::string tgz(const std::vector<TarMember>& members) { return gzipped(tar_of(members)); }

std::string tar_refusal(const std::vector<TarMember>& members, const Limits& limits = {}) {
  return Bench(tgz(members), Format::tar_gz).refusal(limits);
}
std::string zip_refusal(const std::vector<ZipMember>& members, const Limits& limits = {}) {
  return Bench(zip_of(members), Format::zip).refusal(limits);
}

const std::string kRefused = "the archive is refused: ";

}  // namespace

TEST_CASE("unpack: files and folders of a tar archive come out as they are", "[unpack]") {
  Bench bench(tgz({{"tool-1/", "", '5', 0700},
                   {"tool-1/bin/run", "#!/bin/sh\n", '0', 04711},
                   {"tool-1/empty", ""},
                   {"tool-1/caf\xc3\xa9", std::string(70'000, 'x'), '0', 0600},
                   {"tool-1/logs/", "", '5'},
                   {"tool-1/", "", '5'}}),
              Format::tar_gz);
  CHECK(bench.unpack() == Names{"tool-1/bin/run", "tool-1/empty", "tool-1/caf\xc3\xa9"});
  CHECK(bench.text("tool-1/bin/run") == "#!/bin/sh\n");
  CHECK(bench.text("tool-1/caf\xc3\xa9") == std::string(70'000, 'x'));
  CHECK(fs::is_directory(bench.target() / "tool-1/logs"));
  const mode_t mask = ::umask(0);
  ::umask(mask);
  CHECK(bench.mode("tool-1/bin/run") == (0755U & ~mask));
  CHECK(bench.mode("tool-1/empty") == (0644U & ~mask));
}

TEST_CASE("unpack: files of a zip come out as they are, stripped like those of tar", "[unpack]") {
  const std::vector<ZipMember> members{
      {"t/", "", 040755}, {"t/run", "x", 0100755}, {"t/d/caf\xc3\xa9", "yz"}, {"top", "left out"}};
  Bench bench(zip_of(members), Format::zip);
  CHECK(bench.unpack(1) == Names{"run", "d/caf\xc3\xa9"});
  CHECK(bench.text("d/caf\xc3\xa9") == "yz");
  CHECK((bench.mode("run") & 0100U) != 0);
  CHECK((bench.mode("d/caf\xc3\xa9") & 0111U) == 0);
  CHECK_FALSE(fs::exists(bench.target() / "top"));
}

TEST_CASE("unpack: whatever is no file and no folder refuses the archive", "[unpack]") {
  const TarMember good{"good", "x"};
  CHECK(tar_refusal({good, {"l", "", '2', 0777, "/etc/passwd"}}) == kRefused + "'l' is a link");
  CHECK(tar_refusal({good, {"l", "", '2', 0777, "good"}}) == kRefused + "'l' is a link");
  CHECK(tar_refusal({good, {"l", "", '1', 0644, "good"}}) == kRefused + "'l' is a link");
  for (const char type : {'3', '4', '6'}) {
    CAPTURE(type);
    CHECK(tar_refusal({good, {"d", "", type}}) == kRefused + "'d' is neither a file nor a folder");
  }
  CHECK(zip_refusal({{"good", "x"}, {"l", "/etc/passwd", 0120777}}) == kRefused + "'l' is a link");
}

TEST_CASE("unpack: a name that leads elsewhere refuses the archive", "[unpack]") {
  const std::string leads = " leads out of its folder";
  CHECK(tar_refusal({{"good", "x"}, {"../x", "y"}}) == kRefused + "'../x'" + leads);
  CHECK(tar_refusal({{"a/../../x", "y"}}) == kRefused + "'a/../../x'" + leads);
  CHECK(tar_refusal({{"../", "", '5'}}) == kRefused + "'../'" + leads);
  CHECK(tar_refusal({{"/tmp/x", "y"}}) == kRefused + "'/tmp/x' is an absolute name");
  CHECK(tar_refusal({{"a\\x", "y"}}) == kRefused + "'a\\x' has a backslash");
  CHECK(tar_refusal({{"a\x1b", "y"}}) == kRefused + "'a?' has invisible characters");
  CHECK(zip_refusal({{"good", "x"}, {"../x", "y"}}) == kRefused + "'../x'" + leads);
  CHECK(zip_refusal({{"/x", "y"}}) == kRefused + "'/x' is an absolute name");
  CHECK(zip_refusal({{"a/..\\x", "y"}}) == kRefused + "'a/..\\x' has a backslash");
  // libarchive takes the backslashes of a zip that has no other separators for separators.
  CHECK(zip_refusal({{"..\\x", "y"}}) == kRefused + "'../x'" + leads);
}

TEST_CASE("unpack: nothing is there twice, and no file stands where a folder is", "[unpack]") {
  const std::string twice = "'a' is in it twice";
  CHECK(tar_refusal({{"a", "x"}, {"a", "y"}}) == kRefused + twice);
  CHECK(tar_refusal({{"a", "x"}, {"./a", "y"}}) == kRefused + twice);
  CHECK(tar_refusal({{"a", "x"}, {"a/b", "y"}}) == kRefused + twice);
  CHECK(tar_refusal({{"a/b", "x"}, {"a", "y"}}) == kRefused + twice);
  CHECK(tar_refusal({{"a", "x"}, {"a/", "", '5'}}) == kRefused + twice);
  CHECK(zip_refusal({{"a", "x"}, {"a", "y"}}) == kRefused + twice);
  Bench stripped(tgz({{"1/a", "x"}, {"2/a", "y"}}), Format::tar_gz);
  CHECK_FALSE(stripped.unpack(1));
  CHECK_FALSE(fs::exists(stripped.target()));
}

TEST_CASE("unpack: a bomb stops at the limit, whatever its headers say", "[unpack]") {
  const std::string zeros(1 << 20, '\0');
  const Limits small{.files = 3, .bytes = 1000, .file_bytes = 600};
  CHECK(tar_refusal({{"a", zeros}}, small) == kRefused + "'a' unpacks to more than 600 bytes");
  const std::string half(550, 'x');
  CHECK(tar_refusal({{"a", half}, {"b", half}}, small) ==
        kRefused + "it unpacks to more than 1000 bytes");
  CHECK(tar_refusal({{"a", ""}, {"b", ""}, {"c", ""}, {"d", ""}}, small) ==
        kRefused + "it has more than 3 files");
  CHECK(tar_refusal({{"a/b/c/d", ""}}, small) == kRefused + "it has more than 3 files");
  CHECK(zip_refusal({{"a", zeros}}, small) == kRefused + "'a' unpacks to more than 600 bytes");
  CHECK(zip_refusal({{"a", half, 0100644, 1}, {"b", half}}, small) != "was unpacked");
  const Limits short_archive{.archive_bytes = 20};
  CHECK(tar_refusal({{"a", "x"}}, short_archive) == kRefused + "it is longer than 20 bytes");
  // What is left out is unpacked all the same.
  Bench bench(tgz({{"a", zeros}}), Format::tar_gz);
  CHECK_FALSE(bench.unpack(1, small));
}

TEST_CASE("unpack: what is damaged, cut or something else leaves nothing", "[unpack]") {
  const std::string whole = tgz({{"a", "x"}, {"b", std::string(5000, 'y')}});
  for (std::size_t size = 0; size + 20 < whole.size(); size += 7) {
    CAPTURE(size);
    Bench bench(whole.substr(0, size), Format::tar_gz);
    CHECK(bench.refusal().starts_with(kRefused + "it is damaged"));
  }
  const std::string zip = zip_of({{"a", "some text"}});
  for (std::size_t size = 0; size < zip.size(); size += 5) {
    CAPTURE(size);
    Bench bench(zip.substr(0, size), Format::zip);
    CHECK(bench.refusal().starts_with(kRefused + "it is damaged"));
  }
  std::string wrong = zip;
  wrong[wrong.find("some text")] = 'S';  // not what its checksum says
  CHECK(Bench(wrong, Format::zip).refusal().starts_with(kRefused + "it is damaged"));
  CHECK(Bench(zip, Format::tar_gz).refusal().starts_with(kRefused + "it is damaged"));
  CHECK(Bench(gzipped(whole), Format::tar_gz).refusal() == kRefused + "it is compressed twice");
}

TEST_CASE("unpack: another owner's folder is not written into", "[unpack]") {
  Bench bench(tgz({{"a", "x"}}), Format::tar_gz);
  write_text(bench.target() / "mine", "precious");
  const auto refused = bench.unpack();
  REQUIRE_FALSE(refused);
  CHECK(refused.error().code() == errc::file_write_failed);
  CHECK(bench.text("mine") == "precious");
  CHECK_FALSE(fs::exists(bench.target() / "a"));
  fs::remove_all(bench.target());
  fs::create_directory(bench.target().parent_path() / "elsewhere");
  fs::create_directory_symlink("elsewhere", bench.target());
  const auto linked = bench.unpack();
  REQUIRE_FALSE(linked);
  CHECK(linked.error().code() == errc::file_write_failed);
  CHECK(fs::is_empty(bench.target().parent_path() / "elsewhere"));
}

TEST_CASE("unpack: an empty folder is filled, and empty again after an error", "[unpack]") {
  Bench good(tgz({{"a", "x"}}), Format::tar_gz);
  fs::create_directory(good.target());
  CHECK(good.unpack() == Names{"a"});
  Bench bad(tgz({{"a/b", "x"}, {"../x", "y"}}), Format::tar_gz);
  fs::create_directory(bad.target());
  CHECK_FALSE(bad.unpack());
  CHECK(fs::is_empty(bad.target()));
}

TEST_CASE("unpack: a rule leaves out, renames and refuses", "[unpack]") {
  Bench bench(tgz({{"a", "x"}, {"b", "y"}, {"c", "z"}}), Format::tar_gz);
  const NameRule rule = [](std::string_view name) -> Result<std::string> {
    if (name == "b") return "";
    return "in/" + std::string(name);
  };
  CHECK(unpack::unpack(bench.archive(), Format::tar_gz, bench.target(), rule, {}, {}) ==
        Names{"in/a", "in/c"});
  fs::remove_all(bench.target());
  const NameRule refuses = [](std::string_view name) -> Result<std::string> {
    if (name == "c") return fail(errc::archive_refused, "no c");
    return std::string(name);
  };
  CHECK_FALSE(unpack::unpack(bench.archive(), Format::tar_gz, bench.target(), refuses, {}, {}));
  CHECK_FALSE(fs::exists(bench.target()));
}

TEST_CASE("unpack: a request to stop ends it, and nothing is left", "[unpack]") {
  Bench bench(tgz({{"a", "x"}, {"b", "y"}}), Format::tar_gz);
  std::stop_source source;
  const NameRule rule = [&source](std::string_view name) -> Result<std::string> {
    source.request_stop();
    return std::string(name);
  };
  const auto stopped =
      unpack::unpack(bench.archive(), Format::tar_gz, bench.target(), rule, {}, source.get_token());
  REQUIRE_FALSE(stopped);
  CHECK(stopped.error().code() == errc::cancelled);
  CHECK_FALSE(fs::exists(bench.target()));
}

TEST_CASE("unpack: an archive that is missing or no file is reported", "[unpack]") {
  Bench bench("", Format::zip);
  fs::remove(bench.archive());
  const auto absent = bench.unpack();
  REQUIRE_FALSE(absent);
  CHECK(absent.error().code() == errc::io);
  fs::create_directory(bench.archive());
  const auto folder = bench.unpack();
  REQUIRE_FALSE(folder);
  CHECK(folder.error().code() == errc::io);
}
