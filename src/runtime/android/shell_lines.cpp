#include "runtime/android/shell_lines.hpp"

#include <algorithm>

#include "adbproto/wire/services.hpp"
#include "base/number.hpp"
#include "base/text.hpp"
#include "runtime/android/errc.hpp"
#include "runtime/android/screen_commands.hpp"

namespace clawperator {

std::string status_line(std::string_view line) {
  return std::string(line) + "; echo '" + std::string(kStatusMark) + "'$?";
}

std::string identity_line() {
  return "getprop ro.serialno;cat /proc/sys/kernel/random/boot_id 2>/dev/null";
}

std::string release_line() {
  return "getprop ro.build.version.release;getprop ro.build.version.sdk";
}

AndroidRelease parse_release(std::string_view printed) {
  const std::size_t end = printed.find('\n');
  if (end == printed.npos) return {};
  return {std::string(trimmed(printed.substr(0, end))),
          whole_number<int>(trimmed(printed.substr(end + 1))).value_or(0)};
}

std::string product_line() {
  return "getprop ro.serialno;getprop ro.product.name;getprop ro.product.model;"
         "getprop ro.product.device";
}

std::string screencap_line(ScreencapForm form, std::optional<std::string_view> display) {
  std::string line = "screencap";
  if (form == ScreencapForm::png) line += " -p";
  if (display) line += " -d " + adbproto::quote_for_shell(*display);
  return line;
}

std::string screen_dump_line(std::string_view id) {
  const std::string file =
      adbproto::quote_for_shell("/data/local/tmp/clawperator-" + std::string(id) + ".xml");
  return "rm -f " + file + "; uiautomator dump " + file + "; cat " + file + " 2>/dev/null; rm -f " +
         file + "; " + screen_now_line();
}

std::string focus_dump(int sdk) {
  constexpr int kDisplaysHaveFocusSince = 29;
  return std::string("dumpsys window ") + (sdk >= kDisplaysHaveFocusSince ? "displays" : "windows");
}

// Of a `Window{hash u0 TITLE}` and an `ActivityRecord{hash u0 PACKAGE/CLASS t7}` the third word
// counts, and each line: a title may hold words and lines of its own, which can only add refusals.
// Without either line, and in a transition (null), nothing runs.
std::string line_if_in_front(std::string_view package, int sdk, std::string_view line) {
  const std::string app = adbproto::quote_for_shell(package) + "/*";
  const auto judge = [&](std::string_view name) {
    return "l=${l#* };l=${l#* };case \"$l\" in " + app + ")" + std::string(name) + "=" +
           std::string(name) + ";;*)o=o;;esac;;";
  };
  return "if " + focus_dump(sdk) +
         "|grep -E 'mCurrentFocus=|mFocusedApp='|{ w= a= o=;while read -r l;do case \"$l\" in "
         "mCurrentFocus=null|mFocusedApp=null);;"
         "mCurrentFocus=*)l=${l#mCurrentFocus=Window?};" +
         judge("w") + "mFocusedApp=*)l=${l#*ActivityRecord?};" + judge("a") +
         "esac;done;case \"$w$a$o\" in wa);;*)false;;esac;};then " + std::string(line) +
         ";else echo " + std::string(kHeldBack) + ";fi";
}

bool is_plain_package(std::string_view name) {
  constexpr std::string_view kPlain =
      "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz._";
  return !name.empty() && name.find_first_not_of(kPlain) == name.npos;
}

std::string quote_as_adb(std::string_view word) {
  std::string out = "'";
  for (const char c : word) {
    if (c == '\'') {
      out += "'\\''";
    } else {
      out += c;
    }
  }
  return out + '\'';
}

std::string adb_logcat_line(std::string_view tags, std::span<const std::string> words) {
  std::string line = "export ANDROID_LOG_TAGS=\"" + quote_as_adb(tags) + "\"; exec logcat";
  for (const std::string& word : words) line += " " + quote_as_adb(word);
  return line;
}

std::string bugreport_version_line() { return "bugreportz -v"; }

std::string bugreport_line(BugreportForm form) {
  static constexpr const char* kLines[] = {"bugreport", "bugreportz", "bugreportz -p",
                                           "bugreportz -s"};
  return kLines[static_cast<std::size_t>(form)];
}

namespace {

constexpr int kBuffersBinaryLog = 33;  // Android 13

// `read`, `echo`, `[`, `if` and EPOCHREALTIME are Android's sh (mksh) itself. Programs are
// started only by the first command after a boot (getprop, twice) and before Android 7 (date).
constexpr std::string_view kBoot = "read B 2>/dev/null </proc/sys/kernel/random/boot_id;";
constexpr std::string_view kReadIdentity =
    "S=$(getprop ro.serialno);V=$(getprop ro.build.version.sdk)";
constexpr std::string_view kNow = "E=$EPOCHREALTIME;[ \"$E\" ]||E=$(date +%s).0;F=-B;T=";
constexpr std::string_view kStart =
    ";[ \"$V\" = 33 ]&&F='-v threadtime -v epoch -v usec';"
    "[ \"$V\" ]&&[ \"$V\" -lt 24 ]&&T=$(date '+%m-%d %H:%M:%S').000;"
    "echo \"$B|$S|$V|$E\";"
    "exec logcat $F -b main -T \"$T\"";

// A text that is put into the script must not become a command of it.
bool is_boot_id(std::string_view text) {
  return text.size() == 36 && text.find_first_not_of("0123456789abcdef-") == std::string_view::npos;
}

}  // namespace

std::uint32_t parse_fraction(std::string_view digits) {
  if (digits.size() > 9) return 0;
  auto nanoseconds = whole_number<std::uint32_t>(digits).value_or(0);
  for (std::size_t place = digits.size(); place < 9; ++place) nanoseconds *= 10;
  return nanoseconds;
}

std::string log_script(const KnownPhone& known, std::string_view from) {
  std::string script(kBoot);
  if (is_boot_id(known.boot_id) && known.sdk > 0) {
    script += "if [ \"$B\" = " + known.boot_id +
              " ];then S=" + adbproto::quote_for_shell(known.serialno) +
              ";V=" + std::to_string(known.sdk) + ";else " + std::string(kReadIdentity) + ";fi;";
  } else {
    script += std::string(kReadIdentity) + ";";
  }
  const bool is_time = !from.empty() && from.find_first_not_of("0123456789.") == from.npos;
  script.append(kNow).append(is_time ? from : "$E");
  return script + std::string(kStart);
}

Result<DeviceFacts> parse_log_header(std::string_view line) {
  if (line.ends_with('\r')) line.remove_suffix(1);
  const auto refuse = [&] {
    return fail(
        errc::logcat_unavailable,
        "device shell answered '" + std::string(line.substr(0, 200)) + "' instead of its time");
  };
  std::array<std::string_view, 4> fields;
  std::string_view rest = line;
  for (std::string_view& field : fields) {
    field = rest.substr(0, rest.find('|'));
    rest.remove_prefix(std::min(rest.size(), field.size() + 1));
  }
  if (std::ranges::count(line, '|') != 3) return refuse();
  const std::string_view time = fields[3];
  const auto dot = time.find('.');
  DeviceFacts facts;
  facts.boot_id = fields[0];
  facts.serialno = fields[1];
  facts.sdk = std::max(0, whole_number<int>(fields[2]).value_or(0));
  const auto seconds = whole_number<decltype(facts.sec)>(time.substr(0, dot));
  if (!seconds) return refuse();
  facts.sec = *seconds;
  const std::string_view fraction = dot == std::string_view::npos ? "" : time.substr(dot + 1);
  facts.nsec = parse_fraction(fraction);
  return facts;
}

LogShape log_shape(const DeviceFacts& facts) {
  return facts.sdk == kBuffersBinaryLog ? LogShape::text : LogShape::binary;
}

}  // namespace clawperator
