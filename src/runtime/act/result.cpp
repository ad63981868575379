#include "runtime/act/result.hpp"

#include "runtime/contract/json_text.hpp"
#include "runtime/contract/parse.hpp"

namespace clawperator::act {
namespace {

// What the route cannot know is left out: through a server the link is the server's affair.
std::string route_json(const ExecuteResult& result) {
  JsonObject json;
  json.text("transport", result.route).text("serial", result.device_id);
  if (result.by_daemon) json.boolean("daemon", true);
  const adbproto::RouteFacts& facts = result.route_facts;
  if (facts.max_payload == 0) return json.str();
  json.boolean("tls", facts.tls).boolean("delayedAck", facts.delayed_ack);
  if (facts.rtt) json.number("rttMicros", facts.rtt->count());
  return json.number("maxPayload", facts.max_payload).str();
}

// How it was measured: by another process these are that one's phases.
std::string timings_json(const ExecuteResult& result) {
  std::string json = to_json(result.timings);
  if (result.by_daemon) json.replace(json.size() - 1, 1, R"(,"daemon":true})");
  return json;
}

}  // namespace

std::string result_json(const ExecuteResult& result, const Beside& beside) {
  JsonObject wrapper;
  wrapper.json("envelope", to_json(result.envelope))
      .text("deviceId", result.device_id)
      .text("terminalSource", "clawperator_result")
      .boolean("isCanonicalTerminal", true);
  if (result.backend == Backend::shell) wrapper.text("backend", "shell");
  if (beside.timings) wrapper.json("timings", timings_json(result));
  if (beside.route) wrapper.json("route", route_json(result));
  std::string json = wrapper.str();
  if (!beside.more.empty())
    json.replace(json.size() - 1, 1, "," + std::string(beside.more.substr(1)));
  return json;
}

std::string validated_json(const Execution& execution) {
  return JsonObject()
      .boolean("ok", true)
      .boolean("validated", true)
      .json("execution", to_json(execution))
      .str();
}

std::string planned_json(const Execution& execution) {
  return JsonObject()
      .boolean("ok", true)
      .boolean("dryRun", true)
      .json("plan", plan_json(execution))
      .str();
}

}  // namespace clawperator::act
