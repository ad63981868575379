#include "base/error_members.hpp"
#include "cli/argument_checks.hpp"
#include "cli/commands/commands.hpp"
#include "cli/dispatch.hpp"
#include "cli/grammar/errc.hpp"
#include "cli/output.hpp"
#include "cli/payload.hpp"
#include "cli/screen_options.hpp"
#include "cli/selector.hpp"
#include "runtime/engine/log_pieces.hpp"

namespace clawperator::cli {
namespace {

constexpr auto kExecOptions = join(
    kVerifyOptions, kPatienceOption,
    std::array{
        Option{"--payload", "--execution --input --file", Arity::one, "<json-or-file>",
               "the execution, instead of the positional; `-` is stdin", "", OnMissing::command},
        Option{"--validate-only", "--validate", Arity::none, "",
               "print the canonical execution and do nothing"},
        Option{"--dry-run", "", Arity::none, "", "print the plan and do nothing"},
        Option{"--format", "", Arity::one, "<xml|compact|nodes>",
               "the form of the plan's trees; default xml, with --output brief compact",
               "xml compact nodes"},
        Option{"--stream", "", Arity::none, "",
               "print the device's events about its steps as NDJSON before the result"},
        Option{"--goal", "", Arity::one, "<text>", "only for best-effort", "", OnMissing::command},
        Option{"--settle", "", Arity::one, "<ms>",
               "how long the screen may change before --verify checks it, or must be still; "
               "default 300"},
    });

Result<Answer> best_effort(const Arguments& arguments) {
  ErrorMembers members;
  if (const std::string* goal = arguments.value("--goal")) members.text("goal", *goal);
  return fail(errc::not_implemented,
              "exec best-effort is not implemented: the agent controls the loop. Observe with "
              "snapshot, act with exec.",
              members.empty() ? "" : members.str());
}

Result<std::string> payload_source(const Arguments& arguments) {
  TRY_VOID(check_given_once(arguments, "--payload"));
  const auto& positionals = arguments.positionals();
  const std::string* flag = arguments.value("--payload");
  if (flag && !positionals.empty()) {
    return validation_error(
        "exec: pass the payload as a positional argument or via --payload, not both.");
  }
  if (flag) return *flag;
  if (!positionals.empty()) return positionals.front();
  return fail(errc::missing_argument,
              "exec requires a payload. Use: clawperator exec <json-or-file> or "
              "clawperator exec --payload <json-or-file>");
}

// After a timeout the reader gets only the result: a signal must not wait for a reader that hangs.
class StreamLines {
 public:
  [[nodiscard]] bool is_silent() const { return !has_printed_; }
  void print_event(std::string_view text);
  void print_stage(const Stage& stage);

 private:
  void print(const JsonObject& line) {
    constexpr std::chrono::milliseconds kLinePatience{5000};  // then it gets only the result
    has_printed_ = true;
    is_read_ = is_read_ && write_patiently(Stream::out, line.str() + "\n", kLinePatience);
  }

  bool has_printed_ = false;
  bool is_read_ = true;
};

void StreamLines::print_event(std::string_view text) {
  print(JsonObject().text("event", "clawperator:event").text("data", text));
}

void StreamLines::print_stage(const Stage& stage) {
  JsonObject data;
  data.text("stage", stage.name);
  data.text("operation", stage.operation);
  if (!stage.detail.empty()) data.text("detail", stage.detail);
  print(JsonObject().text("event", "clawperator:stage").object("data", data));
}

Result<Answer> run_exec(const Invocation& invocation) {
  const Arguments& arguments = invocation.arguments;
  if (!arguments.positionals().empty() && arguments.positionals().front() == "best-effort") {
    return best_effort(arguments);
  }
  if (arguments.has("--goal")) {
    return fail(errc::usage, "unrecognized flag '--goal'");
  }
  TRY(const std::string source, payload_source(arguments));
  TRY(const std::string json, read_payload(source));
  if (!arguments.has("--verify") && arguments.has("--settle")) {
    return fail(errc::usage, "--settle requires --verify");
  }
  TRY(act::Request request, request_for(invocation, act::Payload{json}));
  TRY(auto planned, answer_without_device(arguments, request));
  if (planned) return *std::move(planned);
  const auto format = tree_format(invocation);
  request.how.ask_screen_size = format == act::TreeFormat::compact;
  StreamLines lines;
  if (arguments.has("--stream")) {
    request.how.on_event = [&lines](std::string_view text) { lines.print_event(text); };
    request.how.on_stage = [&lines](const Stage& stage) { lines.print_stage(stage); };
  }
  act::Outcome outcome = perform(invocation.globals, std::move(request));
  if (!outcome.result) return std::unexpected(outcome.result.error());
  if (format) show_trees(*outcome.result, *format);
  if (arguments.has("--stream") && lines.is_silent()) {
    print_warning(
        "[clawperator] WARN: --stream: this Operator app sends no events about its steps; only the "
        "result is printed.");
  }
  return answer_for(invocation, outcome);
}

}  // namespace

constinit const Command kExec = {
    .name = "exec",
    .synonyms = "execute",
    .usage = "<json-or-file> [--format xml|compact|nodes] [--validate-only | --dry-run] [--stream]",
    .summary = "Run an execution: an ordered list of actions",
    .details =
        "The payload is JSON, a file, or `-` for stdin. `exec best-effort --goal <text>` is\n"
        "reserved: it returns NOT_IMPLEMENTED. Its limits would be 30 steps, 180000 ms and 5\n"
        "failed attempts in a row.",
    .examples =
        "exec plan.json\n"
        "exec --validate-only --payload '{\"commandId\":\"c1\",\"taskId\":\"t1\",\"source\":\"me\","
        "\"expectedFormat\":\"android-ui-automator\",\"timeoutMs\":30000,"
        "\"actions\":[{\"id\":\"s\",\"type\":\"snapshot_ui\"}]}'\n"
        "exec - < plan.json\n",
    .options = kExecOptions,
    .run = run_exec,
    .most_words = 1,
    .kind = Kind::payload};

}  // namespace clawperator::cli
