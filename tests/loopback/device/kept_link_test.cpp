#include "runtime/device/supervisor/kept_link.hpp"

#include <catch2/catch.hpp>

#include "base/async/scope.hpp"
#include "support/device_bench.hpp"

using namespace adbproto::testing;
using namespace clawperator;

TEST_CASE("kept link: one that is connected keeps no second link", "[loopback]") {
  DeviceBench at;
  FakeAdbd phone(at.loop);
  Routes routes(at.options());
  const auto link = std::make_shared<KeptLink>(
      at.loop.executor(), routes, DeviceRow{.serial = phone.address(), .transport = Transport::tcp},
      [] {});
  adbproto::Scope scope(at.loop.executor());
  scope.spawn(
      [](std::shared_ptr<KeptLink> kept) -> asio::awaitable<void> { co_await kept->keep(); }(link));
  auto second = at.loop.run(routes.dial(phone.address(), KeyOffer::kNever));
  REQUIRE(second);
  at.loop.settle();
  REQUIRE(link->device());
  CHECK(phone.links() == 2);
  link->adopt(*std::move(second));
  at.loop.settle();
  CHECK(phone.links() == 1);
  CHECK(link->row().state.text() == "device");
  scope.cancel();
  at.loop.settle();
}

TEST_CASE("kept link: a phone in recovery is shown, not handed out, and Android is found again",
          "[loopback]") {
  DeviceBench at;
  FakeAdbd phone(at.loop);
  phone.is_in("recovery");
  const auto link = std::make_shared<KeptLink>(
      at.loop.executor(), Routes(at.options()),
      DeviceRow{.serial = phone.address(), .transport = Transport::tcp}, [] {});
  adbproto::Scope scope(at.loop.executor());
  scope.spawn(
      [](std::shared_ptr<KeptLink> kept) -> asio::awaitable<void> { co_await kept->keep(); }(link));
  while (phone.links() == 0) at.loop.settle();
  at.loop.settle();
  CHECK(link->row().state.text() == "recovery");
  CHECK_FALSE(link->device());
  phone.is_in("device").drop_links();
  at.loop.settle();
  link->try_now();
  while (phone.links() == 0) at.loop.settle();
  at.loop.settle();
  CHECK(link->row().state.text() == "device");
  CHECK(link->device());
  scope.cancel();
  at.loop.settle();
}
