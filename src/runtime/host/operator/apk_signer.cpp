#include "runtime/host/operator/apk_signer.hpp"

#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <set>
#define ZLIB_CONST
#include <zlib.h>

#include "adbproto/crypto/sha256.hpp"
#include "base/file_handle.hpp"
#include "runtime/contract/operator_app.hpp"

namespace clawperator {

namespace {

constexpr std::string_view kEndMark("PK\5\6", 4);
constexpr std::size_t kEndSize = 22;
constexpr std::size_t kMaxComment = 0xFFFF;  // its length has 16 bits
constexpr std::uint32_t kRowMark = 0x02014b50;
constexpr std::uint32_t kLocalMark = 0x04034b50;
constexpr std::size_t kLocalSize = 30;
constexpr std::string_view kManifest = "AndroidManifest.xml";
constexpr std::uint16_t kStored = 0;
constexpr std::uint16_t kDeflated = 8;

constexpr std::string_view kBlockMark = "APK Sig Block 42";
constexpr std::size_t kBlockFooter = 8 + kBlockMark.size();
constexpr std::array<std::uint32_t, 3> kSchemes{0x7109871a, 0xf05368c0, 0x1b93ad61};  // v2 v3 v3.1

// Chunks of binary XML (ResourceTypes.h).
constexpr std::uint16_t kPoolChunk = 0x0001;
constexpr std::uint16_t kXmlChunk = 0x0003;
constexpr std::uint16_t kElementChunk = 0x0102;
constexpr std::size_t kChunkHeader = 8;
constexpr std::size_t kPoolHeader = 28;
constexpr std::size_t kElementHeader = 16;
constexpr std::size_t kAttributeSize = 20;
constexpr std::uint32_t kUtf8 = 1U << 8U;
constexpr std::uint32_t kNone = 0xFFFFFFFF;
constexpr std::uint8_t kStringValue = 3;
constexpr std::size_t kMaxManifestText = 256;  // a longer one is no name

// Reads numbers and pieces from the front. Beyond the end are zeros and empty pieces; `failed` is
// set then.
class ByteCursor {
 public:
  explicit ByteCursor(ByteView bytes) : rest_(bytes) {}

  ByteView take(std::uint64_t size) {
    failed_ = failed_ || size > rest_.size();
    if (failed_) return {};
    const ByteView piece = rest_.first(size);
    rest_ = rest_.subspan(size);
    return piece;
  }
  template <class Integer>
  Integer number() {
    const ByteView piece = take(sizeof(Integer));
    return failed_ ? Integer{} : load_le<Integer>(piece.data());
  }
  std::uint16_t u16() { return number<std::uint16_t>(); }
  std::uint32_t u32() { return number<std::uint32_t>(); }
  ByteView prefixed() { return take(u32()); }
  ByteCursor& skip(std::uint64_t size) {
    take(size);
    return *this;
  }
  [[nodiscard]] bool failed() const { return failed_; }
  [[nodiscard]] bool is_at_end() const { return failed_ || rest_.empty(); }
  [[nodiscard]] ByteView rest() const { return rest_; }

