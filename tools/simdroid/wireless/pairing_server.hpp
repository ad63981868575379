#pragma once
// The port that a phone opens while its pairing dialog is shown: TLS, SPAKE2 with the dialog's
// code. As on a phone, kMaxAttempts wrong codes close it, and kMaxClients may try at once.

#include <asio/any_io_executor.hpp>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "adbproto/crypto/rsa_key.hpp"
#include "adbproto/link/socket_stream.hpp"
#include "base/async/scope.hpp"

namespace simdroid {

struct PairingDialog {
  std::string host = "127.0.0.1";
  std::uint16_t port = 0;  // 0: the system chooses
  std::string code;
  std::string guid;  // sent to the host: "adb-SERIAL-abcdef"
};

class PairingServer {
 public:
  static constexpr int kMaxAttempts = 20;
  static constexpr std::size_t kMaxClients = 10;

  using OnPaired = std::function<void(std::string public_key_text)>;

  // `key` is the phone's own, for TLS only. `on_paired` is called for every host with the right
  // code.
  PairingServer(const asio::any_io_executor& executor, PairingDialog dialog, adbproto::RsaKey key,
                OnPaired on_paired);
  ~PairingServer();
  PairingServer(const PairingServer&) = delete;
  PairingServer& operator=(const PairingServer&) = delete;

  // Listens and accepts in the background; the port.
  Result<std::uint16_t> listen();
  // Ends everything; required before destruction.
  asio::awaitable<void> stop();

 private:
  struct State;

  static asio::awaitable<void> accept(std::shared_ptr<State> state);
  static asio::awaitable<void> serve(std::shared_ptr<State> state, adbproto::ByteStreamPtr link);

  std::shared_ptr<State> state_;
};

}  // namespace simdroid
