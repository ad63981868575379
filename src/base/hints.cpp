#include "base/hints.hpp"

#include <nlohmann/json.hpp>

#include "base/error_members.hpp"
#include "base/json_document.hpp"

namespace base {

namespace hints {

constinit const HintRow no_source{
    "no_source",
    "plug a phone in by USB with USB debugging on, connect one on the network with `clawperator "
    "connect HOST:PORT`, or start a simulated one with `clawperator sim`; --adb-server names "
    "another adb server",
    "plug a phone in by USB with USB debugging on at the computer of this server, name the "
    "HOST:PORT of one on the network as \"deviceId\", or start a simulated one there with "
    "`clawperator sim`",
    "plug a phone in by USB with USB debugging on at the computer of this server, name the "
    "HOST:PORT of one on the network as \"device\", or start a simulated one there with "
    "`clawperator sim`"};
constinit const HintRow start_server{"start_server", ", and --start-server starts one", "", ""};
constinit const HintRow absent_device{
    "absent_device",
    "list the devices with `clawperator devices`; an address HOST:PORT needs no list",
    "GET /devices lists the devices; an address HOST:PORT needs no list",
    "the tool `devices` lists the devices; an address HOST:PORT needs no list"};
constinit const HintRow several_devices{
    "several_devices", "Choose one with --device <serial>, e.g. --device {}",
    "Choose one with \"deviceId\", e.g. \"deviceId\":\"{}\"",
    "Choose one with the argument `device`, e.g. \"device\":\"{}\""};
constinit const HintRow one_of_two_apps{"one_of_two_apps", "name one with --operator-package",
                                        "name one with \"operatorPackage\"",
                                        "the server's --operator-package names one"};
constinit const HintRow which_app{
    "which_app", "Add{}, or set CLAWPERATOR_OPERATOR_PACKAGE, or uninstall the other one.",
    "Uninstall the one that is not needed, or name the other one in each request.",
    "Start the server with{}, or uninstall the one that is not needed."};
constinit const HintRow other_app{"other_app", "Add --operator-package {}, or ",
                                  "Add \"operatorPackage\":\"{}\", or ",
                                  "Start the server with --operator-package {}, or "};
constinit const HintRow longer_timeout{"longer_timeout", "give --timeout a larger value",
                                       "give \"timeoutMs\" a larger value",
                                       "give `timeout_ms` a larger value"};
constinit const HintRow shell_backend{
    "shell_backend",
    "Without the app, commands with --backend shell (serve and mcp take it, too, and bodies "
    "\"backend\":\"shell\") act by the phone's own shell.",
    "Without the app, requests with \"backend\":\"shell\" act by the phone's own shell.",
    "Without the app, a server that was started with `clawperator mcp --backend shell` acts by "
    "the phone's own shell."};
constinit const HintRow new_snapshot{"new_snapshot", "take a new snapshot --format compact",
                                     "GET /devices/:serial/snapshot?format=compact takes a new one",
                                     "the tool `snapshot` takes a new one"};
constinit const HintRow line{
    "line",
    "retry when it is done, or let a command wait in line: --queue or --wait MS, over HTTP "
    "\"queue\":true",
    "retry when it is done, or let the request wait in line: \"queue\":true",
    "retry when it is done"};
constinit const HintRow settling{"settling", ", or let a command wait its turn with --wait {}",
                                 ", or let the request wait its turn: \"queue\":true", ""};

}  // namespace hints

namespace {

constexpr std::size_t kMaxOwnMembers = 1 << 20;  // this program writes them itself
constexpr std::string_view kValue = "{}";
constexpr std::string_view kThere = "on the computer of this server";

constexpr const HintRow* kRows[] = {
    &hints::no_source,       &hints::start_server, &hints::absent_device, &hints::several_devices,
    &hints::one_of_two_apps, &hints::which_app,    &hints::other_app,     &hints::longer_timeout,
    &hints::shell_backend,   &hints::new_snapshot, &hints::line,          &hints::settling};

std::vector<std::string_view> pieces_of(std::string_view pattern) {
  std::vector<std::string_view> pieces;
  for (auto at = pattern.find(kValue); at != pattern.npos; at = pattern.find(kValue)) {
    pieces.push_back(pattern.substr(0, at));
    pattern.remove_prefix(at + kValue.size());
  }
  pieces.push_back(pattern);
  return pieces;
}

std::string filled(std::string_view pattern, std::span<const std::string_view> values) {
  std::string text;
  std::size_t used = 0;
  for (const std::string_view piece : pieces_of(pattern)) {
    if (used > 0 && used <= values.size()) text += values[used - 1];
    text += piece;
    ++used;
  }
  return text;
}

// Puts the reader's words for the row's in the place of them. A last value goes to the end.
void replace_row(std::string* text, const HintRow& row, std::string_view words) {
  const auto pieces = pieces_of(row.command_line);
  const auto begin = text->find(pieces.front());
  if (begin == text->npos) return;
  std::size_t end = begin + pieces.front().size();
  std::vector<std::string_view> values;
  for (std::size_t i = 1; i < pieces.size(); ++i) {
    const auto next = pieces[i].empty() ? text->size() : text->find(pieces[i], end);
    if (next == text->npos) return;
    values.push_back(std::string_view(*text).substr(end, next - end));
    end = next + pieces[i].size();
  }
  const std::string replacement = filled(words, values);
  text->replace(begin, end - begin, replacement);
}

std::string rows_replaced(std::string text, Reader reader) {
  for (const HintRow* row : kRows) {
    replace_row(&text, *row, reader == Reader::http ? row->http : row->mcp);
  }
  return text;
}

// "List the packages: clawperator ...": where that is to be run.
bool name_computer(std::string* text) {
  const auto at = text->find(": clawperator ");
  if (at == text->npos) return false;
  text->insert(at, std::string(", ") + std::string(kThere));
  return true;
}

}  // namespace

std::string HintRow::with(std::initializer_list<std::string_view> values) const {
  return filled(command_line, std::span(values.begin(), values.size()));
}

std::string restated(std::string text, Reader reader) {
  if (reader == Reader::command_line) return text;
  std::string words = rows_replaced(text, reader);
  if (name_computer(&words)) return words;
  const bool has_command = text == words && words.find("clawperator ") != words.npos;
  return has_command ? std::string(kThere) + ": " + words : words;
}

Error restated(const Error& error, Reader reader) {
  if (reader == Reader::command_line) return error;
  std::string members = error.members();
  if (members.contains("\"hint\"")) {
    auto json = read_json(members, kMaxOwnMembers);
    const std::string* hint = json ? string_value(find_member(*json, "hint")) : nullptr;
    if (hint) {
      (*json)["hint"] = restated(*hint, reader);
      members = write_json(*json);
    }
  }
  return {error.code(), rows_replaced(error.message(), reader), std::move(members),
          error.system_error()};
}

}  // namespace base
