// hub install, verify: a skill of a hub, of a repository or of a folder

#include <filesystem>

#include "base/text.hpp"
#include "cli/commands/hub.hpp"
#include "cli/pretty/pretty_printer.hpp"
#include "cli/settings.hpp"
#include "skills/hub/install.hpp"
#include "skills/hub/verify.hpp"
#include "skills/phone/repository_files.hpp"

namespace clawperator::cli {
namespace {

namespace fs = std::filesystem;

constexpr auto kHubInstallOptions =
    join(std::array{kHubVersionOption, kHubForceOption,
                    Option{"--as", "", Arity::one, "<slug>",
                           "the skill's folder, for a repository or a folder; default: its name"}},
         kHubOptions);
constexpr auto kHubVerifyOptions =
    join(std::array{Option{"--version", "", Arity::one, "<version>", "default: the installed one"}},
         kHubOptions);

bool is_path(std::string_view word) {
  return word.starts_with('/') || word.starts_with("./") || word.starts_with("~/");
}

Answer answer_of(const hub::Installed& done, JsonObject more) {
  JsonObject json;
  json.boolean("installed", true).text("slug", done.slug);
  if (!done.version.empty()) json.text("version", done.version);
  json.text("path", done.path.string()).append(more);
  if (!done.kept.empty()) json.text("kept", done.kept.string());
  put_moderation(&json, done.moderation);
  if (!done.warning.empty()) json.text("warning", done.warning);
  return Answer{.json = json.str(),
                .text = "OK. Installed " + done.slug + " -> " + printable_name(done.path) + "\n" +
                        kept_line(done.kept) + moderation_line(done.moderation) +
                        warning_line(done.warning)};
}

// The slug for a source of this name.
Result<hub::SourceRequest> source_request(const Arguments& arguments, const std::string& name) {
  if (arguments.has("--version")) {
    return fail(errc::usage, "--version is for skills of a hub; a repository takes @REF");
  }
  hub::SourceRequest request{.force = given_force(arguments)};
  TRY(request.slug, hub::checked_slug(arguments.value_or("--as", hub::slug_of_folder(name))));
  return request;
}

Result<Answer> install_repository(const Invocation& invocation, const std::string& word) {
  TRY(const hub::GitSource source, hub::read_git_source(word));
  TRY(const hub::SourceRequest request, source_request(invocation.arguments, source.name));
  auto url = phone_skills::read_repository_url(source.url);
  if (!url) return fail(errc::usage, url.error().message());
  // Its authentication may wait without a limit.
  if (url->way == phone_skills::RepositoryWay::ssh) {
    return fail(errc::usage,
                "git: takes https, file and paths, no ssh: clone it, and install the folder");
  }
  const phone_skills::RepositoryOrder order{*url, source.ref, {}};
  const hub::FillFolder fill = [&order](const fs::path& folder, const fs::path& scratch,
                                        const std::stop_token& stop) {
    return write_repository_files(order, folder, scratch, stop);
  };
  TRY(const hub::Installed done, run_on_hub(invocation, hub::install_source, request, fill));
  return answer_of(done, JsonObject().text("source", "git:" + url->text));
}

Result<Answer> install_folder(const Invocation& invocation, const std::string& word) {
  std::error_code error;
  const fs::path from = fs::canonical(expand_home(word), error);
  if (error || !fs::is_directory(from, error)) {
    return fail(errc::usage, "there is no folder " + word);
  }
  TRY(const hub::SourceRequest request,
      source_request(invocation.arguments, from.filename().string()));
  const hub::FillFolder fill = [&from](const fs::path& folder, const fs::path&,
                                       const std::stop_token& stop) -> Result<std::string> {
    TRY_VOID(hub::copy_skill(from, folder, stop));
    return std::string();
  };
  TRY(const hub::Installed done, run_on_hub(invocation, hub::install_source, request, fill));
  return answer_of(done, JsonObject().text("source", from.string()));
}

Result<Answer> run_hub_install(const Invocation& invocation) {
  const auto& words = invocation.arguments.positionals();
  if (!words.empty() && words[0].starts_with("git:")) {
    return install_repository(invocation, words[0]);
  }
  if (!words.empty() && is_path(words[0])) return install_folder(invocation, words[0]);
  if (invocation.arguments.has("--as")) {
    return fail(errc::usage, "--as is for a repository (git:...) or a folder (./...)");
  }
  TRY(const hub::SkillName name, hub_skill_name(invocation));
  const hub::InstallRequest request{name, invocation.arguments.value_or("--version", ""),
                                    given_force(invocation.arguments)};
  TRY(const hub::Installed done, run_on_hub(invocation, hub::install_skill, request));
  return answer_of(done, JsonObject().text("registry", done.registry));
}

Result<Answer> run_hub_verify(const Invocation& invocation) {
  TRY(const hub::SkillName name, hub_skill_name(invocation));
  const hub::VerifyRequest request{name, invocation.arguments.value_or("--version", "")};
  TRY(const hub::Verified done, run_on_hub(invocation, hub::verify_skill, request));
  JsonObject json;
  json.boolean("verified", true).text("slug", done.slug).text("version", done.version);
  json.text("path", done.path.string()).text("registry", done.registry);
  json.number("files", static_cast<std::int64_t>(done.files));
  return Answer{.json = json.str(),
                .text = "OK. " + done.slug + " is version " + printable_name(done.version) + " (" +
                        std::to_string(done.files) + " files)\n"};
}

}  // namespace

hub::Force given_force(const Arguments& arguments) {
  return arguments.has("--force") ? hub::Force::yes : hub::Force::no;
}

std::string kept_line(const std::filesystem::path& kept) {
  return kept.empty() ? "" : "  the replaced files are in " + printable_name(kept) + "\n";
}

void put_moderation(JsonObject* json, hub::Moderation moderation) {
  if (moderation != hub::Moderation::none) json->text("moderation", hub::name_of(moderation));
}

std::string moderation_line(hub::Moderation moderation) {
  if (moderation == hub::Moderation::none) return "";
  return "  the hub marks it as " + std::string(hub::name_of(moderation)) + "\n";
}

std::string warning_line(const std::string& warning) {
  return warning.empty() ? "" : "  " + printable(warning) + "\n";
}

constinit const Command kHubInstall = host_command(
    "hub install",
    "<slug>|@<owner>/<slug>|git:<repository>@<ref>|<folder> [--version <version>] [--force]",
    "Install a skill into the work folder",
    R"(The skill is unpacked beside its folder and moved into place by one rename. An existing folder is
    HUB_LOCAL_CHANGES. With --force it is replaced; files that are not exactly the hub's are kept in
    skills/.hub-replaced. A skill that the hub marks as malware is refused (HUB_SKILL_FLAGGED), and
    a suspicious one needs --force. Where several owners have a slug, the answer is
    HUB_SKILL_AMBIGUOUS with their names, and @<owner>/<slug> is installed below skills/@<owner>.
    git:<owner>/<repo>@<ref> is a repository at github.com, git:<url>@<ref> any other one; a folder
    begins with ./, / or ~/. Such a skill has no entry in the lock file: no update replaces it.)",
    "hub install my-skill\n"
    "hub install my-skill --version 1.2.3 --workdir ~/work\n"
    "hub install @acme/my-skill\n"
    "hub install git:acme/my-skill@v1.0.0 --as my-skill\n",
    kHubInstallOptions, run_hub_install, 1);

constinit const Command kHubVerify = host_command(
    "hub verify", "<slug>|@<owner>/<slug> [--version <version>]",
    "Compare an installed skill with the hub's list of its files",
    R"(Compares the SHA-256 of each file with the hub's list for the installed version. Other files are
    HUB_FILES_DIFFER; `details` has `changed`, `missing` and `added`. Hidden files and links do not count.)",
    "hub verify my-skill\n", kHubVerifyOptions, run_hub_verify, 1);

}  // namespace clawperator::cli