 private:
  ByteView rest_;
  bool failed_ = false;
};

std::unexpected<Error> unreadable(std::string why) { return fail(errc::protocol, std::move(why)); }

struct ZipDirectory {
  std::uint64_t offset = 0;
  Bytes rows{};
};

Result<ZipDirectory> read_directory(const ByteSource& source) {
  const std::size_t tail_size = std::min<std::uint64_t>(source.size, kEndSize + kMaxComment);
  TRY(const Bytes tail, source.read(source.size - tail_size, tail_size));
  const auto at = as_text(tail).rfind(kEndMark);
  if (at == std::string_view::npos) return unreadable("it is no ZIP archive");
  ByteCursor end(ByteView(tail).subspan(at + kEndMark.size()));
  const std::uint32_t disks = end.u32();
  end.skip(4);  // the number of rows
  const std::uint32_t size = end.u32();
  ZipDirectory directory{.offset = end.u32()};
  const std::uint16_t comment = end.u16();
  const bool fits = !end.failed() && disks == 0 && comment == end.rest().size() &&
                    size <= kMaxApkSection &&
                    directory.offset + size == source.size - tail_size + at;
  if (!fits) return unreadable("its end record is damaged");
  TRY(directory.rows, source.read(directory.offset, size));
  return directory;
}

// One certificate of each signer: sequences within sequences, each piece after its length.
bool read_scheme(ByteView value, std::set<std::string>* digests) {
  ByteCursor signers(ByteCursor(value).prefixed());
  do {
    ByteCursor signer(signers.prefixed());
    ByteCursor signed_data(signer.prefixed());
    signed_data.prefixed();  // the digests of the content
    const ByteView certificate = ByteCursor(signed_data.prefixed()).prefixed();
    if (certificate.empty()) return false;
    digests->insert(adbproto::sha256_of(as_text(certificate)));
  } while (!signers.is_at_end() && digests->size() <= kMaxSigners);
  return !signers.failed() && digests->size() <= kMaxSigners;
}

bool read_pairs(ByteView pairs, std::set<std::string>* digests) {
  ByteCursor at(pairs);
  while (!at.is_at_end()) {
    ByteCursor pair(at.take(at.number<std::uint64_t>()));
    const std::uint32_t id = pair.u32();
    if (pair.failed()) return false;
    const bool is_scheme = std::ranges::find(kSchemes, id) != kSchemes.end();
    if (is_scheme && !read_scheme(pair.rest(), digests)) return false;
  }
  return !at.failed();
}

Result<std::vector<std::string>> read_signing_block(const ByteSource& source,
                                                    std::uint64_t directory) {
  constexpr std::size_t kSize = sizeof(std::uint64_t);
  std::vector<std::string> none;
  if (directory < kSize + kBlockFooter) return none;
  TRY(const Bytes footer, source.read(directory - kBlockFooter, kBlockFooter));
  if (as_text(footer).substr(kSize) != kBlockMark) return none;
  const auto size = load_le<std::uint64_t>(footer.data());
  std::set<std::string> digests;
  if (size < kBlockFooter || size > kMaxApkSection || size + kSize > directory) {
    return unreadable("its signing block is damaged");
  }
  TRY(const Bytes block, source.read(directory - kSize - size, size));
  const ByteView pairs = ByteView(block).subspan(kSize).first(size - kBlockFooter);
  if (load_le<std::uint64_t>(block.data()) != size || !read_pairs(pairs, &digests)) {
    return unreadable("its signing block is damaged");
  }
  return std::vector<std::string>(digests.begin(), digests.end());
}

struct ZipEntry {
  std::uint16_t method = 0;
  std::uint32_t packed = 0;
  std::uint32_t size = 0;
  std::uint32_t offset = 0;  // of its local header
};

Result<ZipEntry> find_manifest(ByteView rows) {
  std::optional<ZipEntry> found;
  for (ByteCursor at(rows); !at.is_at_end();) {
    const bool is_row = at.u32() == kRowMark;
    ZipEntry entry{.method = at.skip(6).u16()};
    entry.packed = at.skip(8).u32();
    entry.size = at.u32();
    const std::uint16_t name_size = at.u16();
    const std::size_t more = std::size_t{at.u16()} + at.u16();
    entry.offset = at.skip(8).u32();
    const std::string_view name = as_text(at.take(name_size));
    at.skip(more);
    if (!is_row || at.failed()) return unreadable("its directory is damaged");
    if (name != kManifest) continue;
    if (found) return unreadable("it has two manifests");
    found = entry;
  }
  if (!found) return unreadable("it has no manifest");
  return *found;
}

std::optional<Bytes> inflated(ByteView packed, std::size_t size) {
  Bytes out(size);
  z_stream stream{};
  constexpr int kRaw = -MAX_WBITS;
  if (inflateInit2(&stream, kRaw) != Z_OK) return std::nullopt;
  stream.next_in = as_unsigned(packed);
  stream.avail_in = static_cast<uInt>(packed.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  const bool whole = inflate(&stream, Z_FINISH) == Z_STREAM_END && stream.avail_out == 0;
  inflateEnd(&stream);
  return whole ? std::optional(std::move(out)) : std::nullopt;
}

Result<Bytes> read_entry(const ByteSource& source, const ZipDirectory& directory,
                         const ZipEntry& entry) {
  const std::size_t header = kLocalSize + kManifest.size();
  if (std::max(entry.packed, entry.size) > kMaxManifest ||
      entry.offset + std::uint64_t{header} > directory.offset) {
    return unreadable("its manifest is out of bounds");
  }
  TRY(const Bytes local, source.read(entry.offset, header));
  ByteCursor at(local);
  const bool is_local = at.u32() == kLocalMark;
  const bool is_same_method = at.skip(4).u16() == entry.method;
  const std::uint16_t name_size = at.skip(16).u16();
  const std::uint64_t begin = entry.offset + std::uint64_t{header} + at.u16();
  if (!is_local || !is_same_method || name_size != kManifest.size() ||
      as_text(at.rest()) != kManifest || begin + entry.packed > directory.offset) {
    return unreadable("its manifest is out of bounds");
  }
  TRY(Bytes packed, source.read(begin, entry.packed));
  if (entry.method == kStored && entry.packed == entry.size) return packed;
  auto unpacked = entry.method == kDeflated ? inflated(packed, entry.size) : std::optional<Bytes>();
  if (!unpacked) return unreadable("its manifest cannot be unpacked");
  return *std::move(unpacked);
}

struct XmlChunk {
  std::uint16_t type = 0;
  ByteView whole{};
  std::size_t header = 0;

  [[nodiscard]] ByteCursor from(std::uint64_t offset) const {
    ByteCursor at(whole);
    return at.skip(offset);
  }
};

std::optional<XmlChunk> take_chunk(ByteCursor* at, std::size_t least_header) {
  ByteCursor head(at->rest());
  XmlChunk chunk{.type = head.u16()};
  chunk.header = head.u16();
  const std::uint32_t size = head.u32();
  if (head.failed() || chunk.header < least_header || size < chunk.header) return std::nullopt;
  chunk.whole = at->take(size);
  return at->failed() ? std::nullopt : std::optional(chunk);
}

// A string of the pool as far as it is ASCII: names of ours have nothing else, a `?` is in none.
std::string pool_text(const XmlChunk& pool, std::uint32_t index) {
  ByteCursor head = pool.from(kChunkHeader);
  const std::uint32_t count = head.u32();
  const std::uint32_t flags = head.skip(4).u32();
  const std::uint32_t texts = head.u32();
  const std::uint32_t offset = pool.from(pool.header + std::uint64_t{index} * 4).u32();
  ByteCursor at = pool.from(std::uint64_t{texts} + offset);
  std::string text;
  const auto add = [&text](auto unit) { text += unit < 0x80 ? static_cast<char>(unit) : '?'; };
  if (index >= count) return text;
  if ((flags & kUtf8) != 0) {
    const auto length = [&at]() -> std::size_t {
      const std::size_t first = at.number<std::uint8_t>();
      return first < 0x80 ? first : (first & 0x7F) << 8U | at.number<std::uint8_t>();
    };
    length();  // in UTF-16
    for (const std::byte unit : at.take(std::min(length(), kMaxManifestText))) {
      add(static_cast<unsigned char>(unit));
    }
  } else {
    std::size_t length = at.u16();
    if (length >= 0x8000) length = (length & 0x7FFF) << 16U | at.u16();
    for (ByteCursor units(at.take(std::min(length, kMaxManifestText) * 2)); !units.is_at_end();) {
      add(units.u16());
    }
  }
  return text;
}

std::optional<std::string> element_package(const XmlChunk& pool, const XmlChunk& element) {
  ByteCursor at = element.from(element.header);
  at.skip(4);  // the name space
  const std::string name = pool_text(pool, at.u32());
  const std::uint16_t begin = at.u16();
  const std::uint16_t size = at.u16();
  const std::uint16_t count = at.u16();
  if (at.failed() || name != "manifest" || size < kAttributeSize) return std::nullopt;
  std::optional<std::string> package;
  for (std::size_t i = 0; i < count; ++i) {
    ByteCursor attribute = element.from(element.header + begin + i * size);
    const std::uint32_t name_space = attribute.u32();
    const std::string name_text = pool_text(pool, attribute.u32());
    const std::uint32_t raw = attribute.u32();
    const auto type = attribute.skip(3).number<std::uint8_t>();
    const std::uint32_t data = attribute.u32();
    if (attribute.failed()) return std::nullopt;
    if (name_space != kNone || name_text != "package") continue;
    if (package || type != kStringValue || (raw != kNone && raw != data)) return std::nullopt;
    package = pool_text(pool, data);
  }
  return package;
}

// The first element of a binary XML file has it.
std::optional<std::string> manifest_package(ByteView manifest) {
  ByteCursor all(manifest);
  const auto file = take_chunk(&all, kChunkHeader);
  if (!file || file->type != kXmlChunk) return std::nullopt;
  std::optional<XmlChunk> pool;
  for (ByteCursor at = file->from(file->header); !at.is_at_end();) {
    const auto chunk = take_chunk(&at, kChunkHeader);
    if (!chunk) return std::nullopt;
    if (chunk->type == kElementChunk) {
      return pool && chunk->header >= kElementHeader ? element_package(*pool, *chunk)
                                                     : std::nullopt;
    }
    if (chunk->type != kPoolChunk) continue;
    if (pool || chunk->header < kPoolHeader) return std::nullopt;
    pool = chunk;
  }
  return std::nullopt;
}

Result<Bytes> read_at(int file, std::uint64_t offset, std::size_t size) {
  Bytes bytes(size);
  for (std::size_t done = 0; done < size;) {
    const ssize_t got =
        ::pread(file, bytes.data() + done, size - done, static_cast<off_t>(offset + done));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return fail(errc::io, std::strerror(errno));
    if (got == 0) return fail(errc::io, "the file has become shorter");
    done += static_cast<std::size_t>(got);
  }
  return bytes;
}

}  // namespace

Result<ApkSigners> read_apk_signers(const ByteSource& source) {
  TRY(const ZipDirectory directory, read_directory(source));
  TRY(std::vector<std::string> digests, read_signing_block(source, directory.offset));
  TRY(const ZipEntry entry, find_manifest(directory.rows));
  TRY(const Bytes manifest, read_entry(source, directory, entry));
  auto package = manifest_package(manifest);
  if (!package || package->empty() || !is_package_name(*package)) {
    return unreadable("its manifest names no package");
  }
  return ApkSigners{*std::move(package), std::move(digests)};
}

Result<ApkSigners> read_apk_signers(const std::filesystem::path& apk) {
  const FileHandle file(::open(apk.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  struct stat found{};
  if (!file.is_open() || ::fstat(file.get(), &found) != 0) {
    return fail(errc::io, "cannot read " + apk.string() + ": " + std::strerror(errno));
  }
  if (!S_ISREG(found.st_mode)) return fail(errc::io, apk.string() + " is no plain file");
  const auto read = [&file](std::uint64_t offset, std::size_t size) {
    return read_at(file.get(), offset, size);
  };
  return read_apk_signers({static_cast<std::uint64_t>(found.st_size), read});
}

}  // namespace clawperator
