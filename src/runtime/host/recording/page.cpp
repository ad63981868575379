#include "runtime/host/recording/page.hpp"

#include <algorithm>

#include "runtime/contract/json_text.hpp"
#include "runtime/host/recording/export_json.hpp"
#include "runtime/host/recording/page_parts.hpp"
#include "runtime/ui/hierarchy.hpp"

namespace clawperator {
namespace {

// An event and what the page says around it.
struct Entry {
  const RecordedEvent* event = nullptr;
  std::size_t number = 0;  // 1, 2, ...
  std::size_t step = 0;    // 1, 2, ...; 0: no step
  std::optional<double> since_previous{};
  double since_start = 0;
  std::string words{};  // plain text
  std::string html{};
};

std::optional<UiTree> tree_before(const RecordedEvent& event, Snapshots snapshots) {
  if (!event.snapshot || snapshots == Snapshots::omit) return std::nullopt;
  auto parsed = parse_hierarchy(*event.snapshot);
  return parsed ? std::optional(*std::move(parsed)) : std::nullopt;
}

// What the screen showed where a click went.
std::string shown_inside(const RecordedEvent& event, const UiTree* tree) {
  if (event.kind != RecordedKind::click || !tree) return {};
  return text_within(*tree, find_touched(*tree, event));
}

std::string fact(std::string_view name, std::string_view value) {
  return "<div><dt>" + std::string(name) + "</dt><dd><bdi>" + escape_html(value) +
         "</bdi></dd></div>\n";
}

std::string facts_of(const Recording& recording, const std::vector<Entry>& entries) {
  const auto steps =
      std::ranges::count_if(entries, [](const Entry& entry) { return entry.step != 0; });
  std::string facts = "<dl class=\"facts\">\n";
  facts += fact("Started", time_in_words(recording.started_at));
  facts += fact("Lasted", span_in_words(entries.empty() ? 0 : entries.back().since_start));
  facts += fact("Events", std::to_string(entries.size()));
  facts += fact("Steps", std::to_string(steps));
  facts += fact("Recorded by", recording.operator_package);
  return facts + "</dl>";
}

std::string warnings_of(const Recording& recording) {
  if (recording.warnings.empty()) return {};
  const std::size_t count = recording.warnings.size();
  std::string html = "<details class=\"warnings\"><summary>" + std::to_string(count) +
                     (count == 1 ? " warning" : " warnings") + "</summary>\n<ul>\n";
  for (const std::string& warning : recording.warnings) {
    html += "<li>" + escape_html(warning) + "</li>\n";
  }
  return html + "</ul></details>";
}

std::string step_list(const std::vector<Entry>& entries) {
  std::string html;
  for (const Entry& entry : entries) {
    if (entry.step == 0) continue;
    html += "<li><a href=\"#event-" + std::to_string(entry.number) + "\"><bdi>" +
            escape_html(entry.words) + "</bdi></a></li>\n";
  }
  if (html.empty()) return "<p class=\"empty\">There is no step to replay in this recording.</p>";
  return "<ol>\n" + html + "</ol>";
}

std::string folded(std::string_view summary, std::string_view pre_class, std::string_view html) {
  return "<details><summary>" + std::string(summary) + "</summary><pre tabindex=\"0\" class=\"" +
         std::string(pre_class) + "\">" + std::string(html) + "</pre></details>\n";
}

std::string row(std::string_view name, const std::optional<std::string>& value) {
  if (!value || value->empty()) return {};
  return "<dt>" + std::string(name) + "</dt><dd><bdi>" + escape_html(*value) + "</bdi></dd>\n";
}

std::string details_of(const RecordedEvent& event) {
  std::optional<std::string> bounds;
  if (event.kind == RecordedKind::click) {
    const Bounds& at = event.bounds;
    bounds = std::to_string(at.left) + ", " + std::to_string(at.top) + " to " +
             std::to_string(at.right) + ", " + std::to_string(at.bottom);
  }
  const std::string rows = row("Package", event.package) + row("Title", event.title) +
                           row("Class", event.class_name) + row("Id", event.resource_id) +
                           row("Text", event.text) + row("Description", event.description) +
                           row("Bounds", bounds);
  return rows.empty() ? rows : "<dl>\n" + rows + "</dl>\n";
}

struct Pictures {
  const std::vector<RecordedPicture>& all;
  Snapshots snapshots;

