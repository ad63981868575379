#include "cli/commands/commands.hpp"
#include "cli/people.hpp"
#include "cli/run_task.hpp"
#include "runtime/contract/json_text.hpp"

namespace clawperator::cli {
namespace {

using adbproto::Result;

std::string row_json(const DeviceRow& row) {
  JsonObject json;
  json.text("serial", row.serial).text("state", row.state);
  const auto optional = [&](std::string_view name, const std::string& value) {
    if (!value.empty()) json.text(name, value);
  };
  optional("transport", row.transport);
  optional("transportId", row.transport_id);
  optional("identity", row.identity);
  optional("product", row.product);
  optional("model", row.model);
  optional("device", row.device);
  optional("busAddress", row.bus_address);
  return json.str();
}

Result<Answer> run_devices(const Invocation& invocation) {
  TRY(const auto rows, run_task(list_devices(invocation.globals.target)));
  std::string list;
  for (const DeviceRow& row : rows) list += (list.empty() ? "" : ",") + row_json(row);
  Answer answer;
  answer.json = JsonObject().json("devices", "[" + list + "]").str();
  if (invocation.globals.output == OutputMode::pretty) answer.text = devices_for_people(rows);
  return answer;
}

}  // namespace

constinit const Command kDevices = {"devices",
                                    "",
                                    "",
                                    "List the devices, one row per way to reach one",
                                    "",
                                    "devices\n"
                                    "devices --output pretty\n",
                                    Reach::host,
                                    {},
                                    run_devices};

}  // namespace clawperator::cli
