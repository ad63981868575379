#include <nlohmann/json.hpp>

#include "simdroid/userland/commands/commands.hpp"

namespace simdroid {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kUsage =
    "usage: simctl fault NAME [VALUE] | clear NAME | faults | phone [NAME] | reset | stats | "
    "state | notify PACKAGE TITLE TEXT [ACTION...]\n";

std::string text_of(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

const FaultRow& row_of(Fault fault) {
  for (const FaultRow& row : fault_table()) {
    if (row.fault == fault) return row;
  }
  return fault_table().front();
}

Json active_faults(const Phone& phone) {
  Json active = Json::object();
  for (const auto& [fault, values] : phone.faults.all())
    active[std::string(row_of(fault).name)] = values;
  return active;
}

std::string list_faults() {
  std::string text;
  for (const FaultRow& row : fault_table()) {
    text += std::string(row.name) + "\t" + std::string(row.default_value) + "\t" +
            std::string(row.meaning) + "\n";
  }
  return text;
}

std::string stats(const Phone& phone) {
  Json result = Json::object();
  for (const auto& [name, count] : phone.counters.all()) result[name] = count;
  result["log_entries_lost"] = phone.log.lost_to_overflow();
  return text_of(result);
}

std::string state(Phone* phone) {
  const UiWorld& ui = phone->ui();
  Json result;
  result["screen"] = ui.screen().name;
  result["package"] = ui.foreground_package();
  result["activity"] = ui.foreground_activity();
  result["awake"] = ui.awake();
  result["locked"] = ui.locked();
  result["keyboard"] = ui.keyboard_shown();
  result["revision"] = ui.revision();
  result["profile"] = phone->options.profile == Profile::zero ? "zero" : "phone";
  result["phone"] = phone->kind().name;
  result["seed"] = phone->options.seed;
  result["faults"] = active_faults(*phone);
  return text_of(result);
}

Task<int> run_fault(Process* process) {
  std::string value;
  for (std::size_t i = 3; i < process->count(); ++i) {
    value.append(value.empty() ? "" : " ").append(process->arg(i));
  }
  Faults& faults = process->phone->faults;
  process->phone->accessibility.catch_up();
  const bool clears = process->arg(1) == "clear";
  const auto done = clears ? faults.clear(process->arg(2)) : faults.set(process->arg(2), value);
  if (!done) co_return co_await give_up(process, "simctl: " + done.error().message() + "\n");
  // Sleepers look at the faults when they wake.
  process->phone->faults_changed.notify_all();
  process->phone->log.changed().notify_all();
  co_return 0;
}

// Without a name the list of phones.
Task<int> run_phone(Process* process) {
  if (process->count() < 3) {
    CO_TRY_VOID(co_await print(process, list_phone_profiles()));
    co_return 0;
  }
  const PhoneProfile* kind = find_phone_profile(process->arg(2));
  if (kind == nullptr) {
    co_return co_await give_up(process, "simctl: no such phone: " + process->arg(2) + "\n");
  }
  process->phone->become(kind);
  co_return 0;
}

Task<int> run_notify(Process* process) {
  Phone* phone = process->phone;
  if (process->count() < 5) co_return co_await give_up(process, std::string(kUsage));
  const int id = static_cast<int>(phone->notifications.size()) + 1;
  phone->notifications.insert(
      phone->notifications.begin(),
      {process->arg(2), id, process->arg(3), process->arg(4), false, process->args_from(5)});
  co_return 0;
}

Task<int> run_simctl(Process* process) {
  const std::string verb = process->arg(1);
  std::string text;
  if (verb == "fault" || verb == "clear") co_return co_await run_fault(process);
  if (verb == "notify") co_return co_await run_notify(process);
  if (verb == "phone") co_return co_await run_phone(process);
  if (verb == "reset") {
    process->phone->reset();
    co_return 0;
  }
  if (verb == "faults") {
    text = list_faults();
  } else if (verb == "stats") {
    text = stats(*process->phone);
  } else if (verb == "state") {
    text = state(process->phone);
  } else {
    co_return co_await give_up(process, std::string(kUsage));
  }
  CO_TRY_VOID(co_await print(process, text));
  co_return 0;
}

constexpr CommandEntry kControlCommands[] = {{"simctl", run_simctl, nullptr}};

}  // namespace

std::span<const CommandEntry> control_commands() { return kControlCommands; }

}  // namespace simdroid
