#include <filesystem>

#include "base/error_members.hpp"
#include "base/files.hpp"
#include "base/json_document.hpp"
#include "base/json_text.hpp"
#include "base/system/output_file.hpp"
#include "cli/commands/commands.hpp"
#include "cli/dispatch.hpp"
#include "cli/limited_task.hpp"
#include "cli/output.hpp"
#include "cli/pretty/pretty_printer.hpp"
#include "cli/run_task.hpp"
#include "cli/settings.hpp"
#include "runtime/host/errc.hpp"
#include "runtime/host/recording/export_json.hpp"
#include "runtime/host/recording/recording_files.hpp"

namespace clawperator::cli {
namespace {

namespace fs = std::filesystem;

// kMaxRecordingBytes (256 MiB) arrives in this time at half a MiB a second.
constexpr std::chrono::milliseconds kPullLimit = std::chrono::minutes(10);

constexpr std::array kSessionOptions{Option{"--session-id", "", Arity::one, "<id>",
                                            "the recording's name; letters, digits, _ and -"}};

// The path of an option; nullopt when it is absent, USAGE when it is empty.
Result<std::optional<fs::path>> path_option(const Arguments& arguments, std::string_view flag) {
  const std::string* value = arguments.value(flag);
  if (!value) return std::nullopt;
  if (value->empty()) return fail(errc::usage, std::string(flag) + " requires a value");
  TRY_VOID(check_path_length(flag, *value));
  return fs::path(*value);
}

Result<fs::path> input_option(const Invocation& invocation) {
  TRY(auto input, path_option(invocation.arguments, "--input"));
  if (input) return *std::move(input);
  return fail(errc::usage, "--input is required. Usage: clawperator " +
                               std::string(invocation.command->name) + " " +
                               std::string(invocation.command->usage));
}

// The output must not replace the file that it is made from.
Result<void> keep_apart(const fs::path& output, const fs::path& input) {
  std::error_code ignored;
  if (!fs::equivalent(output, input, ignored)) return ok();
  return fail(errc::usage, "--out names the recording itself: " + output.string());
}

Result<Recording> read_recording(const fs::path& file, Errc unreadable) {
  auto text = read_file(file, kMaxRecordingBytes);
  if (!text) return fail(unreadable, text.error().message());
  return parse_recording(*text);
}

Result<void> write_result(const fs::path& file, std::string_view text, Errc unwritable) {
  const auto written = run_task(write_output(file, text));
  if (!written) return fail(unwritable, written.error().message());
  return ok();
}

std::optional<std::string> session_id(const Invocation& invocation) {
  const std::string* id = invocation.arguments.value("--session-id");
  return id ? std::optional(*id) : std::nullopt;
}

Result<Action> start_from(const Invocation& invocation) {
  return StartRecording{session_id(invocation)};
}

Result<Action> stop_from(const Invocation& invocation) {
  return StopRecording{session_id(invocation)};
}

Task<PulledRecording> pull_from(TargetOptions target, PullRecording wanted) {
  CO_TRY(const auto device, co_await resolve_device(std::move(target)));
  co_return co_await pull_recording(device.get(), std::move(wanted));
}

Result<Answer> run_pull(const Invocation& invocation) {
  PullRecording wanted{.operator_package = operator_package(invocation.globals)};
  if (const std::string* id = invocation.arguments.value("--session-id")) {
    TRY_VOID(check_session_id(*id));
    wanted.session_id = *id;
  }
  TRY(const auto folder, path_option(invocation.arguments, "--out"));
  wanted.folder = folder.value_or("./recordings/");
  TRY(const TimeLimit limit, time_limit(invocation.globals));
  TRY(const PulledRecording pulled,
      run_task(within(pull_from(invocation.globals.target, std::move(wanted)),
                      limit.value_or(kPullLimit), "pulling the recording")));
  JsonObject json;
  json.boolean("ok", true).text("localPath", pulled.local_path.string());
  return Answer{.json = json.text("sessionId", pulled.session_id).str()};
}

Result<Answer> run_parse(const Invocation& invocation) {
  TRY(const fs::path input, input_option(invocation));
  TRY(const auto out, path_option(invocation.arguments, "--out"));
  const fs::path output = out.value_or(output_beside(input, ".steps.json"));
  TRY_VOID(keep_apart(output, input));
  TRY(const Recording recording, read_recording(input, errc::file_unreadable));
  TRY_VOID(write_result(output, indent_json(steps_json(recording)), errc::file_write_failed));
  if (const std::string lines = step_lines(recording); !lines.empty()) {
    print_warning(lines);
  }
  JsonObject json;
  json.boolean("ok", true)
      .text("outputFile", output.string())
      .number("stepCount", static_cast<std::int64_t>(steps_of(recording).size()));
  if (!recording.warnings.empty()) json.strings("warnings", recording.warnings);
  return Answer{.json = json.str()};
}

struct ExportPlan {
  fs::path recording;
  fs::path json;
  Snapshots snapshots = Snapshots::include;
};

Result<ExportPlan> plan_export(const Invocation& invocation) {
  const Arguments& arguments = invocation.arguments;
  TRY(const fs::path input, input_option(invocation));
  TRY(const auto out, path_option(arguments, "--out"));
  ExportPlan plan;
  TRY(plan.recording, find_recording(input));
  plan.json = out.value_or(output_beside(plan.recording, ".export.json"));
  const std::string* snapshots = arguments.value("--snapshots");
  if (snapshots && *snapshots == "omit") plan.snapshots = Snapshots::omit;
  TRY_VOID(keep_apart(plan.json, plan.recording));
  return plan;
}

Answer export_answer(const ExportPlan& plan, const Recording& recording, std::size_t pictures) {
  JsonObject json;
  json.boolean("ok", true)
      .text("outputFile", plan.json.string())
      .text("sessionId", recording.session_id)
      .number("eventCount", static_cast<std::int64_t>(recording.events.size()))
      .number("stepCount", static_cast<std::int64_t>(steps_of(recording).size()))
      .text("snapshots", plan.snapshots == Snapshots::include ? "include" : "omit")
      .number("screenshotCount", static_cast<std::int64_t>(pictures));
  if (!recording.warnings.empty()) json.strings("warnings", recording.warnings);
  return Answer{.json = json.str()};
}

Result<Answer> run_export(const Invocation& invocation) {
  TRY(const ExportPlan plan, plan_export(invocation));
  TRY(Recording recording, read_recording(plan.recording, errc::recording_export_failed));
  const auto [pictures, warnings] = read_pictures(recording, plan.recording);
  recording.warnings.insert(recording.warnings.end(), warnings.begin(), warnings.end());
  TRY_VOID(write_result(plan.json, export_json(recording, pictures, plan.snapshots),
                        errc::recording_export_failed));
  return export_answer(plan, recording, pictures.size());
}

constexpr std::array kPullOptions =
    join(kSessionOptions, std::array{Option{"--out", "", Arity::one, "<folder>",
                                            "the target folder; default recordings"}});

constexpr std::array kParseOptions{
    Option{"--input", "", Arity::one, "<file>", "the recording, an .ndjson file"},
    Option{"--out", "", Arity::one, "<file>",
           "the output; default: the input's name with .steps.json"},
};

constexpr std::array kExportOptions{
    Option{"--input", "", Arity::one, "<file|folder>",
           "the recording, or a folder with one (or with a file `latest` that names one)"},
    Option{"--out", "", Arity::one, "<file>",
           "the output; default: the recording's name with .export.json"},
    Option{"--snapshots", "", Arity::one, "<omit|include>",
           "include or omit the UI tree before each event; default include", "omit include"},
};

constexpr Command kRecordingStart = {
    .name = "recording start",
    .usage = "[--session-id <id>]",
    .summary = "Start recording the user's actions on the phone",
    .details = "Without --session-id the phone generates one: data.sessionId.",
    .examples = "recording start --session-id login\n",
    .options = kSessionOptions,
    .run = run_verb<start_from>};

constexpr Command kRecordingStop = {.name = "recording stop",
                                    .usage = "[--session-id <id>]",
                                    .summary = "End the recording",
                                    .examples = "recording stop\n",
                                    .options = kSessionOptions,
                                    .run = run_verb<stop_from>};

constexpr Command kPull = {
    .name = "recording pull",
    .usage = "[--session-id <id>] [--out <folder>]",
    .summary = "Fetch a recording from the phone",
    .details = "Without --session-id it is the recording that was stopped last.",
    .examples = "recording pull\nrecording pull --session-id login --out flows\n",
    .options = kPullOptions,
    .run = run_pull};

constexpr Command kParse = {.name = "recording parse",
                            .usage = "--input <file> [--out <file>]",
                            .summary = "Convert a recording into steps that can be replayed",
                            .details =
                                "The first window change becomes open_app, each click a click. "
                                "Each step contains the UI tree\n"
                                "before it. stderr lists the steps.",
                            .examples = "recording parse --input recordings/login.ndjson\n",
                            .reach = Reach::host,
                            .options = kParseOptions,
                            .run = run_parse};

constexpr Command kExport = {
    .name = "recording export",
    .usage = "--input <file|folder> [--out <file>] [--snapshots omit|include]",
    .summary = "Export a recording as one self-contained JSON document",
    .details =
        "The JSON contains every event in order, the steps (a step's UI tree is the snapshot of\n"
        "the event with its seq), the warnings, and the screenshots beside the recording:\n"
        "<sessionId>-<seq>.png, each taken before the event of that seq. Limits: 256 MiB and\n"
        "100000 events for a recording, 128 MiB for all its screenshots. The recording and the\n"
        "output are held in memory.",
    .examples =
        "recording export --input recordings/login.ndjson\n"
        "recording export --input recordings --snapshots omit --out login.json\n",
    .reach = Reach::host,
    .options = kExportOptions,
    .run = run_export};

constexpr std::array<const Command*, 5> kRecordingSubcommands{&kRecordingStart, &kRecordingStop,
                                                              &kPull, &kParse, &kExport};

}  // namespace

constinit const Command kRecording = {.name = "recording",
                                      .synonyms = "record",
                                      .usage = "start|stop|pull|parse|export",
                                      .summary = "Record a person's actions on the phone as steps",
                                      .details = "'record' is an alias.",
                                      .examples =
                                          "recording start\n"
                                          "recording stop\n"
                                          "recording pull\n"
                                          "recording parse --input recordings/<id>.ndjson\n",
                                      .reach = Reach::host,
                                      .subcommands = kRecordingSubcommands};

}  // namespace clawperator::cli
