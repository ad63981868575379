#include "runtime/host/verbs/video.hpp"

#include <catch2/catch.hpp>

using namespace clawperator;

namespace {

std::string mp4_number(std::uint64_t value, int bytes) {
  std::string text;
  for (int shift = (bytes - 1) * 8; shift >= 0; shift -= 8) {
    text += static_cast<char>(value >> static_cast<unsigned>(shift));
  }
  return text;
}

std::string mp4_box(const std::string& type, const std::string& payload) {
  return mp4_number(payload.size() + 8, 4) + type + payload;
}

std::string mvhd(std::uint64_t scale, std::uint64_t ticks, bool wide = false) {
  const int time = wide ? 8 : 4;
  return mp4_box("mvhd", std::string(1, wide ? '\1' : '\0') + std::string(3, '\0') +
                             mp4_number(0, time) + mp4_number(0, time) + mp4_number(scale, 4) +
                             mp4_number(ticks, time) + std::string(80, '\0'));
}

const std::string kStart = mp4_box("ftyp", "mp42____isom");
const std::string kPicture = mp4_box("mdat", std::string(5000, 'x'));
const std::string kTrack = mp4_box("trak", mp4_box("tkhd", "x"));

Result<Mp4Facts> mp4_verdict(const std::string& file, std::size_t piece = 4096) {
  Mp4Check check;
  for (std::size_t at = 0; at < file.size(); at += piece) {
    const auto fed = check.feed(as_bytes(std::string_view(file).substr(at, piece)));
    if (!fed) return std::unexpected(fed.error());
  }
  return check.finish();
}

std::string mp4_flaw(const std::string& file) {
  const auto found = mp4_verdict(file);
  return found ? "whole" : found.error().message();
}

}  // namespace

TEST_CASE("mp4: a whole file, wherever its pieces are cut", "[host]") {
  const std::string moov =
      mp4_box("moov", mvhd(90000, 135000) + mp4_box("udta", "") + kTrack + kTrack);
  const std::string file = kStart + mp4_box("free", "") + kPicture + moov;
  for (std::size_t piece : {1U, 7U, 8U, 1000U, 100000U}) {
    const auto found = mp4_verdict(file, piece);
    REQUIRE(found);
    CHECK(*found == Mp4Facts{file.size(), 1500, 2});
  }
  const std::string wide = kStart + mp4_box("moov", mvhd(1000, 7000, true) + kTrack) +
                           mp4_number(1, 4) + "mdat" + mp4_number(5016, 8) + std::string(5000, 'x');
  const auto found = mp4_verdict(wide);
  REQUIRE(found);
  CHECK(found->duration_ms == 7000);
  CHECK(mp4_verdict(kStart + mp4_box("moov", mvhd(1, 1) + kTrack) + mp4_number(0, 4) + "mdatxyz"));
}

TEST_CASE("mp4: what is not whole, and why", "[host]") {
  const std::string moov = mp4_box("moov", mvhd(1000, 1) + kTrack);
  const std::string file = kStart + kPicture + moov;
  for (std::size_t size = 0; size < file.size(); ++size) {
    INFO(size);
    CHECK_FALSE(mp4_verdict(file.substr(0, size)));
  }
  CHECK(mp4_flaw("").contains("empty"));
  CHECK(mp4_flaw("Killed\n").contains("last box is cut"));
  CHECK(mp4_flaw(kPicture + moov).contains("ftyp"));
  CHECK(mp4_flaw(kStart + kPicture).contains("no moov"));
  CHECK(mp4_flaw(kStart + mp4_box("moov", mvhd(1000, 1))).contains("no track"));
  CHECK(mp4_flaw(file + moov).contains("moov is not one"));
  CHECK(mp4_flaw(kStart + mp4_number(4, 4) + "free").contains("shorter than its header"));
  CHECK(mp4_flaw(kStart + mp4_number(1, 4) + "mdat" + mp4_number(15, 8))
            .contains("shorter than its header"));
  CHECK(mp4_flaw(kStart + mp4_number(Mp4Check::kMostMoov + 9, 4) + "moov").contains("too large"));
  CHECK(mp4_flaw(kStart + mp4_number(0, 4) + "moov").contains("moov is not one"));
  CHECK(mp4_flaw(kStart + mp4_box("moov", mp4_number(99, 4) + "trak"))
            .contains("a box of its moov is cut"));
  CHECK(mp4_flaw(kStart + mp4_box("moov", mvhd(0, 1) + kTrack)).contains("mvhd"));
  CHECK(mp4_flaw(kStart + mp4_box("moov", mp4_box("mvhd", "short") + kTrack)).contains("mvhd"));
  std::string many = kStart;
  for (int i = 0; i < Mp4Check::kMostBoxes; ++i) many += mp4_box("free", "");
  CHECK(mp4_flaw(many).contains("too many boxes"));
}
