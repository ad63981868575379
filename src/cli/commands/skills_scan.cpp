// skills scan: personal texts in a git repository, and the hook that looks for them

#include "base/json_text.hpp"
#include "cli/commands/commands.hpp"
#include "cli/commands/report_answer.hpp"
#include "cli/pretty/pretty_printer.hpp"
#include "cli/settings.hpp"
#include "skills/phone/commit_hook.hpp"
#include "skills/phone/repository_scan.hpp"
#include "skills/privacy/errc.hpp"

namespace clawperator::cli {
namespace {

constexpr std::array kSkillsScanOptions{
    Option{"--staged", "", Arity::none, "", "only the lines that the next commit adds"},
    Option{"--history", "", Arity::none, "", "every file of every commit"},
    kTermsFile,
    kReportFormat,
    Option{"--install-hook", "", Arity::none, "",
           "write a pre-commit hook that scans the staged lines"},
};

Result<Answer> install_hook(const std::string& folder) {
  TRY(const phone_skills::CommitHook hook, phone_skills::install_commit_hook(folder));
  const std::string path = hook.path.string();
  JsonObject json;
  json.boolean("installed", true).boolean("created", hook.is_new).text("hook", path);
  const std::string text = hook.is_new ? " is installed\n" : " scans already; it is unchanged\n";
  return Answer{json.str(), printable(path + text), {}, 0};
}

Result<Answer> run_scan(const Invocation& invocation) {
  using phone_skills::Scanned;
  const Arguments& arguments = invocation.arguments;
  const auto& words = arguments.positionals();
  const bool staged = arguments.has("--staged");
  const bool history = arguments.has("--history");
  const bool installs = arguments.has("--install-hook");
  if (staged + history + installs > 1) {
    return fail(errc::usage, "skills scan takes one of --staged, --history and --install-hook");
  }
  if (installs && (arguments.has("--terms-file") || arguments.has("--format"))) {
    return fail(errc::usage, "skills scan --install-hook takes neither --terms-file nor --format");
  }
  const std::string folder = words.empty() ? "" : expand_home(words[0]);
  if (installs) return install_hook(folder);
  TRY(const auto terms, terms_of(arguments));
  const auto what = staged ? Scanned::staged : history ? Scanned::history : Scanned::head;
  TRY(const report::Report report,
      phone_skills::scan_repository({folder, what, terms.get(), terms.path}));
  return report_answer(invocation, report, kPrivacyErrors);
}

}  // namespace

constinit const Command kSkillsScan = host_command(
    "skills scan",
    "[<folder>] [--staged | --history | --install-hook] [--terms-file <file>] [--format "
    "json|sarif]",
    "Find personal texts in a git repository",
    "{\"valid\",\"files\",\"faults\":[{\"code\",\"file\",\"line\",\"column\",\"message\"}]}. "
    "Exit code 1 if there\n"
    "is a fault: an e-mail address, a phone number, a serial, a home folder, or a term of\n"
    "~/.clawperator/blocked-terms.txt, which has a literal on each line (case does not count, '#'\n"
    "begins a comment). It reads HEAD of the repository around the folder, default the working\n"
    "folder. Only a terminal shows the texts that were found, with --output pretty.\n"
    "--install-hook never replaces a hook.",
    "skills scan\n"
    "skills scan --staged --output pretty\n"
    "skills scan ~/my-skills --history --format sarif\n"
    "skills scan --install-hook\n",
    kSkillsScanOptions, run_scan, 1);

}  // namespace clawperator::cli
