#include "runtime/act/seen.hpp"

#include <algorithm>
#include <sstream>

#include "base/async/blocking.hpp"
#include "base/text.hpp"
#include "runtime/device/choice/choice.hpp"
#include "runtime/device/resolver/resolver.hpp"
#include "runtime/engine/post_process.hpp"
#include "runtime/ui/hierarchy.hpp"

namespace clawperator::act {
namespace {

// A model's context holds no more pages. The store holds twice as many.
constexpr std::size_t kPages = 16;

std::vector<std::string> split_hashes(std::string_view joined) {
  std::vector<std::string> hashes;
  if (joined.empty()) return hashes;
  for (const std::string_view hash : split(joined, ' ')) hashes.emplace_back(hash);
  return hashes;
}

// The names of the target's device; one phone may be attached in several ways. Empty where several
// phones are ready, because then the target is not decided.
Task<std::vector<std::string>> names_of(Executor* executor, TargetOptions target) {
  std::vector<std::string> names;
  if (auto named = question_of(target).serial) {
    names.push_back(*std::move(named));
    co_return names;
  }
  CO_TRY(const auto rows, co_await executor->devices());
  const std::string* identity = nullptr;
  for (const DeviceRow& row : rows) {
    if (row.state != State::device) continue;
    if (identity && (identity->empty() || *identity != row.identity)) {
      co_return std::vector<std::string>();
    }
    identity = &row.identity;
    names.push_back(row.serial);
  }
  co_return names;
}

}  // namespace

Task<std::optional<SnapshotStore::Shown>> shown_last(const Seen* seen, Executor* executor,
                                                     TargetOptions target) {
  if (seen->by == Seen::By::user) co_return seen->store.last_shown(question_of(target).serial);
  if (seen->by == Seen::By::anyone) co_return std::nullopt;
  CO_TRY(const auto names, co_await names_of(executor, std::move(target)));
  const auto hash = seen->shown->first_of(names);
  if (!hash) co_return std::nullopt;
  co_return SnapshotStore::Shown{.serial = {}, .hash = *hash};
}

Task<std::string> app_in_front(const Seen* seen, Executor* executor, TargetOptions target) {
  if (!seen->in_front) co_return std::string();
  CO_TRY(const auto names, co_await names_of(executor, std::move(target)));
  co_return seen->in_front->first_of(names).value_or("");
}

std::vector<std::string> read_of(const Seen& seen, const std::string& device) {
  if (seen.by == Seen::By::connection) return split_hashes(seen.read->of(device).value_or(""));
  const auto last = shown_last_of(seen, device);
  return last ? std::vector{*last} : std::vector<std::string>();
}

std::optional<std::string> last_read_of(const Seen& seen, const std::string& device) {
  const auto read = read_of(seen, device);
  return read.empty() ? std::nullopt : std::optional(read.front());
}

std::optional<std::string> shown_last_of(const Seen& seen, const std::string& device) {
  if (seen.by == Seen::By::anyone) return std::nullopt;
  if (seen.by == Seen::By::connection) return seen.shown->of(device);
  const auto shown = seen.store.last_shown(device);
  return shown ? std::optional(shown->hash) : std::nullopt;
}

Task<std::optional<UiTree>> held_tree(const Seen* seen, std::optional<std::string> hash) {
  const auto xml = hash ? seen->store.find(*hash) : std::nullopt;
  if (!xml) co_return std::nullopt;
  auto tree =
      co_await run_blocking_if(xml->size() > kHoldsUpLoop, [&] { return parse_hierarchy(*xml); });
  if (!tree) co_return std::nullopt;
  co_return *std::move(tree);
}

void note_shown(const Seen& seen, const ExecuteResult& result, const std::string& hash,
                ShownAs as) {
  if (seen.by == Seen::By::user) {
    return seen.store.note_shown(result.device_id, own_name(result), hash);
  }
  if (seen.shown) seen.shown->note(result.device_id, own_name(result), hash);
  if (seen.read && as == ShownAs::whole_text) {
    auto hashes = read_of(seen, own_name(result));
    std::erase(hashes, hash);
    hashes.insert(hashes.begin(), hash);
    if (hashes.size() > kPages) hashes.resize(kPages);
    seen.read->note(result.device_id, own_name(result), joined(hashes, " "));
  }
  seen.store.note_showing(result.device_id, own_name(result), hash);
}

namespace {

// A difference from a screen that the caller has not read is no screen to read.
ShownAs shown_as(const StepResult& step, const std::optional<std::string>& since,
                 const std::vector<std::string>& read, std::size_t most) {
  const std::string* text = find_data(step.data, "text");
  const std::string* format = find_data(step.data, "actual_format");
  const bool has_base = since && std::ranges::find(read, *since) != read.end();
  const bool is_text = text && format && text->size() <= most && *format != "hierarchy_xml" &&
                       (*format != "diff" || has_base);
  return is_text ? ShownAs::whole_text : ShownAs::part;
}

}  // namespace

Task<void> show(const Seen* seen, ExecuteResult* result, StepResult* step, SnapshotRequest wanted,
                std::size_t most) {
  const auto read = read_of(*seen, own_name(*result));
  const bool has_base = wanted.since && wanted.since->tree;
  const auto since = has_base ? std::optional(wanted.since->tree->hash) : std::nullopt;
  CO_TRY(const std::string app, co_await run_blocking_if(is_large(result->envelope), [&] {
           return render_step(*step, wanted, result->screen, seen->store);
         }));
  const std::string* hash = find_data(step->data, "tree_hash");
  if (!hash) co_return ok();
  const bool was_read = std::ranges::find(read, *hash) != read.end();
  note_shown(*seen, *result, *hash,
             was_read ? ShownAs::whole_text : shown_as(*step, since, read, most));
  note_in_front(*seen, *result, app);
  co_return ok();
}

void keep(const Seen& seen, const ExecuteResult& result, const UiTree& screen) {
  const std::string* xml = snapshot_text(result.envelope);
  if (!xml) return;
  seen.store.keep(screen.hash, *xml);
  seen.store.note_showing(result.device_id, own_name(result), screen.hash);
}

void note_in_front(const Seen& seen, const ExecuteResult& result, const std::string& app) {
  if (seen.in_front) seen.in_front->note(result.device_id, own_name(result), app);
}

void note_picture(const Seen& seen, const ExecuteResult& result, const SeenPicture& picture) {
  if (!seen.pictures) return;
  std::string sides;
  for (const ScreenSize& size : {picture.size, picture.screen}) {
    sides += std::to_string(size.width) + " " + std::to_string(size.height) + " ";
  }
  seen.pictures->note(result.device_id, own_name(result), sides);
}

std::optional<SeenPicture> picture_of(const Seen& seen, const std::string& device) {
  const auto noted = seen.pictures ? seen.pictures->of(device) : std::nullopt;
  if (!noted) return std::nullopt;
  std::istringstream sides(*noted);
  SeenPicture picture;
  sides >> picture.size.width >> picture.size.height;
  sides >> picture.screen.width >> picture.screen.height;
  return picture;
}

}  // namespace clawperator::act
