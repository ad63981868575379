#include "simdroid/userland/shell.hpp"

#include <catch2/catch.hpp>

#include "unit/simdroid/userland_support.hpp"

using simdroid::testing::Ran;
using simdroid::testing::TestPhone;

namespace {

struct ShellCase {
  std::string name;
  std::string script;
  std::string out;
  int status = 0;
};

}  // namespace

TEST_CASE("userland shell: quoting, expansion and control flow give what mksh gives") {
  const auto row = GENERATE(values<ShellCase>({
      {"plain", "echo hi there", "hi there\n"},
      {"blanks between words collapse", "echo  a   b", "a b\n"},
      {"single quotes keep everything", "printf '%s|' 'a  $b \"c\\'", "a  $b \"c\\|"},
      {"double quotes expand", "x=5; echo \"<$x ${x}6>\"", "<5 56>\n"},
      {"backslash", "printf %s a\\ b\\\\\\'", "a b\\'"},
      {"the host's own way to quote a quote", "printf %s 'it'\"'\"'s'", "it's"},
      {"empty words stay", "printf '[%s]' '' a \"\"", "[][a][]"},
      {"unquoted variables are split", "x='a  b'; printf '[%s]' $x \"$x\"", "[a][b][a  b]"},
      {"an unset variable vanishes", "printf '[%s]' $nothing x", "[x]"},
      {"substitution strips trailing newlines", "echo \"$(printf 'a\\n\\n')b\"", "ab\n"},
      {"nested substitution", "echo $(echo $(echo deep))", "deep\n"},
      {"backquotes", "echo `echo old`", "old\n"},
      {"arithmetic", "echo $((2 + 3 * (7 - 4)))", "11\n"},
      {"default value", "echo ${nothing:-else} ${x:+no}", "else\n"},
      {"length and suffix", "x=shot.png; echo ${#x} ${x%.png}", "8 shot\n"},
      {"shortest and longest suffix", "x=a.b.c; echo ${x%.*} ${x%%.*}", "a.b a\n"},
      {"shortest and longest prefix", "x=a.b.c; echo ${x#*.} ${x##*.}", "b.c c\n"},
      {"status of the last command", "false; echo $?; true; echo $?", "1\n0\n"},
      {"and, or", "false && echo no || echo yes", "yes\n"},
      {"and binds as it stands", "true || echo no && echo yes", "yes\n"},
      {"negation", "! false", "", 0},
      {"list keeps the last status", "true; false", "", 1},
      {"pipe", "printf 'b\\na\\n' | sort | head -n 1", "a\n"},
      {"pipe status is the last one's", "false | true", "", 0},
      {"a pipe is a subshell", "x=1; echo 2 | read x; echo $x", "1\n"},
      {"stderr joins stdout", "nosuch 2>&1 | grep -c 'not found'", "1\n"},
      {"order of redirections counts", "nosuch 2>&1 >/dev/null | wc -l", "1\n"},
      {"output to a file and back", "echo one >/sdcard/f; echo two >>/sdcard/f; cat </sdcard/f",
       "one\ntwo\n"},
      {"if", "if test 2 -gt 1; then echo y; else echo n; fi", "y\n"},
      {"elif", "if false; then echo a; elif true; then echo b; fi", "b\n"},
      {"for", "for i in 1 2 3; do printf $i; done", "123"},
      {"while and arithmetic", "i=0; while [ $i -lt 3 ]; do i=$((i+1)); printf $i; done", "123"},
      {"break and continue",
       "for i in 1 2 3 4; do [ $i = 2 ] && continue; [ $i = 4 ] && break; printf $i; done", "13"},
      {"group", "{ echo a; echo b; } | wc -l", "2\n"},
      {"subshell keeps its variables", "x=1; (x=2; echo $x); echo $x", "2\n1\n"},
      {"assignment for one command", "x=1; x=2 env | grep ^x=; echo $x", "x=2\n1\n"},
      {"exit stops the script", "echo a; exit 3; echo b", "a\n", 3},
      {"exec takes the shell's place", "exec echo a; echo b", "a\n"},
      {"comments", "echo a # not this\n# nor this\necho b", "a\nb\n"},
      {"a line goes on after a backslash", "echo a \\\n b", "a b\n"},
      {"newlines separate", "echo a\necho b", "a\nb\n"},
      {"command -v", "if command -v am >/dev/null; then echo yes; fi; command -v nosuch || echo no",
       "yes\nno\n"},
      {"positional arguments", "sh -c 'echo $1 $# $0' name a b", "a 2 name\n"},
      {"all arguments, each a word", "sh -c 'printf \"[%s]\" \"$@\"' n 'a b' c", "[a b][c]"},
      {"patterns", "cd /sdcard/Android; echo *; echo no*match", "data media\nno*match\n"},
      {"exit status beyond a byte", "sh -c 'exit 300'; echo $?", "44\n"},
  }));
  INFO(row.name);
  TestPhone phone;
  const Ran ran = phone.run(row.script);
  CHECK(ran.out == row.out);
  CHECK(ran.status == row.status);
}

