#include "adbproto/client/sync_requests.hpp"

namespace adbproto {
namespace {

constexpr auto kAnswerLimit = std::chrono::seconds(30);  // without a byte
constexpr std::size_t kQuestionsAtOnce = 64;
constexpr std::uint32_t kNoEntry = 2;
constexpr std::size_t kMaxListing = 32 << 20;

// v1: what a link leads to if "link/" was no directory. Its size is not known.
SyncStat through_link(const SyncStat& target, SyncStat own) {
  if (kind_of(target.mode) == FileKind::directory) return target;
  own.mode = 0100644;
  own.size = 0;
  return own;
}

}  // namespace

Task<SyncChannel*> SyncRequests::channel() {
  if (!channel_ || channel_->is_broken()) {
    CO_TRY(channel_, co_await SyncChannel::open(device_));
  }
  co_return channel_.get();
}

SyncId SyncRequests::list_id() const { return has("ls_v2") ? SyncId::list_v2 : SyncId::list; }
SyncAnswerTo SyncRequests::list_answer() const {
  return has("ls_v2") ? SyncAnswerTo::list_v2 : SyncAnswerTo::list;
}
SyncAnswerTo SyncRequests::stat_answer() const {
  return has("stat_v2") ? SyncAnswerTo::stat_v2 : SyncAnswerTo::stat;
}

Task<SyncStat> SyncRequests::lstat(std::string path) {
  const SyncId id = has("stat_v2") ? SyncId::lstat_v2 : SyncId::stat;
  co_return co_await ask_stat(id, std::move(path));
}

Task<SyncStat> SyncRequests::stat(std::string path) {
  if (has("stat_v2")) co_return co_await ask_stat(SyncId::stat_v2, std::move(path));
  CO_TRY(const SyncStat own, co_await ask_stat(SyncId::stat, path));
  if (kind_of(own.mode) != FileKind::link) co_return own;
  CO_TRY(const SyncStat target, co_await ask_stat(SyncId::stat, path + "/"));
  co_return through_link(target, own);
}

Task<SyncStat> SyncRequests::ask_stat(SyncId id, std::string path) {
  CO_TRY(auto* const open, co_await channel());
  SyncStat stat;
  CO_TRY_VOID(
      co_await open->run(ask(id, stat_answer(), std::move(path)), take_stat(&stat), kAnswerLimit));
  co_return stat;
}

Task<std::vector<SyncStat>> SyncRequests::lstats(std::vector<std::string> paths) {
  CO_TRY(auto* const open, co_await channel());
  std::vector<SyncStat> stats;
  CO_TRY_VOID(
      co_await open->run(ask_lstats(&paths), take_stats(&stats, paths.size()), kAnswerLimit));
  co_return stats;
}

Task<std::vector<SyncEntry>> SyncRequests::list(std::string path) {
  CO_TRY(auto* const open, co_await channel());
  std::vector<SyncEntry> entries;
  std::size_t held = 0;
  const OnEntry keep = [&](SyncEntry entry) -> Result<void> {
    held += sizeof(SyncEntry) + entry.name.size();
    if (held > kMaxListing) return fail(errc::limit, "folder is too large");
    entries.push_back(std::move(entry));
    return ok();
  };
  CO_TRY_VOID(co_await open->run(ask(list_id(), list_answer(), std::move(path)), take_list(keep),
                                 kAnswerLimit));
  co_return entries;
}

Task<void> SyncRequests::complete(PullPlan* plan) {
  for (;;) {
    const auto questions = plan->questions(kQuestionsAtOnce);
    if (questions.empty()) co_return ok();
    CO_TRY(auto* const open, co_await channel());
    CO_TRY_VOID(co_await open->run(ask_all(&questions), take_all(&questions, plan), kAnswerLimit));
  }
}

Task<void> SyncRequests::ask(SyncId id, SyncAnswerTo answer, std::string path) {
  CO_TRY(const Bytes request, encode_sync_request(id, path));
  channel_->expect(answer);
  co_return co_await channel_->write(request);
}

Task<void> SyncRequests::ask_lstats(const std::vector<std::string>* paths) {
  Bytes batch;
  for (const std::string& path : *paths) {
    if (!channel_->window().may_send()) {
      CO_TRY_VOID(co_await channel_->write(std::exchange(batch, {})));
      CO_TRY_VOID(co_await channel_->wait_for_room());
    }
    CO_TRY(const Bytes request,
           encode_sync_request(has("stat_v2") ? SyncId::lstat_v2 : SyncId::stat, path));
    append(batch, request);
    channel_->expect(stat_answer());
    channel_->sent(request.size());
  }
  co_return co_await channel_->write(batch);
}

Task<void> SyncRequests::ask_all(const std::vector<Question>* questions) {
  Bytes batch;
  const bool v2 = has("stat_v2");
  for (const Question& question : *questions) {
    const bool list = question.kind == Question::Kind::list;
    const SyncId id = list ? list_id() : v2 ? SyncId::stat_v2 : SyncId::stat;
    const std::string path = list || v2 ? question.remote : question.remote + "/";
    CO_TRY(const Bytes request, encode_sync_request(id, path));
    append(batch, request);
    channel_->expect(list ? list_answer() : stat_answer());
  }
  co_return co_await channel_->write(batch);
}

Task<void> SyncRequests::take_stat(SyncStat* into) {
  CO_TRY(const SyncResponse answer, co_await channel_->next());
  if (answer.kind == SyncResponse::Kind::fail) co_return fail(errc::refused, answer.text);
  *into = answer.stat;
  if (!has("stat_v2") && into->mode == 0) into->error = kNoEntry;
  co_return ok();
}

Task<void> SyncRequests::take_stats(std::vector<SyncStat>* into, std::size_t count) {
  while (into->size() < count) {
    CO_TRY_VOID(co_await take_stat(&into->emplace_back()));
    channel_->answered();
  }
  co_return ok();
}

Task<void> SyncRequests::take_list(OnEntry on_entry) {
  for (;;) {
    CO_TRY(SyncResponse answer, co_await channel_->next());
    if (answer.kind == SyncResponse::Kind::fail) co_return fail(errc::refused, answer.text);
    if (answer.last()) co_return ok();
    CO_TRY_VOID(on_entry({answer.stat, std::move(answer.text)}));
  }
}

Task<void> SyncRequests::take_all(const std::vector<Question>* questions, PullPlan* plan) {
  for (const Question& question : *questions) {
    if (question.kind == Question::Kind::stat) {
      SyncStat stat;
      CO_TRY_VOID(co_await take_stat(&stat));
      CO_TRY_VOID(plan->on_stat(has("stat_v2") ? stat : through_link(stat, {})));
      continue;
    }
    CO_TRY_VOID(co_await take_list([plan](const SyncEntry& each) { return plan->on_entry(each); }));
    plan->on_list_end();
  }
  co_return ok();
}

}  // namespace adbproto
