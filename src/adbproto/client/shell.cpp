#include "adbproto/client/shell.hpp"

#include <algorithm>

#include "adbproto/wire/services.hpp"
#include "adbproto/wire/shell_commands.hpp"

namespace adbproto {
namespace {

// Enough for the text of an error; the rest of stderr is dropped.
constexpr std::size_t kMaxKeptErr = 4096;

void keep(std::string& err, ByteView piece) {
  const std::size_t room = kMaxKeptErr - std::min(err.size(), kMaxKeptErr);
  err += as_text(piece.first(std::min(piece.size(), room)));
}

}  // namespace

Framing shell_framing(const Device& device) {
  return device.features().has("shell_v2") ? Framing::shell_v2 : Framing::raw;
}

std::string shell_service(Framing framing, ShellKind kind, std::string_view terminal,
                          std::string_view command) {
  std::string service = "shell";
  const bool framed = framing == Framing::shell_v2;
  if (framed) service += ",v2";
  if (framed && !terminal.empty() && terminal.find_first_of(",:\n") == terminal.npos) {
    service.append(",TERM=").append(terminal);
  }
  if (framed && kind == ShellKind::pipes) service += ",raw";
  if (framed && kind == ShellKind::terminal) service += ",pty";
  return service.append(":").append(command);
}

// An empty view: this chunk has no bytes for the reader.
Result<ByteView> OutputStream::take(const ShellChunk& chunk) {
  switch (chunk.id) {
    case ShellId::standard_out: return chunk.piece;
    case ShellId::standard_err: keep(err_, chunk.piece); return ByteView{};
    case ShellId::exit:
      if (!chunk.piece.empty()) exit_status_ = std::to_integer<int>(chunk.piece.front());
      return ByteView{};
    default: return fail(errc::protocol, "shell packet that only a client may send");
  }
}

Task<ByteView> OutputStream::next() {
  for (;;) {
    if (exit_status_) co_return fail(errc::closed, "command ended");
    if (framing_ == Framing::shell_v2) {
      CO_TRY(const auto chunk, chunks_.next());
      if (chunk) {
        CO_TRY(const ByteView piece, take(*chunk));
        if (!piece.empty()) co_return piece;
        continue;
      }
    }
    CO_TRY(const std::size_t size, co_await stream_->read_some(buffer_));
    const ByteView got = ByteView(buffer_).first(size);
    if (framing_ == Framing::raw) co_return got;
    chunks_.feed(got);
  }
}

Task<ShellOutput> read_shell_output(ByteStream* stream, Framing framing, std::size_t limit) {
  ShellOutput output;
  ShellChunkReader chunks;
  Bytes buffer(16 * 1024);  // most commands print a line or two
  for (;;) {
    const auto size = co_await stream->read_some(buffer);
    if (!size && framing == Framing::raw && size.error().code() == errc::closed) {
      output.err = take_linker_warnings(&output.out);
      co_return output;
    }
    if (!size) co_return std::unexpected(size.error());
    const ByteView got = ByteView(buffer).first(*size);
    if (output.out.size() + output.err.size() + *size > limit) {
      co_return fail(errc::limit, "command printed more than " + std::to_string(limit) + " bytes");
    }
    if (framing == Framing::raw) {
      output.out += as_text(got);
      continue;
    }
    chunks.feed(got);
    for (;;) {
      CO_TRY(const auto chunk, chunks.next());
      if (!chunk) break;
      if (chunk->id == ShellId::standard_out) output.out += as_text(chunk->piece);
      if (chunk->id == ShellId::standard_err) output.err += as_text(chunk->piece);
      if (chunk->id != ShellId::exit || chunk->piece.empty()) continue;
      output.exit_status = std::to_integer<int>(chunk->piece.front());
      co_return output;
    }
  }
}

namespace {

Task<ShellOutput> open_and_read(Device* device, std::string service, Framing framing) {
  CO_TRY(auto stream, co_await device->open(std::move(service)));
  co_return co_await read_shell_output(stream.get(), framing);
}

}  // namespace

Task<ShellOutput> run_service(Device* device, std::string service, Framing framing,
                              std::chrono::milliseconds deadline) {
  const std::string what = service.substr(0, 64);
  co_return co_await with_deadline(open_and_read(device, std::move(service), framing), deadline,
                                   what);
}

Task<ShellOutput> run_shell(Device* device, std::string command,
                            std::chrono::milliseconds deadline) {
  const Framing framing = shell_framing(*device);
  co_return co_await run_service(device, shell_service(framing, ShellKind::pipes, {}, command),
                                 framing, deadline);
}

}  // namespace adbproto
