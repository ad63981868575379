#include "adbproto/crypto/sha256.hpp"

#include <catch2/catch.hpp>
#include <string_view>

using namespace adbproto;

// FIPS 180-4's examples.
TEST_CASE("sha256: the published examples", "[crypto]") {
  CHECK(Sha256().finish() == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  Sha256 abc;
  abc.update(as_bytes("abc"));
  CHECK(abc.finish() == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

TEST_CASE("sha256: pieces of any size give what the whole gives", "[crypto]") {
  constexpr std::string_view kText = "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq";
  for (std::size_t cut = 0; cut <= kText.size(); ++cut) {
    Sha256 hash;
    hash.update(as_bytes(kText.substr(0, cut)));
    hash.update(as_bytes(kText.substr(cut)));
    CHECK(hash.finish() == "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  }
}
