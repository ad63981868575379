#include "runtime/host/android_services.hpp"

#include "adbproto/wire/errc.hpp"
#include "base/text.hpp"
#include "runtime/engine/errc.hpp"
#include "runtime/engine/order_note.hpp"
#include "runtime/engine/preflight.hpp"

namespace clawperator {

Error published_shell_error(const Error& error) {
  const Errc code = error.code();
  const bool is_of_protocol =
      is_in(code, base::kBaseErrors) || is_in(code, adbproto::kProtocolErrors);
  if (code == errc::link_lost || code == errc::cancelled || !is_of_protocol) return error;
  if (names_lost_link(error)) return {errc::link_lost, error.message(), error.members()};
  return {errc::device_shell_unavailable, "the device's shell: " + error.message()};
}

Task<CommandOutput> run_on_device(adbproto::Device* device, std::string command,
                                  std::chrono::milliseconds limit) {
  auto output = co_await run_command_line(device, std::move(command), limit);
  if (!output) co_return std::unexpected(published_shell_error(output.error()));
  co_return std::move(output);
}

namespace {

// A refusal with the first lines of its Java trace; an error's text stays readable.
constexpr std::size_t kMaxMessage = 2048;

}  // namespace

Task<CommandOutput> AndroidServices::call(AndroidService service, std::vector<std::string> words) {
  auto output = co_await channel_.probe(service, std::move(words), kChoreLimit);
  if (!output) co_return std::unexpected(published_shell_error(output.error()));
  co_return output;
}

Task<CommandOutput> AndroidServices::order(AndroidService service, std::vector<std::string> words) {
  if (!channel_.rungs().of(service)) {
    co_return fail(errc::device_shell_unavailable,
                   service == AndroidService::package
                       ? "the device's package manager does not answer"
                       : "the device's settings do not answer");
  }
  note_order(co_await asio::this_coro::executor);
  auto output = co_await channel_.run(service, std::move(words), kChoreLimit);
  if (!output) co_return std::unexpected(published_shell_error(output.error()));
  co_return output;
}

Task<int> AndroidServices::find_user() {
  const auto printed = co_await call(AndroidService::activity, current_user_words());
  if (!printed && ends_everything(printed.error())) co_return std::unexpected(printed.error());
  user_ = printed ? parse_front_user(printed->out) : 0;
  co_return user_;
}

Task<CommandOutput> list_matching(AndroidServices* services, std::string filter) {
  using namespace base::parallel;
  auto [listed, user] =
      co_await (services->call(AndroidService::package, list_packages_words(0, filter)) &&
                services->find_user());
  if (!user) co_return std::unexpected(user.error());
  if (*user == 0) co_return std::move(listed);
  co_return co_await services->call(AndroidService::package, list_packages_words(*user, filter));
}

Task<CommandOutput> read_setting(AndroidServices* services, SettingKey key) {
  co_return co_await services->call(AndroidService::settings,
                                    read_setting_words(services->user(), key));
}

Task<std::string> put_setting(AndroidServices* services, SettingKey key, std::string value) {
  Words words = value.empty() ? delete_setting_words(services->user(), key)
                              : put_setting_words(services->user(), key, value);
  const auto done = co_await services->order(AndroidService::settings, std::move(words));
  if (!done && ends_everything(done.error())) co_return std::unexpected(done.error());
  if (!done) co_return done.error().message();
  if (done->exit_status == 0) co_return std::string();
  const std::string text = one_message(done->text());
  co_return "Could not set " + key.name + (text.empty() ? "" : ": " + text);
}

Task<void> switch_on(AndroidServices* services, SettingKey key) {
  CO_TRY(const auto now, co_await read_setting(services, key));
  if (trimmed(now.out) == "1") co_return ok();
  CO_TRY(const std::string objection, co_await put_setting(services, std::move(key), "1"));
  if (objection.empty()) co_return ok();
  co_return fail(errc::device_shell_unavailable, objection);
}

bool ends_everything(const Error& error) {
  return error.code() == errc::link_lost || error.code() == errc::cancelled;
}

std::string one_message(std::string_view printed) {
  return std::string(trimmed(printed).substr(0, kMaxMessage));
}

}  // namespace clawperator