TEST_CASE("userland shell: what is not there is said as the shell says it") {
  TestPhone phone;
  const Ran ran = phone.run("frobnicate --now");
  CHECK(ran.err == "/system/bin/sh: frobnicate: not found\n");
  CHECK(ran.status == 127);
}

TEST_CASE("userland shell: syntax errors cost nothing and exit with 1") {
  const std::string script = GENERATE("echo 'open", "if true", ") x", "echo a;;", "for 1 in",
                                      "echo $(echo", "a | | b", "cat <<X");
  TestPhone phone;
  const Ran ran = phone.run("echo first; " + script);
  INFO(script);
  CHECK(ran.out.empty());
  CHECK_FALSE(ran.err.empty());
  CHECK(ran.status == 1);
}

TEST_CASE("userland shell: every prefix of a script is refused or run, never more") {
  const std::string script =
      "if [ \"$(echo a)\" = 'a' ]; then for i in 1 2; do echo ${i:-x} $((i+1)) `true` >/dev/null "
      "2>&1; done; fi || { false; }";
  TestPhone phone;
  for (std::size_t size = 0; size <= script.size(); ++size) {
    const auto tree = simdroid::parse_script(script.substr(0, size));
    if (!tree) CHECK_FALSE(tree.error().message().empty());
  }
  CHECK(simdroid::parse_script(script).has_value());
}

TEST_CASE("userland shell: nesting is bounded") {
  TestPhone phone;
  const int depth = 5000;
  std::string open;
  for (int i = 0; i < depth; ++i) open += "(";
  CHECK(phone.run(open + "true").status == 1);
  std::string substitution = "echo x";
  for (int i = 0; i < 40; ++i) substitution = "echo $(" + substitution + ")";
  CHECK(phone.run(substitution).err.contains("nested too deeply"));
}

TEST_CASE(
    "userland shell: a script from stdin runs line by line and shares stdin with its commands") {
  TestPhone phone;
  CHECK(phone.out("sh", "echo a\ncat\nthis is input\n") == "a\nthis is input\n");
  CHECK(phone.out("sh", "read x\nvalue\necho \"<$x>\"\n") == "<value>\n");
  CHECK(phone.out("sh", "if true\nthen echo b\nfi\necho 'two\nlines'") == "b\ntwo\nlines\n");
  CHECK(phone.run("sh", "exit 7\necho no\n").status == 7);
}

TEST_CASE("userland shell: a reader that leaves ends the writer") {
  TestPhone phone;
  CHECK(phone.out("yes | head -n 2") == "y\ny\n");
  CHECK(phone.out("seq 1 1000000 | head -c 5") == "1\n2\n3");
}

TEST_CASE("userland shell: the time that a command line takes for its log stream is the phone's") {
  simdroid::PhoneOptions options;
  options.boot = simdroid::testing::sample_time();
  TestPhone phone(options);
  CHECK(phone.out("date '+%m-%d %H:%M:%S'") == "01-02 03:04:05\n");
  CHECK(phone.out("T=$(date +%s.%N); echo ${#T}") == "20\n");
  CHECK(phone.out("date '+%3N' | wc -c") == "4\n");
}

TEST_CASE("userland shell: what it does not know it says, whatever mksh makes of it") {
  const std::string script = GENERATE(
      "echo {a,b}", "echo x{1,2}y", "echo $((1<<2))", "x=1; echo $((x++))", "x=1; echo $((++x))",
      "x=1; echo $((--x))", "echo $((x=5))", "echo $((1?2:3))", "echo $((5&3))", "echo $((0x10))",
      "x=a1; echo $((x))", "((x=3))", "let x=1", "x=abc; echo ${x:1}", "x=abc; echo ${x/b/X}",
      "echo ${x:=d}", "echo ${x:?gone}", "x=aaa; echo ${x##+(a)}", "case a in @(a|b)) echo;; esac",
      "echo @(a|b)", "echo $'a'", "IFS=:", "export IFS=:", "read -n 1 x",
      "printf '%s' 'a\\b' | read x", "trap 'echo bye' EXIT", "set -e", "eval true", ". ./f",
      "exec >f", "for i in 1; do break 2; done", "stat /", "stat -c %i /", "logcat -Q",
      "until true; do echo; done", "local x", "type echo", "echo a &>f", "echo a >&f",
      "[[ a = a ]]", "cat <<X", "chmod +x f", "mkdir -m 700 d", "grep -n a", "echo a | sort -n",
      "echo a | tail -n +1", "head -q", "wc -m", "ls -R", "cat -n", "seq 0.5", "sh -x", "env -i",
      "ps -ef", "id -un", "readlink -f /sdcard", "gzip");
  TestPhone phone;
  INFO(script);
  const Ran ran = phone.run("cd /data/local/tmp; " + script);
  CHECK_FALSE(ran.err.empty());
  CHECK(ran.out.empty());
  CHECK(ran.status != 0);
}
