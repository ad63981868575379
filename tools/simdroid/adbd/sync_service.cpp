#include "adbproto/client/compression.hpp"
#include "adbproto/wire/sync_reader.hpp"
#include "simdroid/adbd/service.hpp"
#include "simdroid/adbd/sync_answers.hpp"
#include "simdroid/adbd/sync_request_reader.hpp"

namespace simdroid {
namespace {

SyncStat to_sync(const FileStat& from) {
  SyncStat stat;
  stat.dev = 66;
  stat.ino = from.inode;
  stat.mode = from.mode;
  stat.nlink = from.links;
  stat.uid = from.uid;
  stat.gid = from.gid;
  stat.size = from.size;
  stat.atime = stat.mtime = stat.ctime = from.mtime;
  return stat;
}

constexpr std::size_t kPlainSize = 256 * 1024;

struct Upload {
  std::string path;
  std::uint32_t mode = 0;
  bool failed = false;
  bool dry = false;  // nothing is written
  std::string link_target;
  std::unique_ptr<Transcoder> decoder;
  bool complete = true;  // the compressed frame has ended

  // The user's permission bits are copied to group and others.
  [[nodiscard]] std::uint32_t permissions() const {
    const std::uint32_t user = (mode >> 6) & 7;
    return user << 6 | user << 3 | user;
  }
};

class SyncSession {
 public:
  explicit SyncSession(const ServiceCall& call)
      : phone_(call.phone()),
        files_(&phone_->files),
        features_(&call.connection->features),
        stream_(call.stream) {}

  Task<void> run() {
    Bytes buffer(256 * 1024);
    while (!over_) {
      CO_TRY(const std::size_t size, co_await stream_->read_some(buffer));
      reader_.feed(ByteView(buffer).first(size));
      while (!over_) {
        CO_TRY(const auto request, reader_.next());
        if (!request) break;
        CO_TRY_VOID(co_await handle(&*request));
      }
    }
    co_return ok();
  }

 private:
  Task<void> send(Bytes bytes) { co_return co_await stream_->write_all(bytes); }
  Task<void> send_fail(std::string text) { co_return co_await send(encode_sync_fail(text)); }

  // An old phone does not support the newer requests and closes the stream.
  [[nodiscard]] bool understands(SyncId id) const {
    if (id == SyncId::stat_v2 || id == SyncId::lstat_v2) return features_->has("stat_v2");
    if (id == SyncId::list_v2) return features_->has("ls_v2");
    if (id == SyncId::send_v2 || id == SyncId::recv_v2) return features_->has("sendrecv_v2");
    return true;
  }

  // Requests with a path are recorded for tests.
  void record(const SyncRequest& request) const {
    if (request.path.empty()) return;
    std::string text;
    for (int shift = 0; shift < 32; shift += 8)
      text += static_cast<char>(static_cast<std::uint32_t>(request.id) >> shift & 0xff);
    phone_->received.add("sync", text + " " + request.path);
  }

  Task<void> handle(const SyncRequest* request) {
    record(*request);
    if (!understands(request->id)) {
      over_ = true;
      co_return ok();
    }
    switch (request->id) {
      case SyncId::stat:
      case SyncId::stat_v2:
      case SyncId::lstat_v2: co_return co_await send(stat(*request));
      case SyncId::list: co_return co_await list(request, SyncVersion::v1);
      case SyncId::list_v2: co_return co_await list(request, SyncVersion::v2);
      case SyncId::send:
      case SyncId::send_v2: co_return co_await begin_upload(request);
      case SyncId::data: co_return co_await take_data(request);
      case SyncId::done: co_return co_await end_upload(request);
      case SyncId::recv:
      case SyncId::recv_v2: co_return co_await download(request);
      default: over_ = true; co_return ok();  // QUIT, and unknown requests
    }
  }

  Bytes stat(const SyncRequest& request) const {
    // "link/" is the link's target.
    const bool through = request.id == SyncId::stat_v2 || request.path.ends_with('/');
    const auto follow = through ? FollowLinks::yes : FollowLinks::no;
    const auto found = files_->stat(request.path, follow);
    SyncStat answer;
    if (found) answer = to_sync(*found);
    if (request.id == SyncId::stat) return encode_sync_stat(answer);
    if (!found) answer.error = static_cast<std::uint32_t>(found.error());
    return encode_sync_stat_v2(request.id, answer);
  }

  // A missing directory has no entries: the protocol has no other answer.
  Task<void> list(const SyncRequest* request, SyncVersion version) {
    Bytes answer;
    if (const auto own = files_->stat(request->path, FollowLinks::yes);
        own && own->is(kDirectory)) {
      for (const char* name : {".", ".."})
        append(answer, encode_sync_entry(version, {to_sync(*own), name}));
    }
    if (const auto entries = files_->list(request->path)) {
      for (const DirectoryEntry& entry : *entries) {
        append(answer, encode_sync_entry(version, {to_sync(entry.stat), entry.name}));
      }
    }
    append(answer, encode_sync_list_done(version));
    co_return co_await send(std::move(answer));
  }

