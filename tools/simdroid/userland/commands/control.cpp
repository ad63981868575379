#include <nlohmann/json.hpp>

#include "base/number.hpp"
#include "simdroid/userland/commands/commands.hpp"
#include "simdroid/userland/shell.hpp"

namespace simdroid {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kUsage =
    "usage: simctl fault NAME [VALUE] | clear NAME | faults | phone [NAME] | reset | stats | "
    "received | state | touches | notify PACKAGE TITLE TEXT [ACTION...] | show PACKAGE SCREEN | "
    "split PACKAGE SCREEN | "
    "word NAME on|off | keyboard on|off | run COMMAND... | after now|look MS COMMAND...\n";

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

// Latin-1 by byte, so that every byte survives JSON.
std::string bytes_as_text(std::string_view bytes) {
  std::string text;
  for (const char byte : bytes) {
    const auto value = static_cast<unsigned char>(byte);
    if (value >= 0x80) text += static_cast<char>(0xc0 | value >> 6);
    text += static_cast<char>(value >= 0x80 ? 0x80 | (value & 0x3f) : value);
  }
  return text;
}

std::string received(const Phone& phone) {
  Json result{{"received", Json::array()}, {"dropped", phone.received.dropped()}};
  for (const auto& [kind, text] : phone.received.all())
    result["received"].push_back({kind, bytes_as_text(text)});
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

Json touch_json(const Touch& touch) {
  Json json{{"kind", touch_name(touch.kind)},
            {"package", touch.package},
            {"window", touch.window},
            {"screen", touch.screen}};
  if (touch.at) json["at"] = {touch.at->x, touch.at->y};
  if (!touch.text.empty()) json["text"] = touch.text;
  json["node"] = nullptr;
  if (const auto& node = touch.node) {
    const Rect& b = node->bounds;
    json["node"] = {{"package", node->package},
                    {"id", node->id},
                    {"text", node->text},
                    {"description", node->description},
                    {"number", node->number},
                    {"class", node->class_name},
                    {"bounds", {b.left, b.top, b.right, b.bottom}}};
  }
  return json;
}

std::string touches(const Phone& phone) {
  Json all = Json::array();
  for (const Touch& touch : phone.world->touches().all()) all.push_back(touch_json(touch));
  return text_of(all);
}

// The words from `from` on as one line of the shell.
std::string line_from(const Process& process, std::size_t from) {
  std::string line;
  for (std::size_t i = from; i < process.count(); ++i) {
    line.append(line.empty() ? "" : " ").append(process.arg(i));
  }
  return line;
}

asio::awaitable<void> run_later(Phone* phone, std::string line, std::chrono::milliseconds delay) {
  if (delay > delay.zero()) co_await sleep_for(delay);
  Shell shell(phone);
  [[maybe_unused]] const auto done =
      co_await shell.run_text(line, Io{null_stream(), null_stream(), null_stream()});
}

// after now|look MS COMMAND...: once that time has passed, or that time after the tree was read.
Task<int> run_after(Process* process) {
  Phone* phone = process->phone;
  const std::string& when = process->arg(2);
  const auto ms = base::whole_number<std::uint32_t>(process->arg(3));
  if ((when != "now" && when != "look") || !ms || process->count() < 5) {
    co_return co_await give_up(process, std::string(kUsage));
  }
  const auto begin = [phone, line = line_from(*process, 4),
                      delay = std::chrono::milliseconds(*ms)] {
    phone->changes.spawn(run_later(phone, line, delay));
  };
  if (when == "now") begin();
  if (when == "look") phone->after_next_read.emplace_back(begin);
  co_return 0;
}

// A change that the screen makes by itself, set by a test.
Task<int> run_screen_change(Process* process) {
  UiWorld& ui = process->phone->ui();
  const std::string& verb = process->arg(1);
  const std::string& last = process->arg(process->count() - 1);
  const bool on = last == "on";
  if (verb == "show" || verb == "split") {
    const bool is_there = verb == "show" ? ui.open_screen(process->arg(2), process->arg(3))
                                         : ui.split_screen(process->arg(2), process->arg(3));
    if (is_there) co_return 0;
    co_return co_await give_up(
        process, "simctl: no such screen: " + process->arg(2) + " " + process->arg(3) + "\n");
  }
  if (process->count() != (verb == "word" ? 4U : 3U) || (!on && last != "off")) {
    co_return co_await give_up(process, std::string(kUsage));
  }
  if (verb == "word") ui.set_word(process->arg(2), on);
  if (verb == "keyboard") ui.show_keyboard(on);
  co_return 0;
}

Task<int> run_fault(Process* process) {
  const std::string value = line_from(*process, 3);
  Faults& faults = process->phone->faults;
  process->phone->accessibility.catch_up();
  const bool clears = process->arg(1) == "clear";
  const auto done = clears ? faults.clear(process->arg(2)) : faults.set(process->arg(2), value);
  if (!done) co_return co_await give_up(process, "simctl: " + done.error().message() + "\n");
  // Sleepers check the faults when they wake.
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
  if (verb == "after") co_return co_await run_after(process);
  if (verb == "show" || verb == "split" || verb == "word" || verb == "keyboard") {
    co_return co_await run_screen_change(process);
  }
  if (verb == "run") {
    Shell shell(process->phone);
    co_return co_await shell.run_text(line_from(*process, 2), process->io);
  }
  if (verb == "phone") co_return co_await run_phone(process);
  if (verb == "reset") {
    process->phone->reset();
    co_return 0;
  }
  if (verb == "faults") {
    text = list_faults();
  } else if (verb == "stats") {
    text = stats(*process->phone);
  } else if (verb == "received") {
    text = received(*process->phone);
  } else if (verb == "state") {
    text = state(process->phone);
  } else if (verb == "touches") {
    text = touches(*process->phone);
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
