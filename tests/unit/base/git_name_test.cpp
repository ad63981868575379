#include "base/git_name.hpp"

#include <catch2/catch.hpp>
#include <string>

// The rows of git's own t0060 (is_ntfs_dotgit) and t1014 (is_hfs_dotgit), and more of their kinds.
TEST_CASE("git name: every spelling of .git", "[base][A6]") {
  for (const std::string& name : {std::string(".git"),
                                  std::string(".GIT"),
                                  std::string(".Git"),
                                  std::string("git~1"),
                                  std::string("GIT~1"),
                                  std::string("git~9"),
                                  std::string("git~10"),
                                  std::string(".git."),
                                  std::string(".git "),
                                  std::string(".git. . "),
                                  std::string("Git~1 ."),
                                  std::string(".git:x"),
                                  std::string(".git::$INDEX_ALLOCATION"),
                                  std::string(".git ::$INDEX_ALLOCATION"),
                                  std::string("git~1:x"),
                                  std::string(".git\\config"),
                                  std::string(".g\xe2\x80\x8cit"),
                                  std::string(".gi\xe2\x80\x8dt"),
                                  std::string("\xe2\x80\x8e.git"),
                                  std::string(".git\xe2\x80\x8f"),
                                  std::string(".\xe2\x80\xaagit"),
                                  std::string(".g\xe2\x80\xaeIT"),
                                  std::string(".g\xe2\x81\xaait"),
                                  std::string(".g\xe2\x81\xafit"),
                                  std::string("\xef\xbb\xbf.git"),
                                  std::string(".g\xe2\x80\x8bi\xc2\xadt"),
                                  std::string(".git\xf3\xa0\x80\x81"),
                                  std::string("git\xe2\x80\x8d~1")}) {
    CAPTURE(name);
    CHECK(base::is_git_name(name));
  }
}

TEST_CASE("git name: what only looks like it", "[base][A6]") {
  for (const std::string& name : {std::string(),
                                  std::string("."),
                                  std::string(".."),
                                  std::string("git"),
                                  std::string(".gi"),
                                  std::string(".gitt"),
                                  std::string(".git-x"),
                                  std::string(".git.x"),
                                  std::string(".git. x"),
                                  std::string(".gitmodules"),
                                  std::string(".gitignore"),
                                  std::string(".gitattributes"),
                                  std::string(".github"),
                                  std::string("x.git"),
                                  std::string(" .git"),
                                  std::string("git~"),
                                  std::string("git~x"),
                                  std::string("git~1x"),
                                  std::string(".git~1"),
                                  std::string("gi~1"),
                                  std::string(".g\xc3\xaft"),
                                  std::string(".g\xe2it"),
                                  std::string(".git\xff")}) {
    CAPTURE(name);
    CHECK_FALSE(base::is_git_name(name));
  }
}
