#include "skills/phone/git_fetch.hpp"

#include <catch2/catch.hpp>
#include <filesystem>

using namespace clawperator;
using namespace clawperator::phone_skills;

namespace {

void check_way(const char* given, RepositoryWay way) {
  CAPTURE(given);
  const auto url = read_repository_url(given);
  REQUIRE(url);
  CHECK(url->text == given);
  CHECK(url->way == way);
}

}  // namespace

TEST_CASE("repository URL: what is taken, and by which way it is reached", "[skills]") {
  check_way("https://github.com/clawperator/clawperator-skills", RepositoryWay::https);
  check_way("http://127.0.0.1:8080/skills", RepositoryWay::https);
  check_way("ssh://git@x.example:2222/me/skills.git", RepositoryWay::ssh);
  check_way("git@github.com:me/skills.git", RepositoryWay::ssh);
  check_way("file:///srv/skills", RepositoryWay::local);
  check_way("/srv/skills", RepositoryWay::local);
}

TEST_CASE("repository URL: a path becomes absolute", "[skills]") {
  const auto here = std::filesystem::current_path();
  CHECK(read_repository_url("skills/../a")->text == (here / "a").string());
  CHECK(read_repository_url("./a@b:c")->text == (here / "a@b:c").string());
  CHECK(read_repository_url("a/b@c:d")->way == RepositoryWay::local);
}

TEST_CASE("repository URL: a transport without authentication is refused", "[skills]") {
  for (const char* bad :
       {"", "git://x.example/y", "http://x.example/y", "ftp://x.example/y",
        "https://u:p@x.example/y", "https://u@x.example/y", "ssh://git:secret@x.example/y",
        "HTTPS://x.example/y", "ssh+git://x.example/y", "https://x.example/\ny", "a\x7f", "://x"}) {
    CAPTURE(bad);
    const auto url = read_repository_url(bad);
    REQUIRE_FALSE(url);
    CHECK(url.error().code() == errc::invalid_argument);
    CHECK_FALSE(url.error().message().contains("secret"));
  }
  CHECK_FALSE(read_repository_url("https://x.example/" + std::string(3000, 'a')));
}
