#include "runtime/ui/hierarchy.hpp"

#include <catch2/catch.hpp>

#include "base/utf8.hpp"

using namespace clawperator;

TEST_CASE("role: the simple class name decides") {
  struct Row {
    std::string class_name, role;
  };
  const auto row = GENERATE(values<Row>({
      {"android.widget.TextView", "text"},
      {"android.widget.Button", "button"},
      {"android.widget.ImageButton", "button"},
      {"com.google.android.material.button.MaterialButton", "button"},
      {"android.widget.EditText", "textfield"},
      {"com.google.android.material.textfield.TextInputEditText", "textfield"},
      {"android.widget.MultiAutoCompleteTextView", "textfield"},
      {"android.widget.Switch", "switch"},
      {"androidx.appcompat.widget.SwitchCompat", "switch"},
      {"android.widget.ToggleButton", "switch"},
      {"android.widget.CheckBox", "checkbox"},
      {"android.widget.CheckedTextView", "checkbox"},
      {"android.widget.RadioButton", "radio"},
      {"android.widget.ImageView", "image"},
      {"androidx.recyclerview.widget.RecyclerView", "list"},
      {"android.widget.ListView", "list"},
      {"android.widget.HorizontalScrollView", "scroller"},
      {"androidx.viewpager2.widget.ViewPager2", "pager"},
      {"androidx.viewpager.widget.ViewPager", "pager"},
      {"android.webkit.WebView", "web"},
      {"android.widget.SeekBar", "slider"},
      {"android.widget.ProgressBar", "progress"},
      {"android.widget.Spinner", "spinner"},
      {"android.widget.Toolbar", "toolbar"},
      {"android.app.ActionBar$Tab", "tab"},
      {"android.widget.LinearLayout", "group"},
      {"android.view.ViewGroup", "group"},
      {"android.view.View", "view"},
      {"", "view"},
      {"TextView", "text"},
  }));
  INFO(row.class_name);
  CHECK(role_of_class(row.class_name) == row.role);
}

TEST_CASE("utf-8: well-formed text passes, every stray byte is replaced") {
  struct Row {
    std::string name, in, out;
  };
  const std::string bad = "\xEF\xBF\xBD";
  const auto row = GENERATE_COPY(values<Row>({
      {"ascii", "abc\n", "abc\n"},
      {"two bytes", "\xC3\xA4", "\xC3\xA4"},
      {"three bytes", "\xE2\x82\xAC", "\xE2\x82\xAC"},
      {"four bytes", "\xF4\x8F\xBF\xBF", "\xF4\x8F\xBF\xBF"},
      {"stray continuation", "a\x80z", "a" + bad + "z"},
      {"overlong slash", "\xC0\xAF", bad + bad},
      {"overlong in three bytes", "\xE0\x80\xAF", bad + bad + bad},
      {"surrogate", "\xED\xA0\x80", bad + bad + bad},
      {"above the last code point", "\xF4\x90\x80\x80", bad + bad + bad + bad},
      {"cut in two", "\xE2\x82", bad + bad},
      {"cut before text",
       "\xF0\x9F"
       "ok",
       bad + bad + "ok"},
      {"ff", "\xFF", bad},
  }));
  INFO(row.name);
  CHECK(valid_utf8(row.in) == row.out);
}
