#pragma once
// The streams of a TransportConnection: a reader and a writer of one channel, and the peer's wish
// to have one. For transport_connection.cpp.

#include "adbproto/client/transport_core.hpp"

namespace adbproto {

class ChannelStream final : public ByteStream {
 public:
  using CorePtr = std::shared_ptr<TransportConnection::Core>;

  ChannelStream(CorePtr core, LocalId id, ChannelPtr channel)
      : core_(std::move(core)), id_(id), channel_(std::move(channel)) {}
  ~ChannelStream() override { ChannelStream::close(); }
  ChannelStream(const ChannelStream&) = delete;
  ChannelStream& operator=(const ChannelStream&) = delete;

  // Until the peer has accepted or refused.
  Task<void> wait_opened();

  Task<std::size_t> read_some(std::span<std::byte> into) override;
  Task<void> write_all(ByteView bytes) override;
  void close() override;

 private:
  asio::awaitable<void> wait_writable();
  [[nodiscard]] Error end_error() const;

  CorePtr core_;
  LocalId id_;
  ChannelPtr channel_;
};

class OfferedStream final : public IncomingStream {
 public:
  using CorePtr = std::shared_ptr<TransportConnection::Core>;

  OfferedStream(CorePtr core, LocalId id, std::string service)
      : core_(std::move(core)), id_(id), service_(std::move(service)) {}
  ~OfferedStream() override { OfferedStream::refuse(); }
  OfferedStream(const OfferedStream&) = delete;
  OfferedStream& operator=(const OfferedStream&) = delete;

  [[nodiscard]] const std::string& service() const override { return service_; }
  ByteStreamPtr accept() override;
  void refuse() override;

 private:
  void answer(void (StreamTable::*verb)(LocalId, StreamActions&));

  CorePtr core_;
  LocalId id_;
  std::string service_;
  bool answered_ = false;
};

}  // namespace adbproto
