#include "simdroid/device/phone.hpp"

#include <utility>

#include "simdroid/device/phone_files.hpp"

namespace simdroid {
namespace {

WallTime boot_time(WallTime wanted) {
  if (wanted != WallTime{}) return wanted;
  return std::chrono::time_point_cast<std::chrono::nanoseconds>(std::chrono::system_clock::now());
}

void add_processes(ProcessTable* processes, const std::vector<OperatorBuild>& operators) {
  processes->put(1, {"root", "init", {}});
  processes->put(612, {"logd", "logd", {}});
  processes->put(845, {"system", "surfaceflinger", {}});
  processes->put(1208, {"system", "system_server", {}});
  processes->put(1733, {"u0_a77", "com.android.systemui", {}});
  processes->put(2210, {"shell", "adbd", {}});
  int pid = 2981;
  for (const OperatorBuild& build : operators) {
    processes->put(pid++, {"u0_a118", std::string(build.names->package), {}});
    processes->put(pid++, {"u0_a119", std::string(build.names->variant), {}});
  }
}

}  // namespace

Phone::Phone(asio::any_io_executor on, PhoneOptions with)
    : executor(std::move(on)),
      options(std::move(with)),
      costs(latencies(options.profile)),
      jitter(options.seed),
      clock(boot_time(options.boot)),
      faults_changed(executor),
      properties(options.identity, *options.kind),
      accessibility(this),
      files(&clock),
      log(executor),
      tasks(executor),
      changes(executor),
      operators(this),
      kind_(options.kind) {
  if (!options.screens) options.screens = bundled_screens();
  add_processes(&processes, operator_builds(options.operator_version));
  install_phone_files(this);
  log.set_filter([this](const LogEntry& entry) { return is_loggable(entry); });
  reset();
  log_system("boot", LogPriority::info, "simdroid is up");
}

Phone::~Phone() {
  tasks.cancel();
  changes.cancel();
}

void Phone::start() {
  tasks.spawn(operators.run());
  tasks.spawn(make_noise());
}

asio::awaitable<void> Phone::stop() {
  tasks.cancel();
  changes.cancel();
  co_await tasks.join();
  co_await changes.join();
  co_await operators.stop();
}

void Phone::reset() { become(options.kind); }

Identity Phone::identity() const {
  Identity identity = options.identity;
  if (kind_ == &default_phone_profile()) return identity;
  identity.model = kind_->model;
  if (!kind_->serialno.empty()) identity.serial = kind_->serialno;
  return identity;
}

// logd's decision about an entry: the most specific property counts, and the entries that the maker
// hides.
bool Phone::is_loggable(const LogEntry& entry) const {
  constexpr std::string_view kLetters = "VDIWEFS";
  const auto lets_in = [&](std::string_view level) {
    const std::size_t at = level.empty() ? 0 : kLetters.find(level.front());
    return at == std::string_view::npos || kLetters.find(letter(entry.priority)) >= at;
  };
  if (faults.active(Fault::log_level) && !lets_in(faults.text(Fault::log_level))) return false;
  for (const std::string& name : {"log.tag." + entry.tag, "persist.log.tag." + entry.tag,
                                  std::string("log.tag"), std::string("persist.log.tag")}) {
    const std::string level = properties.get(name);
    if (!level.empty()) return lets_in(level);
  }
  return true;
}

void Phone::become(const PhoneProfile* kind) {
  constexpr int kFoldsFrom = 26;
  constexpr int kFoldsUntil = 30;
  const bool another = kind_ != kind;
  kind_ = kind;
  changes.cancel();
  after_next_read.clear();
  faults.reset();
  for (const FaultSetting& fault : kind->faults) {
    [[maybe_unused]] const auto was_set = faults.set(fault.name, std::string(fault.value));
  }
  properties = Properties(identity(), *kind);
  if (another) install_boot_id(this);
  clock.correct({});
  log.set_folding(kind->sdk >= kFoldsFrom && kind->sdk <= kFoldsUntil);
  notification_listeners.clear();
  counters.reset();
  received.reset();
  settings = Settings();
  constexpr int kWirelessDebugging = 30;
  if (kind->sdk >= kWirelessDebugging) (*settings.table("global"))["adb_wifi_enabled"] = "0";
  Settings::Table& secure = *settings.table("secure");
  const auto builds = operator_builds(options.operator_version);
  std::string services;
  for (const OperatorBuild& build : builds) {
    for (const std::string_view package : {build.names->package, build.names->variant}) {
      services.append(services.empty() ? "" : ":").append(package);
      services.append("/").append(build.names->service());
    }
  }
  if (!services.empty()) secure["enabled_accessibility_services"] = services;
  accessibility.reset();
  size_override.clear();
  density_override.clear();
  battery = {};
  operators.reset();
  packages = std::make_unique<Packages>(*options.screens, builds, &faults);
  install_sessions = {};
  world = std::make_unique<UiWorld>(options.screens);
  world->rotation = [this] { return rotation(); };
  world->on_tree_read = [this] { tree_was_read(); };
  notifications = first_notifications();
  world->set_clear_listener([this] { clear_notifications(); });
}

void Phone::clear_notifications() {
  if (faults.active(Fault::clear_ignored)) return;
  std::erase_if(notifications, [](const PostedNotification& each) { return !each.ongoing; });
  world->hide_shade();
}

int Phone::rotation() const {
  if (settings.get("system", "accelerometer_rotation") != "0") return 0;
  const std::string turns = settings.get("system", "user_rotation");
  if (world->screen().turns && (turns == "1" || turns == "3")) return turns == "1" ? 1 : 3;
  return turns == "2" ? 2 : 0;
}

void Phone::tree_was_read() {
  for (const auto& change : std::exchange(after_next_read, {})) change();
}

asio::awaitable<void> Phone::spend(Cost cost, Clock::time_point since) {
  const Duration left = jitter.draw(cost) - (Clock::now() - since);
  if (left > Duration::zero()) co_await sleep_for(left);
}

void Phone::log_system(std::string_view tag, LogPriority priority, std::string message) {
  constexpr int kSystemServer = 1208;
  log.append({LogBufferId::system, kSystemServer, kSystemServer + 41, 1000, clock.now(), priority,
              std::string(tag), std::move(message)});
}

UiWorld& Phone::ui() {
  world->advance(Clock::now());
  for (const std::string_view name : operator_packages()) {
    const bool wanted = packages->find(name) != nullptr;
    if (wanted == world->installed(name)) continue;
    if (wanted) {
      world->install(name);
    } else {
      world->uninstall(name);
    }
  }
  return *world;
}

asio::awaitable<void> Phone::make_noise() {
  constexpr auto kPause = std::chrono::milliseconds(10);
  std::uint64_t count = 0;
  std::int64_t owed = 0;  // thousandths of a line
  while (true) {
    if (!faults.active(Fault::log_noise)) {
      co_await faults_changed.wait();
      continue;
    }
    co_await sleep_for(kPause);
    if (!faults.active(Fault::log_noise)) continue;
    constexpr std::int64_t kMaxRate = 200'000;
    owed += std::min(faults.number(Fault::log_noise), kMaxRate) * kPause.count();
    for (; owed >= 1000; owed -= 1000) {
      const auto draw = jitter.next();
      const auto pid = static_cast<std::uint32_t>(1500 + draw % 40);
      log.append({LogBufferId::main, static_cast<int>(pid), pid + 3, 10050, clock.now(),
                  LogPriority::debug, "Noise",
                  "line " + std::to_string(++count) + " [TaskScope]-like chatter <node index=\"" +
                      std::to_string(draw % 100) + "\" />"});
    }
  }
}

}  // namespace simdroid
