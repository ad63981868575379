#include "adbproto/wire/screencap.hpp"

#include <zlib.h>

#include <algorithm>
#include <bit>

namespace adbproto {
namespace {

constexpr std::size_t kShortHeader = 12;
constexpr std::uint32_t kMaxColorspace = 16;  // real values are 0, 1 and 2

std::uint32_t word(ByteView bytes, std::size_t index) {
  return load_le<std::uint32_t>(bytes.data() + 4 * index);
}

// Decodes the three words that both headers begin with. Precondition: kShortHeader bytes.
Result<RawFrame> decode_words(ByteView bytes) {
  TRY(const auto frame, read_screencap_header(bytes));
  if (bytes_per_pixel(frame.format) == 0) {
    return fail(errc::protocol,
                "screen capture in unknown format " + std::to_string(word(bytes, 2)));
  }
  return frame;
}

std::size_t pixel_bytes(const RawFrame& frame) {
  return std::size_t{frame.width} * frame.height * bytes_per_pixel(frame.format);
}

constexpr std::string_view kSignature = "\x89PNG\r\n\x1a\n";
constexpr std::size_t kIhdrSize = 13;
constexpr std::uint32_t kMaxChunk = 0x7fffffff;  // PNG: a length is at most 2^31 - 1

std::uint32_t load_be(const std::byte* from) { return std::byteswap(load_le<std::uint32_t>(from)); }

constexpr std::uint32_t letters(const char (&name)[5]) {
  std::uint32_t word = 0;
  for (int i = 0; i < 4; ++i) word = word << 8 | static_cast<unsigned char>(name[i]);
  return word;
}

constexpr std::uint32_t kIhdr = letters("IHDR");
constexpr std::uint32_t kIdat = letters("IDAT");
constexpr std::uint32_t kIend = letters("IEND");

std::uint32_t update_crc(std::uint32_t crc, ByteView bytes) {
  return static_cast<std::uint32_t>(
      crc32_z(crc, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
}

// The smallest uncompressed size of a picture: for each row a filter byte and its pixels.
std::uint64_t least_raw_size(std::uint32_t width, std::uint32_t height, unsigned bits) {
  return std::uint64_t{height} * (1 + (std::uint64_t{width} * bits + 7) / 8);
}

// Deflate expands one byte to at most 1032.
constexpr std::uint64_t kMostInflated = 1032;

// Samples of a pixel by PNG's colour type; 0 for an unknown type.
unsigned samples_of(unsigned colour_type) {
  switch (colour_type) {
    case 0:
    case 3: return 1;
    case 2: return 3;
    case 4: return 2;
    case 6: return 4;
    default: return 0;
  }
}

bool is_bit_depth(unsigned depth) { return std::has_single_bit(depth) && depth <= 16; }

bool is_letter(std::byte b) {
  const auto lower = static_cast<char>(std::to_integer<int>(b) | 0x20);
  return lower >= 'a' && lower <= 'z';
}

}  // namespace

Result<RawFrame> read_screencap_header(ByteView bytes) {
  if (bytes.size() < kShortHeader) return fail(errc::protocol, "screen capture without a header");
  const RawFrame frame{.width = word(bytes, 0),
                       .height = word(bytes, 1),
                       .format = static_cast<PixelFormat>(word(bytes, 2))};
  if (frame.width == 0 || frame.height == 0) return fail(errc::protocol, "empty screen capture");
  if (frame.width > kMaxFrameSide || frame.height > kMaxFrameSide) {
    return fail(errc::limit, "screen capture of " + std::to_string(frame.width) + "x" +
                                 std::to_string(frame.height) + " pixels");
  }
  return frame;
}

namespace {

std::optional<std::size_t> find_behind_lines(ByteView printed, bool (*begins)(ByteView)) {
  for (std::size_t at = 0;;) {
    if (begins(printed.subspan(at))) return at;
    const auto end = as_text(printed).find('\n', at);
    if (end == std::string_view::npos) return std::nullopt;
    at = end + 1;
  }
}

}  // namespace

// No text is a header: its letters would be a side above kMaxFrameSide.
std::optional<std::size_t> find_raw_frame(ByteView printed) {
  return find_behind_lines(printed,
                           [](ByteView rest) { return read_screencap_header(rest).has_value(); });
}

std::optional<std::size_t> find_png(ByteView printed) {
  return find_behind_lines(printed,
                           [](ByteView rest) { return as_text(rest).starts_with(kSignature); });
}

std::size_t bytes_per_pixel(PixelFormat format) {
  switch (format) {
    case PixelFormat::rgba_8888:
    case PixelFormat::rgbx_8888:
    case PixelFormat::bgra_8888:
    case PixelFormat::rgba_1010102: return 4;
    case PixelFormat::rgb_888: return 3;
    case PixelFormat::rgb_565: return 2;
    case PixelFormat::rgba_fp16: return 8;
  }
  return 0;
}

Result<RawFrame> decode_screencap(ByteView whole) {
  TRY(auto frame, decode_words(whole));
  const std::size_t size = pixel_bytes(frame);
  if (whole.size() == kScreencapHeaderSize + size) {
    frame.colorspace = word(whole, 3);
  } else if (whole.size() != kShortHeader + size) {
    return fail(errc::protocol, "screen capture of " + std::to_string(whole.size()) +
                                    " bytes does not fit its " + std::to_string(frame.width) + "x" +
                                    std::to_string(frame.height) + " pixels");
  }
  frame.pixels = whole.last(size);
  return frame;
}

Result<ScreencapSize> expected_screencap_size(ByteView first_bytes) {
  TRY(const auto frame, decode_words(first_bytes));
  const std::size_t size = pixel_bytes(frame);
  const bool has_colorspace = word(first_bytes, 3) <= kMaxColorspace;
  return ScreencapSize{size, size + (has_colorspace ? kScreencapHeaderSize : kShortHeader)};
}

void PngChecker::feed(ByteView bytes) {
  while (!bytes.empty() && !problem_) {
    switch (stage_) {
      case Stage::signature:
        if (collect(bytes, 8)) check_signature();
        break;
      case Stage::chunk_header:
        if (collect(bytes, 8)) start_chunk();
        break;
      case Stage::chunk_data: take_data(bytes); break;
      case Stage::chunk_crc:
        if (collect(bytes, 4)) end_chunk();
        break;
      case Stage::finished: reject("bytes after the end of the image"); break;
    }
  }
}

Result<void> PngChecker::finish() const {
  if (problem_) return fail(errc::protocol, "not a whole PNG: " + *problem_);
  if (stage_ != Stage::finished) return fail(errc::protocol, "not a whole PNG: it ends too early");
  return {};
}

// Moves bytes into held_ until `count` are there; then the next collect starts again.
bool PngChecker::collect(ByteView& bytes, std::size_t count) {
  const std::size_t moved = std::min(bytes.size(), count - held_size_);
  std::ranges::copy(bytes.first(moved), held_.begin() + static_cast<std::ptrdiff_t>(held_size_));
  bytes = bytes.subspan(moved);
  held_size_ += moved;
  if (held_size_ < count) return false;
  held_size_ = 0;
  return true;
}

void PngChecker::check_signature() {
  if (as_text(held_).substr(0, kSignature.size()) != kSignature) return reject("wrong signature");
  stage_ = Stage::chunk_header;
}

void PngChecker::start_chunk() {
  const ByteView type = ByteView(held_).subspan(4, 4);
  remaining_ = load_be(held_.data());
  chunk_type_ = load_be(type.data());
  if (remaining_ > kMaxChunk) return reject("chunk of 2 GiB or more");
  if (!std::ranges::all_of(type, is_letter)) return reject("invalid chunk name");
  if ((chunk_type_ == kIhdr) == (width_ != 0)) return reject("IHDR is not the first chunk");
  if (chunk_type_ == kIhdr && remaining_ != kIhdrSize) return reject("IHDR of wrong length");
  if (chunk_type_ == kIend && remaining_ != 0) return reject("IEND of wrong length");
  if (chunk_type_ == kIend && !has_data_) return reject("no IDAT");
  if (chunk_type_ == kIdat) has_data_ = true;
  crc_ = update_crc(0, type);
  stage_ = remaining_ > 0 ? Stage::chunk_data : Stage::chunk_crc;
}

void PngChecker::take_data(ByteView& bytes) {
  if (chunk_type_ == kIhdr) {
    if (!collect(bytes, kIhdrSize)) return;
    crc_ = update_crc(crc_, held_);
    width_ = load_be(held_.data());
    height_ = load_be(held_.data() + 4);
    check_size();
    remaining_ = 0;
  } else {
    const std::size_t count = std::min<std::size_t>(bytes.size(), remaining_);
    crc_ = update_crc(crc_, bytes.first(count));
    if (chunk_type_ == kIdat) data_size_ += count;
    bytes = bytes.subspan(count);
    remaining_ -= static_cast<std::uint32_t>(count);
  }
  if (remaining_ == 0) stage_ = Stage::chunk_crc;
}

// A header may announce more pixels than any memory can hold.
void PngChecker::check_size() {
  const auto depth = std::to_integer<unsigned>(held_[8]);
  const unsigned samples = samples_of(std::to_integer<unsigned>(held_[9]));
  if (width_ == 0 || height_ == 0) return reject("no pixels");
  if (width_ > kMaxFrameSide || height_ > kMaxFrameSide) {
    return reject(std::to_string(width_) + "x" + std::to_string(height_) + " pixels");
  }
  if (samples == 0 || !is_bit_depth(depth)) return reject("unknown pixel form");
  raw_size_ = least_raw_size(width_, height_, depth * samples);
}

void PngChecker::end_chunk() {
  if (load_be(held_.data()) != crc_) return reject("wrong CRC");
  if (chunk_type_ == kIend && data_size_ * kMostInflated < raw_size_) {
    return reject("fewer bytes than its pixels need");
  }
  stage_ = chunk_type_ == kIend ? Stage::finished : Stage::chunk_header;
}

}  // namespace adbproto
