#pragma once
// Commands on a device: run to the end with their output collected, or as a stream of output
// pieces.

#include "adbproto/client/device.hpp"
#include "adbproto/wire/shell_packet.hpp"

namespace adbproto {

struct ShellOutput {
  std::string out;
  std::string err;
  std::optional<int> exit_status;  // absent on the unframed services
};

// No command whose output is kept prints this much; pictures have their own limit.
inline constexpr std::size_t kMaxShellOutput = 64 << 20;

// How the bytes of an opened service are read.
enum class Framing { shell_v2, raw };
// The best framing of the device.
Framing shell_framing(const Device& device);

// The type of the command's standard streams on the device; `automatic`: a terminal for the empty
// command.
enum class ShellKind { automatic, pipes, terminal };

// "shell,v2,TERM=xterm,raw:ls". Unframed services are always `automatic`. A `terminal` name that
// would end the list of options early is left out.
std::string shell_service(Framing framing, ShellKind kind, std::string_view terminal,
                          std::string_view command);

// Reads a framed stream to its exit packet, a raw one to its end. A framed stream that ends without
// an exit packet is `closed`; more than `limit` bytes of output are `limit`.
Task<ShellOutput> read_shell_output(ByteStream* stream, Framing framing,
                                    std::size_t limit = kMaxShellOutput);

// Opens, reads and closes within `deadline`.
Task<ShellOutput> run_service(Device* device, std::string service, Framing framing,
                              std::chrono::milliseconds deadline);

// Uses `shell,v2,raw:` if the device has it, else `shell:` (then without exit status, and stderr is
// in `out`, but for the linker's warnings).
Task<ShellOutput> run_shell(Device* device, std::string command,
                            std::chrono::milliseconds deadline);

// The standard output of a framed or raw service, piece by piece; the first 4 KiB of stderr are
// kept. Ends with `closed`, also where a framed stream ended without an exit packet: exit_status()
// shows the difference.
class OutputStream {
 public:
  OutputStream(ByteStreamPtr stream, Framing framing)
      : stream_(std::move(stream)), framing_(framing) {}

  // Valid until the next call.
  Task<ByteView> next();

  [[nodiscard]] const std::string& err() const { return err_; }
  // Absent if the command did not end (yet), and always on a raw service.
  [[nodiscard]] const std::optional<int>& exit_status() const { return exit_status_; }
  void close() { stream_->close(); }

 private:
  Result<ByteView> take(const ShellChunk& chunk);

  ByteStreamPtr stream_;
  Framing framing_;
  Bytes buffer_ = Bytes(256 * 1024);
  ShellChunkReader chunks_;
  std::string err_;
  std::optional<int> exit_status_;
};

}  // namespace adbproto
