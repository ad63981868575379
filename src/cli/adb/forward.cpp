#include "cli/adb/forward.hpp"

#include "adbproto/client/forward.hpp"
#include "base/number.hpp"
#include "cli/adb/context.hpp"

namespace clawperator::cli {
namespace {

using PlanKind = ForwardPlan::Kind;

constexpr std::string_view kSource = "source";

std::unexpected<Error> usage(std::string message) { return fail(errc::usage, std::move(message)); }

// adb checks the port of a tcp: spec before it sends a request; the range is checked by its
// server.
Result<void> check_port(std::string_view spec, std::string_view side, int least) {
  if (!spec.starts_with("tcp:")) return {};
  const auto digits = spec.substr(spec.rfind(':') + 1);
  const auto port = whole_number<int>(digits);
  if (port && *port >= least && *port <= 0xffff) return {};
  if (port && *port > 0xffff && side == kSource) {
    return usage("error: cannot bind listener: bad port number '" + std::string(digits) + "'");
  }
  return usage("error: Invalid " + std::string(side) + " port: '" + std::string(digits) + "'");
}

Result<ForwardPlan> add(std::span<const std::string> words, Rebind rebind) {
  TRY_VOID(check_port(words[0], kSource, 0));
  TRY_VOID(check_port(words[1], "destination", 1));
  // The service string separates the pair with a semicolon, and adbd reserves a leading '*'.
  if (words[0].empty() || words[1].empty() || words[0].contains(';') || words[1][0] == '*') {
    return usage("error: bad forward: " + words[0] + ";" + words[1]);
  }
  return ForwardPlan{.kind = PlanKind::add, .from = words[0], .to = words[1], .rebind = rebind};
}

int forward_failed(const Error& error) {
  if (error.code() == errc::cancelled) return 1;
  return adb_failed("error: " + error.message());
}

void print_port(std::string_view port) {
  if (!port.empty()) print_out(std::string(port) + "\n");
}

void print_stay(const ForwardPlan& plan) {
  print_err("adb: no adb server holds the device: " + plan.from + " -> " + plan.to +
            " lasts as long as this process\n");
}

// Forwards of an adb server. A FAIL without a message is about the choice of device.
Task<int> change_at_server(AdbContext* context, ServerClient server, ForwardPlan plan) {
  std::string verb = "killforward-all";
  if (plan.kind == PlanKind::remove) verb = kill_forward(plan.from);
  if (plan.kind == PlanKind::add) verb = forward(plan.from, plan.to, plan.rebind);
  const auto port = co_await server.change_forwards(choice_of(*context), std::move(verb));
  if (!port) co_return forward_failed(port.error());
  print_port(*port);
  co_return 0;
}

Task<int> list_at_server(AdbContext* context, std::optional<ServerClient> server) {
  std::string list;
  if (server) {
    auto text = co_await server->query(choice_of(*context), "list-forward");
    if (!text) co_return query_failed(text.error());
    list = *std::move(text);
  }
  print_out(list + "\n");
  co_return 0;
}

Task<int> forward_directly(Device* device, ForwardPlan plan) {
  const auto forward =
      Forward::listen(co_await asio::this_coro::executor, device, plan.from, plan.to);
  if (!forward) {
    co_return adb_failed("error: cannot bind listener: " + forward.error().message());
  }
  if ((*forward)->port() != 0) print_port(std::to_string((*forward)->port()));
  print_stay(plan);
  const auto ended = co_await (*forward)->serve();
  co_return ended ? 0 : forward_failed(ended.error());
}

// Forwards without a server belong to other processes, so there is none to remove here.
Task<int> change_without_server(Device* device, ForwardPlan plan) {
  if (plan.kind == PlanKind::add) co_return co_await forward_directly(device, std::move(plan));
  if (plan.kind == PlanKind::remove_all) co_return 0;
  co_return adb_failed("error: listener '" + plan.from + "' not found");
}

Task<int> reverse_directly(Device* device, ForwardPlan plan) {
  const auto reverse = co_await Reverse::start(device, plan.from, plan.to, plan.rebind);
  if (!reverse) co_return forward_failed(reverse.error());
  print_port((*reverse)->port());
  print_stay(plan);
  const auto ended = co_await (*reverse)->serve();
  co_return ended ? 0 : forward_failed(ended.error());
}

std::string reverse_service(const ForwardPlan& plan) {
  switch (plan.kind) {
    case PlanKind::list: return reverse_list();
    case PlanKind::remove_all: return reverse_kill_all();
    case PlanKind::remove: return reverse_kill(plan.from);
    case PlanKind::add: break;
  }
  return reverse_forward(plan.from, plan.to, plan.rebind);
}

}  // namespace

Result<ForwardPlan> parse_forward(std::string_view name, std::span<const std::string> words) {
  if (words.empty()) return usage(std::string(name) + " requires an argument");
  const std::string& first = words[0];
  if (first == "--list" || first == "--remove-all") {
    if (words.size() != 1) return usage(first + " doesn't take any arguments");
    return ForwardPlan{.kind = first == "--list" ? PlanKind::list : PlanKind::remove_all};
  }
  if (first == "--remove") {
    if (words.size() != 2 || words[1].empty()) return usage("--remove requires an argument");
    return ForwardPlan{.kind = PlanKind::remove, .from = words[1]};
  }
  if (first == "--no-rebind") {
    if (words.size() != 3) return usage("--no-rebind takes two arguments");
    return add(words.subspan(1), Rebind::no);
  }
  if (words.size() != 2)
    return usage("forward takes two arguments");  // adb prints this for reverse, too
  return add(words, Rebind::yes);
}

Task<int> adb_forward(AdbContext* context, AdbWords arguments) {
  CO_TRY(const auto plan, parse_forward("forward", arguments));
  auto server = co_await find_adb_server(context);
  if (!server) co_return forward_failed(server.error());
  if (plan.kind == PlanKind::list) co_return co_await list_at_server(context, *server);
  const auto device = co_await open_adb_device(context);
  if (!device) co_return forward_failed(device.error());
  if (*server && (*device)->route() == "server") {
    co_return co_await change_at_server(context, **server, plan);
  }
  co_return co_await change_without_server(device->get(), plan);
}

Task<int> adb_reverse(AdbContext* context, AdbWords arguments) {
  CO_TRY(const auto plan, parse_forward("reverse", arguments));
  const bool lists = plan.kind == PlanKind::list;
  const auto device = co_await open_adb_device(context);
  if (!device) co_return lists ? query_failed(device.error()) : forward_failed(device.error());
  if (plan.kind == PlanKind::add && (*device)->route() != "server") {
    co_return co_await reverse_directly(device->get(), plan);
  }
  const auto answer = co_await query_reverse(device->get(), reverse_service(plan));
  if (!answer) co_return lists ? query_failed(answer.error()) : forward_failed(answer.error());
  if (lists)
    print_out(*answer + "\n");
  else
    print_port(*answer);
  co_return 0;
}

}  // namespace clawperator::cli