  Task<void> begin_upload(const SyncRequest* request) {
    upload_.emplace();
    if (request->id == SyncId::send_v2) {
      upload_->path = request->path;
      upload_->mode = request->mode;
      upload_->dry = (request->flags & sync_flag::kDryRun) != 0;
      const auto compression = compression_of_flags(request->flags & ~sync_flag::kDryRun);
      if (!compression || !has_compression(*compression))
        co_return co_await refuse_upload("unknown flags: " + std::to_string(request->flags));
      if (*compression != Compression::none) {
        upload_->decoder = make_decoder(*compression);
        upload_->complete = false;
      }
    } else {
      const auto target = parse_send_target(request->path);
      if (!target) co_return co_await refuse_upload(target.error().message());
      upload_->path = target->path;
      upload_->mode = target->mode;
    }
    if (upload_->dry) co_return ok();
    const std::string parent = upload_->path.substr(0, upload_->path.rfind('/'));
    if (const auto made = files_->make_directory(parent.empty() ? "/" : parent, MakeParents::yes);
        !made) {
      co_return co_await refuse_upload("secure_mkdirs failed: " + error_text(made.error()));
    }
    if (is_link()) co_return ok();
    constexpr std::uint32_t kWhileItIsWritten = 0200;
    const auto created = files_->create(upload_->path, upload_->permissions() | kWhileItIsWritten);
    if (!created)
      co_return co_await refuse_upload("couldn't create file: " + error_text(created.error()));
    co_return ok();
  }

  [[nodiscard]] bool is_link() const { return (upload_->mode & kTypeMask) == kSymlink; }

  // The rest of the file is read and dropped; then the stream ends.
  Task<void> refuse_upload(std::string text) {
    upload_->failed = true;
    co_return co_await send_fail(std::move(text));
  }

  Task<void> take_data(const SyncRequest* request) {
    if (!upload_) {
      over_ = true;
      co_return ok();
    }
    if (upload_->failed) co_return ok();
    if (upload_->decoder == nullptr) co_return co_await store(as_text(request->data));
    Bytes plain(kPlainSize);
    for (ByteView data = request->data;;) {
      const auto step = upload_->decoder->step(data, Transcoder::Input::more, plain);
      if (!step) co_return co_await refuse_upload("decompress failed");
      CO_TRY_VOID(co_await store(as_text(ByteView(plain).first(step->made))));
      data = data.subspan(step->taken);
      upload_->complete = step->ended;
      if (upload_->failed || (data.empty() && (step->ended || step->made < plain.size())))
        co_return ok();
    }
  }

  Task<void> store(std::string_view data) {
    if (upload_->dry) co_return ok();
    if (is_link()) {
      upload_->link_target += data.substr(0, data.find('\0'));
      co_return ok();
    }
    const auto written = files_->append(upload_->path, data);
    if (!written) co_return co_await refuse_upload("write failed: " + error_text(written.error()));
    co_return ok();
  }

  // A compression that was not announced is not supported.
  [[nodiscard]] bool has_compression(Compression compression) const {
    return compression == Compression::none ||
           choose_compression(compression, *features_) == compression;
  }

  Task<void> end_upload(const SyncRequest* request) {
    if (!upload_ || upload_->failed) {
      over_ = true;
      co_return ok();
    }
    if (!upload_->complete) {
      over_ = true;
      co_return co_await send_fail("decompress failed");
    }
    if (std::exchange(upload_->dry, false)) {
      upload_.reset();
      co_return co_await send(encode_sync_okay());
    }
    if (is_link()) {
      [[maybe_unused]] const auto replaced = files_->remove(upload_->path, RemoveTree::no);
      const auto made = files_->make_link(upload_->path, upload_->link_target);
      if (!made) {
        over_ = true;
        co_return co_await send_fail("couldn't create symlink: " + error_text(made.error()));
      }
    }
    if (!is_link()) {
      [[maybe_unused]] const auto set =
          files_->set_permissions(upload_->path, upload_->permissions());
    }
    [[maybe_unused]] const auto stamped = files_->set_mtime(upload_->path, request->mtime);
    upload_.reset();
    co_return co_await send(encode_sync_okay());
  }

  Task<void> download(const SyncRequest* request) {
    const auto compression = compression_of_flags(request->flags);
    if (!compression || !has_compression(*compression)) {
      over_ = true;
      co_return co_await send_fail("unknown flags: " + std::to_string(request->flags));
    }
    const bool closed =
        phone_->faults.active(Fault::app_data_closed) && request->path.contains("/Android/data/");
    const auto content =
        closed ? FsResult<std::string_view>(std::unexpected(std::errc::permission_denied))
               : files_->read(request->path);
    if (!content) {
      over_ = true;
      const bool directory = content.error() == std::errc::is_a_directory;
      co_return co_await send_fail((directory ? "read failed: " : "open failed: ") +
                                   error_text(content.error()));
    }
    if (phone_->faults.active(Fault::sync_hostile_length)) co_return co_await send(hostile_data());
    const std::string copy(*content);
    CO_TRY_VOID(co_await send_content(as_bytes(copy), *compression));
    co_return co_await send(encode_sync_done(0));
  }

  Task<void> send_content(ByteView rest, Compression compression) {
    const auto encoder = make_encoder(compression);
    Bytes piece(kMaxSyncData);
    for (;;) {
      CO_TRY(const auto step, encoder->step(rest, Transcoder::Input::last, piece));
      rest = rest.subspan(step.taken);
      if (step.made > 0)
        CO_TRY_VOID(co_await send(encode_sync_data(ByteView(piece).first(step.made))));
      if (step.ended) co_return ok();
    }
  }

  static Bytes hostile_data() {
    Bytes record = to_bytes("DATA");
    append_le(record, std::uint32_t{0xffffffff});
    append(record, as_bytes("not that much"));
    return record;
  }

  Phone* phone_;
  FileSystem* files_;
  const FeatureSet* features_;
  std::shared_ptr<ByteStream> stream_;
  SyncRequestReader reader_;
  std::optional<Upload> upload_;
  bool over_ = false;
};

}  // namespace

asio::awaitable<void> serve_sync(ServiceCall call) {
  SyncSession session(call);
  co_await session.run();
}

}  // namespace simdroid
