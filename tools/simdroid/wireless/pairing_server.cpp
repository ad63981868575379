#include "simdroid/wireless/pairing_server.hpp"

#include <chrono>
#include <utility>

#include "adbproto/client/pairing.hpp"
#include "adbproto/wire/errc.hpp"

namespace simdroid {

namespace {

constexpr auto kAttemptLimit = std::chrono::seconds(30);

}  // namespace

// Shared with the coroutines of `scope`, all on one thread.
struct PairingServer::State {
  State(const asio::any_io_executor& on, PairingDialog with, adbproto::RsaKey own, OnPaired then)
      : executor(on),
        dialog(std::move(with)),
        key(std::move(own)),
        on_paired(std::move(then)),
        scope(on) {}

  asio::any_io_executor executor;
  PairingDialog dialog;
  adbproto::RsaKey key;
  OnPaired on_paired;
  adbproto::ListenerPtr listener;
  std::size_t clients = 0;
  int attempts = 0;
  adbproto::Scope scope;
};

PairingServer::PairingServer(const asio::any_io_executor& executor, PairingDialog dialog,
                             adbproto::RsaKey key, OnPaired on_paired)
    : state_(std::make_shared<State>(executor, std::move(dialog), std::move(key),
                                     std::move(on_paired))) {}

PairingServer::~PairingServer() = default;

Result<std::uint16_t> PairingServer::listen() {
  TRY(state_->listener,
      adbproto::listen_tcp(state_->executor, state_->dialog.host, state_->dialog.port));
  state_->scope.spawn(accept(state_));
  return state_->listener->port();
}

asio::awaitable<void> PairingServer::stop() {
  const auto state = state_;
  if (state->listener) state->listener->close();
  state->scope.cancel();
  co_await state->scope.join();
}

asio::awaitable<void> PairingServer::accept(std::shared_ptr<State> state) {
  for (;;) {
    auto link = co_await state->listener->accept();
    if (!link) co_return;
    if (state->clients >= kMaxClients) continue;
    ++state->clients;
    state->scope.spawn(serve(state, *std::move(link)));
  }
}

asio::awaitable<void> PairingServer::serve(std::shared_ptr<State> state,
                                           adbproto::ByteStreamPtr link) {
  const PairingDialog& dialog = state->dialog;
  auto attempt = adbproto::serve_pairing(std::move(link), dialog.code, state->key, dialog.guid);
  const auto host = co_await with_deadline(std::move(attempt), kAttemptLimit, "a pairing attempt");
  --state->clients;
  if (host) {
    state->on_paired(*host);
  } else if (host.error().code() == errc::auth_pairing_failed &&
             ++state->attempts >= kMaxAttempts) {
    state->listener->close();
  }
}

}  // namespace simdroid
