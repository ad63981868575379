// A simulated phone behind FunctionFS: what a USB host finds on the cable.
//
//   ffs_phone DIR SERIAL [stall-after=N] [vanish-after=N] [stale=N]
//
// Ends by vanish-after or by a signal; a host out of step makes it start over, as adbd does.

#include <asio/co_spawn.hpp>
#include <asio/io_context.hpp>
#include <charconv>
#include <cstdio>
#include <string_view>
#include <vector>

#include "simdroid/ffs/function.hpp"
#include "simdroid/simulation.hpp"

namespace {

using namespace adbproto;

struct Arguments {
  std::string directory;
  std::string serial;
  simdroid::Misbehaviour misbehaviour;
};

Result<void> parse_word(std::string_view word, simdroid::Misbehaviour* into) {
  const auto equals = word.find('=');
  if (equals == word.npos) return fail(errc::usage, std::string(word));
  const std::string_view name = word.substr(0, equals);
  std::size_t* const target = name == "stall-after"    ? &into->stall_after
                              : name == "vanish-after" ? &into->vanish_after
                              : name == "stale"        ? &into->stale
                                                       : nullptr;
  if (target == nullptr) return fail(errc::usage, std::string(word));
  std::from_chars(word.data() + equals + 1, word.data() + word.size(), *target);
  return ok();
}

Result<Arguments> parse(const std::vector<std::string_view>& words) {
  if (words.size() < 2) return fail(errc::usage, "ffs_phone DIR SERIAL [stall-after=N] ...");
  Arguments arguments{std::string(words[0]), std::string(words[1]), {}};
  for (std::size_t i = 2; i < words.size(); ++i)
    TRY_VOID(parse_word(words[i], &arguments.misbehaviour));
  return arguments;
}

// Until the endpoints are closed; the reason.
Task<void> serve(simdroid::Simulation* phone, simdroid::Function* function) {
  while (true) {
    CO_TRY(auto link, co_await function->accept());
    phone->attach(std::move(link));
  }
}

Task<void> run(Arguments arguments) {
  const auto executor = co_await asio::this_coro::executor;
  simdroid::SimOptions options;
  options.operator_version = "0.5.3";
  options.serial = arguments.serial;
  CO_TRY(const auto phone, simdroid::Simulation::create(executor, options));
  Result<void> ended;
  do {
    auto function = simdroid::Function::open(executor, arguments.directory, arguments.misbehaviour);
    if (!function) {
      ended = std::unexpected(function.error());
      break;
    }
    ended = co_await serve(phone.get(), function->get());
    std::fprintf(stderr, "ffs_phone: %s\n", ended.error().message().c_str());
    co_await (*function)->stop();
  } while (ended.error().code() == errc::protocol);
  co_await phone->stop();
  co_return ended;
}

}  // namespace

int main(int argc, char** argv) {
  const auto arguments = parse(std::vector<std::string_view>(argv + 1, argv + argc));
  if (!arguments) {
    std::fprintf(stderr, "usage: %s\n", arguments.error().message().c_str());
    return 2;
  }
  asio::io_context context(1);
  int status = 0;
  asio::co_spawn(context, run(*arguments),
                 [&](const std::exception_ptr& thrown, const Result<void>& ended) {
                   if (!thrown && ended.error().code() == errc::closed) return;
                   if (!thrown)
                     std::fprintf(stderr, "ffs_phone: %s\n", ended.error().message().c_str());
                   status = 1;
                 });
  context.run();
  return status;
}
