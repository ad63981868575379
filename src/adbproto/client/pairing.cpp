#include "adbproto/client/pairing.hpp"

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "adbproto/link/socket_stream.hpp"
#include "adbproto/link/tls_stream.hpp"
#include "adbproto/session/pairing.hpp"
#include "adbproto/wire/errc.hpp"
#include "adbproto/wire/pairing.hpp"
#include "base/files.hpp"
#include "base/system/environment.hpp"
#include "base/system/file_lock.hpp"

namespace adbproto {
namespace {

namespace fs = std::filesystem;
using namespace std::string_view_literals;

// The label includes its NUL.
constexpr std::string_view kExportLabel = "adb-label\0"sv;
constexpr std::size_t kExportSize = 64;

Result<Pairing> start_machine(Role role, TlsStream& tls, const std::string& code,
                              std::string our_text) {
  TRY(const Bytes exported, tls.export_key(kExportLabel, kExportSize));
  Bytes password = to_bytes(code);
  append(password, exported);
  return Pairing(role, password, fresh_spake_random(), std::move(our_text));
}

Task<PairingPacket> read_packet(ByteStream* link, PairingReader* reader) {
  std::array<std::byte, 4096> buffer;
  for (;;) {
    CO_TRY(auto packet, reader->next());
    if (packet) co_return *std::move(packet);
    CO_TRY(const std::size_t size, co_await link->read_some(buffer));
    reader->feed(ByteView(buffer).first(size));
  }
}

Task<void> send(ByteStream* link, PairingPacket packet) {
  const Bytes bytes = encode_pairing_packet(packet);
  co_return co_await link->write_all(bytes);
}

// Runs until both sides have the other's PeerInfo; returns the text of the peer's.
Task<std::string> converse(ByteStream* link, Pairing* pairing) {
  CO_TRY_VOID(co_await send(link, pairing->start()));
  PairingReader reader;
  for (;;) {
    CO_TRY(const PairingPacket packet, co_await read_packet(link, &reader));
    CO_TRY(auto step, pairing->on_packet(packet));
    if (step.reply) CO_TRY_VOID(co_await send(link, *std::move(step.reply)));
    if (step.peer) co_return *std::move(step.peer);
  }
}

Task<std::string> run_pairing(std::unique_ptr<TlsStream> tls, Role role, std::string code,
                              std::string our_text) {
  CO_TRY(Pairing pairing, start_machine(role, *tls, code, std::move(our_text)));
  auto peer = co_await converse(tls.get(), &pairing);
  if (!peer) co_return std::unexpected(pairing.on_link_error(std::move(peer).error()));
  co_return peer;
}

Task<Paired> dial_and_pair(DeviceAddress address, std::string code, KeyRing keys) {
  CO_TRY(auto link, co_await connect_tcp(address.host, address.port));
  auto paired = co_await pair_over(std::move(link), std::move(code), std::move(keys));
  if (paired || paired.error().code() == errc::cancelled) co_return paired;
  co_return fail(paired.error().code(), address.to_string() + ": " + paired.error().message());
}

// One code for a peer that closes, however its system ends the connection.
Error no_tls(const Error& why) {
  if (why.code() != errc::closed && why.code() != errc::io) return why;
  return {errc::link_lost, "the other side closed the connection before TLS began"};
}

Result<fs::path> known_hosts_path(const GetEnvironment& environment) {
  const auto given = environment("HOME");
  const fs::path home = given && !given->empty() ? fs::path(*given) : base::home_folder();
  if (home.empty()) return fail(errc::io, "HOME is not set");
  return home / ".android" / "adb_known_hosts.pb";
}

// The file's content; empty when there is no such file.
Result<std::string> read_file_if_any(const fs::path& path) {
  std::error_code none;
  return fs::exists(path, none) ? read_file(path, kMaxKnownHostsFile) : std::string();
}

}  // namespace

Task<Paired> pair_device(DeviceAddress address, std::string code, KeyRing keys,
                         std::chrono::milliseconds limit) {
  std::string what = "pairing with " + address.to_string();
  co_return co_await with_deadline(
      dial_and_pair(std::move(address), std::move(code), std::move(keys)), limit, std::move(what));
}

Task<Paired> pair_over(ByteStreamPtr link, std::string code, KeyRing keys) {
  if (keys.keys.empty()) co_return fail(errc::invalid_argument, "no key for the pairing");
  TlsClientOptions options;
  options.choose_key = [own = keys.keys.front()](const std::vector<std::string>&) { return own; };
  options.await_first_byte = false;
  auto tls = co_await start_tls_client(std::move(link), {}, std::move(options));
  if (!tls) co_return std::unexpected(no_tls(tls.error()));
  CO_TRY(std::string guid,
         co_await run_pairing(*std::move(tls), Role::host, std::move(code), keys.public_text()));
  co_return Paired{std::move(guid)};
}

Task<std::string> serve_pairing(ByteStreamPtr link, std::string code, RsaKey key,
                                std::string guid) {
  TlsServerOptions options(std::move(key));
  CO_TRY(auto tls, co_await start_tls_server(std::move(link), {}, std::move(options)));
  co_return co_await run_pairing(std::move(tls), Role::device, std::move(code), std::move(guid));
}

Result<std::vector<std::string>> read_known_hosts(const GetEnvironment& environment) {
  TRY(const fs::path path, known_hosts_path(environment));
  TRY(const std::string text, read_file_if_any(path));
  return parse_known_hosts(as_bytes(text));
}

Task<std::string> add_known_host(GetEnvironment environment, std::string guid) {
  CO_TRY(const fs::path path, known_hosts_path(environment));
  CO_TRY(const auto lock, co_await lock_folder(path.parent_path()));
  CO_TRY(std::string text, read_file_if_any(path));
  const auto known = parse_known_hosts(as_bytes(text));
  if (known && std::ranges::find(*known, guid) != known->end()) co_return "";
  if (!known && known.error().code() == errc::limit) co_return std::unexpected(known.error());
  std::string aside;
  if (!known) {
    CO_TRY(aside, keep_damaged(path));
    text.clear();  // adb also discards a damaged file
  }
  text += as_text(encode_known_host(guid));
  CO_TRY_VOID(write_file_atomically(path, text, ParentFolder::required, Durable::yes));
  co_return aside;
}

}  // namespace adbproto
