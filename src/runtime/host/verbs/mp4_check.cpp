#include "runtime/host/verbs/mp4_check.hpp"

#include <algorithm>

#include "adbproto/wire/errc.hpp"

namespace clawperator {
namespace {

constexpr std::size_t kShortHeader = 8;
constexpr std::size_t kLongHeader = 16;

std::uint64_t big_endian(ByteView bytes) {
  std::uint64_t value = 0;
  for (const std::byte each : bytes) value = value << 8U | std::to_integer<std::uint64_t>(each);
  return value;
}

std::unexpected<Error> no_mp4(std::string why) {
  return fail(errc::protocol, "the file is no whole MP4: " + std::move(why));
}

// Of a box inside another: nullopt where its size does not fit.
struct InnerBox {
  std::string type;
  ByteView payload;
};
std::optional<InnerBox> take_inner_box(ByteView* rest) {
  if (rest->size() < kShortHeader) return std::nullopt;
  const std::uint64_t size = big_endian(rest->first(4));
  if (size < kShortHeader || size > rest->size()) return std::nullopt;
  const auto whole = rest->first(static_cast<std::size_t>(size));
  *rest = rest->subspan(whole.size());
  return InnerBox{std::string(as_text(whole.subspan(4, 4))), whole.subspan(kShortHeader)};
}

// mvhd: version and flags, two times, the ticks of a second, the ticks of it all.
std::optional<std::int64_t> read_duration(ByteView mvhd) {
  constexpr std::size_t kBeforeTimes = 4;
  const bool wide = !mvhd.empty() && mvhd.front() == std::byte{1};
  const std::size_t time = wide ? 8 : 4;
  const std::size_t scale_at = kBeforeTimes + 2 * time;
  if (mvhd.size() < scale_at + 4 + time) return std::nullopt;
  const std::uint64_t scale = big_endian(mvhd.subspan(scale_at, 4));
  const std::uint64_t ticks = big_endian(mvhd.subspan(scale_at + 4, time));
  constexpr std::uint64_t kMostTicks = std::uint64_t{1} << 52U;
  if (scale == 0 || ticks > kMostTicks) return std::nullopt;
  return static_cast<std::int64_t>(ticks * 1000 / scale);
}

}  // namespace

Result<void> Mp4Check::feed(ByteView bytes) {
  facts_.bytes += bytes.size();
  while (!bytes.empty()) {
    if (type_.empty()) {
      const bool is_long =
          header_.size() >= kShortHeader && big_endian(ByteView(header_).first(4)) == 1;
      const std::size_t wanted = (is_long ? kLongHeader : kShortHeader) - header_.size();
      const ByteView piece = bytes.first(std::min(wanted, bytes.size()));
      append(header_, piece);
      bytes = bytes.subspan(piece.size());
      if (piece.size() == wanted) TRY_VOID(begin_box());
      continue;
    }
    const std::uint64_t taken =
        to_the_end_ ? bytes.size() : std::min<std::uint64_t>(left_, bytes.size());
    const ByteView piece = bytes.first(static_cast<std::size_t>(taken));
    if (type_ == "moov") append(moov_, piece);
    bytes = bytes.subspan(piece.size());
    if (to_the_end_) continue;
    left_ -= taken;
    if (left_ == 0) TRY_VOID(end_box());
  }
  return ok();
}

Result<void> Mp4Check::begin_box() {
  const std::uint64_t size = big_endian(ByteView(header_).first(4));
  if (size == 1 && header_.size() == kShortHeader) return ok();  // its other half comes
  const std::uint64_t whole =
      size == 1 ? big_endian(ByteView(header_).subspan(kShortHeader)) : size;
  type_ = as_text(ByteView(header_).subspan(4, 4));
  if (boxes_ == 0 && type_ != "ftyp") return no_mp4("it does not begin with ftyp");
  if (++boxes_ > kMostBoxes) return no_mp4("it has too many boxes");
  to_the_end_ = whole == 0;
  if (!to_the_end_ && whole < header_.size()) return no_mp4("a box is shorter than its header");
  left_ = to_the_end_ ? 0 : whole - header_.size();
  header_.clear();
  const bool is_moov = type_ == "moov";
  if (is_moov && (has_moov_ || to_the_end_ || left_ > kMostMoov)) {
    return no_mp4("its moov is not one, or is too large");
  }
  if (!to_the_end_ && left_ == 0) return end_box();
  return ok();
}

Result<void> Mp4Check::end_box() {
  const bool is_moov = type_ == "moov";
  type_.clear();
  if (!is_moov) return ok();
  has_moov_ = true;
  ByteView rest = moov_;
  while (!rest.empty()) {
    const auto box = take_inner_box(&rest);
    if (!box) return no_mp4("a box of its moov is cut");
    if (box->type == "trak") ++facts_.tracks;
    if (box->type != "mvhd") continue;
    const auto duration = read_duration(box->payload);
    if (!duration) return no_mp4("its mvhd cannot be read");
    facts_.duration_ms = *duration;
  }
  moov_ = {};
  return ok();
}

Result<Mp4Facts> Mp4Check::finish() const {
  if (facts_.bytes == 0) return no_mp4("it is empty");
  if (!header_.empty() || (!type_.empty() && !to_the_end_)) return no_mp4("its last box is cut");
  if (!has_moov_) return no_mp4("it has no moov: the recorder did not finish it");
  if (facts_.tracks == 0) return no_mp4("its moov has no track");
  return facts_;
}

}  // namespace clawperator
