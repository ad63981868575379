#include "simdroid/ui/layout.hpp"

#include <algorithm>
#include <numeric>

#include "simdroid/ui/font.hpp"

namespace simdroid {
namespace {

constexpr int kUnbounded = 1 << 24;
constexpr int kDialogMargin = 84;

struct Size {
  int width = 0;
  int height = 0;
};

struct Child {
  const NodeSpec* spec = nullptr;
  NodeState state;
  Size size;
};

class Layout {
 public:
  explicit Layout(const StateOf& state_of) : state_of_(state_of) {}

  [[nodiscard]] Size measure(const NodeSpec& spec, const NodeState& state, Size room) const;
  [[nodiscard]] View place(const NodeSpec& spec, NodeState state, const Rect& frame,
                           const Rect& clip, Unseen unseen = Unseen::none) const;

 private:
  [[nodiscard]] std::vector<Child> children_of(const NodeSpec& spec, Size room) const;
  void share_out(const NodeSpec& spec, std::vector<Child>& children, Size room) const;
  void place_children(View& view, const Rect& inner, Unseen unseen) const;

  const StateOf& state_of_;
};

int horizontal_padding(const NodeSpec& spec) { return spec.padding[0] + spec.padding[2]; }
int vertical_padding(const NodeSpec& spec) { return spec.padding[1] + spec.padding[3]; }

Size text_size(const std::string& text, int scale, int width) {
  Size size;
  const auto lines = break_lines(text, width, scale);
  for (const std::string& line : lines) size.width = std::max(size.width, text_width(line, scale));
  size.height = static_cast<int>(lines.size()) * kFontUnits * scale;
  return size;
}

// `fill` has no meaning where the room is endless, that is inside a scrolling container.
int resolve(int wanted, int wrapped, int room) {
  if (wanted >= 0) return std::min(wanted, room);
  if (wanted == kFill && room < kUnbounded) return room;
  return std::min(wrapped, room);
}

Size content_size(const NodeSpec& spec, const std::vector<Child>& children) {
  Size total;
  for (const Child& child : children) {
    const bool row = spec.flow == Flow::row, column = spec.flow == Flow::column;
    total.width = row ? total.width + child.size.width : std::max(total.width, child.size.width);
    total.height =
        column ? total.height + child.size.height : std::max(total.height, child.size.height);
  }
  return total;
}

Size inner_room(const NodeSpec& spec, Size room) {
  const int width = spec.width >= 0 ? std::min(spec.width, room.width) : room.width;
  const int height = spec.height >= 0 ? std::min(spec.height, room.height) : room.height;
  Size inner{std::max(0, width - horizontal_padding(spec)),
             std::max(0, height - vertical_padding(spec))};
  if (spec.scrollable && spec.flow == Flow::row) inner.width = kUnbounded;
  if (spec.scrollable && spec.flow != Flow::row) inner.height = kUnbounded;
  return inner;
}

Size Layout::measure(const NodeSpec& spec, const NodeState& state, Size room) const {
  const Size inner = inner_room(spec, room);
  Size content;
  if (!spec.children.empty()) {
    content = content_size(spec, children_of(spec, inner));
  } else if (spec.text_scale > 0 && !state.text.empty()) {
    content = text_size(state.text, spec.text_scale, inner.width);
  }
  return {resolve(spec.width, content.width + horizontal_padding(spec), room.width),
          resolve(spec.height, content.height + vertical_padding(spec), room.height)};
}

std::vector<Child> Layout::children_of(const NodeSpec& spec, Size room) const {
  std::vector<Child> children;
  children.reserve(spec.children.size());
  for (const NodeSpec& child : spec.children) {
    NodeState state = state_of_(child);
    if (state.present) children.push_back({&child, std::move(state), {}});
  }
  if (spec.flow == Flow::stack) {
    for (Child& child : children) child.size = measure(*child.spec, child.state, room);
  } else {
    share_out(spec, children, room);
  }
  return children;
}

// Children without weight take their size, in order; the weighted ones share the rest.
void Layout::share_out(const NodeSpec& spec, std::vector<Child>& children, Size room) const {
  const bool row = spec.flow == Flow::row;
  int& length = row ? room.width : room.height;
  const bool endless = length >= kUnbounded;
  int weights = 0;
  for (Child& child : children) {
    if (child.spec->weight > 0 && !endless) {
      weights += child.spec->weight;
      continue;
    }
    child.size = measure(*child.spec, child.state, room);
    if (!endless) length -= row ? child.size.width : child.size.height;
  }
  for (const int rest = length; Child & child : children) {
    if (child.spec->weight == 0 || endless) continue;
    Size share = room;
    (row ? share.width : share.height) = rest * child.spec->weight / weights;
    child.size = measure(*child.spec, child.state, share);
    (row ? child.size.width : child.size.height) = row ? share.width : share.height;
  }
}

int aligned(Align align, int room, int size) {
  switch (align) {
    case Align::start: return 0;
    case Align::centre: return std::max(0, (room - size) / 2);
    case Align::end: return std::max(0, room - size);
  }
  return 0;
}

// `unseen` is that of the nearest ancestor that sets it.
View Layout::place(const NodeSpec& spec, NodeState state, const Rect& frame, const Rect& clip,
                   Unseen unseen) const {
  View view;
  view.spec = &spec;
  view.frame = frame;
  view.bounds = frame.clipped(clip);
  view.reported = unseen == Unseen::placed ? frame : view.bounds;
  view.visible = !view.reported.empty();
  view.text = std::move(state.text);
  view.checked = state.checked;
  view.focused = state.focused;
  view.scroll_offset = state.scroll;
  if (!spec.children.empty()) {
    place_children(view,
                   {frame.left + spec.padding[0], frame.top + spec.padding[1],
                    frame.right - spec.padding[2], frame.bottom - spec.padding[3]},
                   spec.unseen == Unseen::none ? unseen : spec.unseen);
  }
  return view;
}

void Layout::place_children(View& view, const Rect& inner, Unseen unseen) const {
  const NodeSpec& spec = *view.spec;
  const bool row = spec.flow == Flow::row, column = spec.flow == Flow::column;
  std::vector<Child> children =
      children_of(spec, inner_room(spec, {view.frame.width(), view.frame.height()}));
  if (spec.scrollable) {
    const Size content = content_size(spec, children);
    view.scroll_max =
        std::max(0, row ? content.width - inner.width() : content.height - inner.height());
    view.scrollable = view.scroll_max > 0;
  }
  view.scroll_offset = std::clamp(view.scroll_offset, 0, view.scroll_max);
  Point at{inner.left - (row ? view.scroll_offset : 0), inner.top - (row ? 0 : view.scroll_offset)};
  for (Child& child : children) {
    Point corner = at;
    if (!row) corner.x = inner.left + aligned(spec.align, inner.width(), child.size.width);
    if (!column && !spec.scrollable) {
      corner.y = inner.top + aligned(spec.align, inner.height(), child.size.height);
    }
    const Rect frame{corner.x, corner.y, corner.x + child.size.width, corner.y + child.size.height};
    if (unseen != Unseen::none || !frame.clipped(view.bounds).empty()) {
      view.children.push_back(
          place(*child.spec, std::move(child.state), frame, view.bounds, unseen));
    }
    if (row) at.x += child.size.width;
    if (column) at.y += child.size.height;
  }
}

}  // namespace

View lay_out_activity(const NodeSpec& root, const Rect& window, const StateOf& state_of) {
  return Layout(state_of).place(root, state_of(root), window, window);
}

View lay_out_dialog(const NodeSpec& root, const Rect& window, const StateOf& state_of) {
  const Layout layout(state_of);
  NodeState state = state_of(root);
  const Size room{window.width() - 2 * kDialogMargin, window.height() - 2 * kDialogMargin};
  const Size size = layout.measure(root, state, room);
  const int top = window.top + (window.height() - size.height) / 2;
  const Rect frame{kDialogMargin, top, kDialogMargin + room.width, top + size.height};
  return layout.place(root, std::move(state), frame, window);
}

}  // namespace simdroid
