#include "simdroid/operator/operator_app.hpp"

#include <algorithm>

#include "simdroid/operator/operator_run.hpp"

namespace simdroid {
namespace {

constexpr std::size_t kMaxWaiting = 256;

}  // namespace

OperatorApp::OperatorApp(UiWorld* world, FileMap* files, OperatorOptions options)
    : world_(world),
      options_(std::move(options)),
      names_(names_of_package(options_.package)),
      can_(capabilities_of(options_.version)),
      jitter_(options_.seed),
      recorder_(world, files, options_.wall_offset_ms) {
  if (names_ == nullptr) names_ = &operator_names().front();
}

OperatorApp::~OperatorApp() = default;

Progress OperatorApp::receive(std::string_view payload, Time now) {
  run_until(now);
  const auto note = [&](char priority, std::string message) {
    log_.push_back({now_,
                    LogKind::progress,
                    priority,
                    can_.readable_tags ? "OperatorCommandReceiver" : "m",
                    "[Operator-Receiver] " + std::move(message),
                    {},
                    {}});
  };
  if (payload.find_first_not_of(" \t\r\n") == std::string_view::npos) {
    note('W', "Ignoring command with blank payload");
    return advance(now);
  }
  if (runs_.size() >= kMaxWaiting) {
    note('E', "Too many commands are waiting");
    return advance(now);
  }
  auto command = parse_command(payload, can_);
  if (!command) {
    note('E', "Failed to parse agent command: " + command.error().message());
    return advance(now);
  }
  if (!facts_.accessibility) {
    log_.push_back(
        {now_, LogKind::envelope, 'I', log_tag(LogKind::envelope, can_),
         envelope_line(*names_, *command, {},
                       {"Accessibility service is not available", "SERVICE_UNAVAILABLE"}),
         command->command_id, command->task_id, true});
    return advance(now);
  }
  ActionContext context{.world = world_,
                        .facts = &facts_,
                        .recorder = &recorder_,
                        .jitter = &jitter_,
                        .timeline = nullptr,
                        .latencies = &options_.latencies,
                        .package = options_.package,
                        .can = &can_,
                        .log = {}};
  runs_.push_back(
      std::make_unique<OperatorRun>(*std::move(command), std::move(context), names_, now_));
  if (runs_.size() > 1) {
    runs_.back()->queued();
    collect(*runs_.back());
  }
  return advance(now);
}

Progress OperatorApp::advance(Time now) {
  run_until(now);
  Progress progress{std::exchange(log_, {}), std::nullopt};
  for (const auto& run : runs_) {
    if (!progress.wake_at || run->wake_at() < *progress.wake_at) progress.wake_at = run->wake_at();
  }
  return progress;
}

// Handles events in the order of their times, so that a late caller gets the same sequence.
void OperatorApp::run_until(Time now) {
  now = std::max(now, now_);
  while (!runs_.empty()) {
    if (!runs_.front()->begun()) {
      runs_.front()->begin(now_);
      collect(*runs_.front());
    }
    const auto next =
        std::min_element(runs_.begin(), runs_.end(), [](const auto& a, const auto& b) {
          return (a->done() ? Time::min() : a->wake_at()) <
                 (b->done() ? Time::min() : b->wake_at());
        });
    OperatorRun& run = **next;
    if (!run.done()) {
      if (run.wake_at() > now) break;
      now_ = std::max(now_, run.wake_at());
      world_->advance(now_);
      run.advance(now_);
      collect(run);
    }
    if (run.done()) runs_.erase(next);
  }
  now_ = now;
  world_->advance(now_);
}

void OperatorApp::collect(OperatorRun& run) {
  auto log = run.take_log();
  log_.insert(log_.end(), std::make_move_iterator(log.begin()), std::make_move_iterator(log.end()));
}

void OperatorApp::kill() { runs_.clear(); }

}  // namespace simdroid