  // Pictures are in the order of the events, so by seq.
  [[nodiscard]] const RecordedPicture* of(const RecordedEvent& event) const {
    const auto found = std::ranges::lower_bound(all, event.seq, {}, &RecordedPicture::seq);
    return found != all.end() && found->seq == event.seq ? &*found : nullptr;
  }
};

std::string figure(const std::string& svg, bool is_photograph) {
  if (svg.empty()) return {};
  return "<figure class=\"screen\">" + svg + "<figcaption>" +
         (is_photograph ? "The screen before it" : "Drawn from the UI tree before it") +
         "</figcaption></figure>\n";
}

std::string body_of(const RecordedEvent& event, const UiTree* tree, const Pictures& pictures) {
  const RecordedPicture* picture = pictures.of(event);
  std::optional<Bounds> touched;
  if (event.kind == RecordedKind::click) touched = event.bounds;
  std::string tree_part;
  if (tree) {
    const std::size_t node = touched ? find_touched(*tree, event) : kNoNode;
    tree_part = folded("UI tree, " + std::to_string(tree->nodes.size()) + " nodes", "tree",
                       tree_html(*tree, node));
  } else if (event.snapshot && pictures.snapshots == Snapshots::include) {
    tree_part = "<p class=\"empty\">The snapshot is no hierarchy that can be read.</p>\n";
  }
  return "<div class=\"body\">\n" + figure(screen_svg(tree, picture, touched), picture != nullptr) +
         "<div class=\"words\">\n" + details_of(event) + tree_part +
         folded("The event as recorded", "raw", escape_html(event.json)) + "</div>\n</div>\n";
}

std::string when(const Entry& entry) {
  std::string text = "+" + span_in_words(entry.since_start);
  if (entry.since_start < 0) text = span_in_words(entry.since_start);
  if (entry.since_previous) text += " · " + span_in_words(*entry.since_previous) + " later";
  return text;
}

std::string event_html(const Entry& entry, const UiTree* tree, const Pictures& pictures) {
  const RecordedEvent& event = *entry.event;
  const std::string badge = entry.step != 0 ? "Step " + std::to_string(entry.step) : "No step";
  return "<li class=\"event " + std::string(spelling_of(event.kind)) +
         (entry.step != 0 ? " step" : "") + "\" id=\"event-" + std::to_string(entry.number) +
         "\">\n<article>\n<div class=\"head\"><h3><bdi>" + escape_html(entry.words) +
         "</bdi></h3><span class=\"badge\">" + badge + "</span><span class=\"when\">seq " +
         number_json(event.seq) + " · " + when(entry) + "</span></div>\n" +
         body_of(event, tree, pictures) + "</article>\n</li>\n";
}

// One UI tree at a time is taken apart, once: a recording may hold many large ones.
std::vector<Entry> entries_of(const Recording& recording, const Pictures& pictures) {
  const auto steps = steps_of(recording);
  std::vector<Entry> entries;
  std::size_t step = 0;
  for (const RecordedEvent& event : recording.events) {
    Entry entry{&event, entries.size() + 1};
    const bool is_step = step < steps.size() && steps[step].event == &event;
    if (is_step) entry.step = ++step;
    entry.since_start = event.ts - recording.started_at;
    if (!entries.empty()) entry.since_previous = event.ts - entries.back().event->ts;
    const auto parsed = tree_before(event, pictures.snapshots);
    const UiTree* tree = parsed ? &*parsed : nullptr;
    entry.words = event_in_words(event, is_step, shown_inside(event, tree));
    entry.html = event_html(entry, tree, pictures);
    entries.push_back(std::move(entry));
  }
  return entries;
}

}  // namespace

std::string recording_page(const Recording& recording, const std::vector<RecordedPicture>& pictures,
                           Snapshots snapshots) {
  auto entries = entries_of(recording, {pictures, snapshots});
  std::string events = "<ol class=\"events\" id=\"events\">\n";
  for (Entry& entry : entries) events += std::exchange(entry.html, {});
  events += "</ol>";
  const std::string session = escape_html(recording.session_id);
  const std::string title = session + " - Clawperator recording";
  const std::string heading = "<bdi>" + session + "</bdi>";
  const std::string facts = facts_of(recording, entries);
  const std::string warnings = warnings_of(recording);
  const std::string steps = step_list(entries);
  const std::array<Place, 8> places{{{"style-hash", kPageStyleHash},
                                     {"style", kPageStyle},
                                     {"title", title},
                                     {"heading", heading},
                                     {"facts", facts},
                                     {"warnings", warnings},
                                     {"steps", steps},
                                     {"events", events}}};
  return fill_places(kPageFrame, places);
}

}  // namespace clawperator
