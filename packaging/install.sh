#!/bin/sh
# Installs clawperator from its tarball, upgrades it, removes it. See --help.
set -eu
umask 022

download_url=""
marker="# of clawperator's install.sh"

usage() {
  cat <<'TEXT'
usage: install.sh [SOURCE] [options]
       install.sh --uninstall [--prefix DIR]

SOURCE is a tarball, the folder of a tarball, an unpacked tarball, or an https URL of the first two. Without it: the
folder of this script, if that is an unpacked tarball. The tarball's line in SHA256SUMS, which lies beside it, has
to fit. An older version is replaced; the same version is left alone.

  --prefix DIR      install below DIR: default ~/.local, of root /usr/local
  --sha256 SUM      the checksum of the tarball, in place of SHA256SUMS
  --apk FILE        the Operator app's package for the phone; default: `clawperator operator download`
  --skills URL      the repository of skills, where the program's own default is not meant
  --no-skills       fetch no skills
  --no-device       do not look for a phone
  --profile-line    add the lines that are shown to the shell's profile without a question
  --yes             say yes to every other question
  --uninstall       remove what this script has put in place; what you made stays

The C library has to be glibc 2.36 or newer (Debian 12, Ubuntu 24.04, Fedora 37), the processor x86_64 or aarch64.
TEXT
}

say() { printf '%s\n' "$*"; }
fail() {
  printf 'install.sh: %s\n' "$*" >&2
  exit 1
}
# What a program gives as its reason, from its first line that has one.
reason() { printf '%s\n' "$1" | sed -n 's/^.*: //;s/[.[:space:]]*$//;/^Wrote only/d;p' | sed -n 1p; }

# --- the machine ---------------------------------------------------------------------------------------------------

check_machine() {
  [ "$(uname -s)" = Linux ] || fail "clawperator runs on Linux; this is $(uname -s)."
  case $(uname -m) in
    x86_64) arch=x86_64 ;;
    aarch64 | arm64) arch=aarch64 ;;
    *) fail "there is no clawperator for this processor ($(uname -m)), only for x86_64 and aarch64." ;;
  esac
  libc=$(getconf GNU_LIBC_VERSION 2>/dev/null | sed -n 's/^glibc //p')
  [ -n "$libc" ] || libc=$(ldd --version 2>/dev/null | sed -n '1s/.* \([0-9][0-9]*\.[0-9][0-9]*\)$/\1/p')
  minor=${libc#*.}
  minor=${minor%%[!0-9]*}
  case ${libc%%.*}:$minor in
    *[!0-9:]* | :* | *:)
      fail "clawperator needs the GNU C library (glibc) 2.36 or newer, which this system does not have."
      ;;
  esac
  [ $((${libc%%.*} * 1000 + minor)) -ge 2036 ] ||
    fail "clawperator needs the C library glibc 2.36 or newer (Debian 12, Ubuntu 24.04, Fedora 37);" \
      "this system has $libc."
  for tool in tar gzip sha256sum od awk; do
    command -v $tool >/dev/null || fail "the program $tool is missing, which this script needs."
  done
}

# The processor that a program is for, by its ELF header.
processor_of() {
  case $(od -An -tu1 -j18 -N1 "$1" 2>/dev/null | tr -d ' ') in
    62) echo x86_64 ;;
    183) echo aarch64 ;;
    *) echo "another processor" ;;
  esac
}

# --- folders and links ---------------------------------------------------------------------------------------------

cannot_write() { fail "cannot write below $prefix: $(reason "$1"); another place is given with --prefix."; }

# A path without links and dots; its end may be missing.
canonical() {
  realpath -m -- "$1" 2>/dev/null || fail "realpath of GNU coreutils is missing, which this script needs."
}

# One install.sh at a time. The lock ends with the process.
lock() {
  if command -v flock >/dev/null; then
    exec 9<"$own"
    flock -n 9 || fail "another install.sh is at work below $prefix."
  else
    mkdir "$own/.lock" 2>/dev/null || fail "another install.sh is at work below $prefix (if not, remove $own/.lock)."
    locked=$own/.lock
  fi
}
# A daemon that is started later must not keep it.
unlock() {
  exec 9<&-
  [ -z "$locked" ] || rmdir "$locked"
  locked=""
}

# Makes a folder with its parents, and remembers those that were not there. A failure leaves its reason in `why`.
make_folder() {
  missing="" folder=$1
  while [ ! -d "$folder" ]; do
    missing="$folder
$missing"
    folder=$(dirname "$folder")
  done
  [ -n "$missing" ] || return 0
  made="$made$missing"
  why=$(mkdir -p "$1" 2>&1)
}
# In the list that --uninstall reads.
record_made_folders() {
  [ -z "$made" ] || printf '%s' "$made" >>"$own/folders"
  made=""
}

remove_made_folders() {
  printf '%s' "$1" | sort -r | while IFS= read -r folder; do rmdir "$folder" 2>/dev/null || true; done
}

# Runs at every end: what is not in place by then goes.
# shellcheck disable=SC2317 # a trap calls it
clean() {
  [ -z "$staged" ] || rm -rf "$staged"
  if [ -z "$installed" ] && [ -n "$release" ] && [ "$(readlink "$own/current")" != "$release" ]; then
    rm -rf "${own:?}/$release"
  fi
  unlock
  [ -n "$installed" ] || remove_made_folders "$made"
}

# The files of an installed tree that have a link or a copy, by their names below the tree.
linked_files() {
  for_all=""
  [ "$prefix" != /usr/local ] || for_all="lib/systemd/system lib/udev lib/sysusers.d"
  # shellcheck disable=SC2086 # several words
  (cd "$1" 2>/dev/null && find bin share/man share/bash-completion share/zsh share/fish lib/systemd/user $for_all \
    -type f 2>/dev/null | LC_ALL=C sort) || true
}
place_of() {
  case $1 in
    lib/systemd/user/*) [ "$prefix" != "$home_prefix" ] || { echo "$prefix/share/${1#lib/}" && return; } ;;
  esac
  echo "$prefix/$1"
}
# `systemctl enable` links to what a link leads to, which is a release that the next upgrade removes: these are copied.
is_copied() {
  case $1 in
    lib/systemd/* | lib/udev/* | lib/sysusers.d/*) return 0 ;;
    *) return 1 ;;
  esac
}
# A copy has the marker in its first line.
is_ours() {
  if [ ! -L "$1" ]; then
    [ -f "$1" ] && [ "$(sed -n 1p "$1" 2>/dev/null)" = "$marker: $own" ]
    return
  fi
  target=$(readlink "$1")
  case $target in
    "$own"/current/*) return 0 ;;
    /*/current/*) [ "$(canonical "${target%/current/*}")" = "$own" ] ;;
    *) return 1 ;;
  esac
}
unlink_files() {
  while IFS= read -r file; do
    place=$(place_of "$file")
    if is_ours "$place"; then rm -f "$place"; fi
  done
}

# The processes that run a program below a folder: "123 (clawperator daemon run)".
running_below() {
  for process in /proc/[0-9]*; do
    case $(readlink "$process/exe" 2>/dev/null) in
      "$1"/*) say "${process#/proc/} ($(tr '\0' ' ' <"$process/cmdline" 2>/dev/null | sed 's|^[^ ]*/||' |
        cut -d' ' -f1-3 | sed 's/ *$//'))" ;;
    esac
  done | paste -s -d, - | sed 's/,/, /g'
}

# --- the source ----------------------------------------------------------------------------------------------------

download() {
  case $1 in
    https://* | http://127.0.0.1:* | http://localhost:*) ;;
    *) fail "$1 is not an https URL." ;;
  esac
  if command -v curl >/dev/null; then
    why=$(curl -fsSL --proto-redir =https --connect-timeout 15 --speed-limit 100 --speed-time 30 -o "$2" "$1" 2>&1) ||
      fail "cannot download $1: $(reason "$why")."
  elif command -v wget >/dev/null; then
    why=$(wget -nv --tries=1 --timeout=30 -O "$2" "$1" 2>&1) || fail "cannot download $1: $(reason "$why")."
  else
    fail "curl or wget is needed to download $1."
  fi
}

# The newest tarball for this processor, by its line in SHA256SUMS.
newest_of() {
  sed -n "s/^[0-9a-f]\{64\} [ *]\(clawperator-[A-Za-z0-9.+~-]*-linux-$arch\.tar\.gz\)\$/\1/p" "$1" 2>/dev/null |
    sort -V | tail -n 1
}

# Leaves the tarball's name in `name`, its file in `file`, the list of checksums in `sums`.
find_tarball() {
  sums=""
  case $source in
    *://*)
      sums=$staged/SHA256SUMS
      base=${source%/} name=""
      case $source in *.tar.gz) base=${source%/*} name=${source##*/} ;; esac
      if [ -z "$sha256" ] || [ -z "$name" ]; then download "$base/SHA256SUMS" "$sums"; fi
      ;;
    *)
      base=$source name=""
      if [ ! -d "$source" ]; then
        [ -f "$source" ] || fail "there is no file $source."
        base=$(dirname "$source") name=$(basename "$source")
      fi
      sums=$base/SHA256SUMS
      ;;
  esac
  [ -n "$name" ] || name=$(newest_of "$sums")
  [ -n "$name" ] || fail "no tarball for $arch is listed in $base/SHA256SUMS."
  case $name in
    *-linux-"$arch".tar.gz) ;;
    *-linux-*.tar.gz) fail "$name is for another processor; this one is $arch." ;;
  esac
  file=$base/$name
  case $source in
    *://*)
      say "Downloading $base/$name"
      file=$staged/$name
      download "$base/$name" "$file"
      ;;
  esac
}

sum_of_tree() {
  (cd "$1" && find . -type f -exec sha256sum {} + | LC_ALL=C sort | sha256sum | cut -c 1-8)
}

check_sum() {
  if [ -z "$sha256" ]; then
    sha256=$(awk -v name="$name" '{ sub(/^\*/, "", $2) } $2 == name { print $1; exit }' "$sums" 2>/dev/null) || true
    [ -n "$sha256" ] || fail "$name has no line in a SHA256SUMS beside it; give its checksum with --sha256."
  fi
  [ "$(sha256sum "$file" 2>/dev/null | cut -c 1-64)" = "$sha256" ] ||
    fail "the checksum of $name is wrong; nothing of it is used."
}

# Leaves the whole of it in $staged/tree.
bring_tree() {
  mkdir "$staged/tree"
  if [ -e "$source/bin/clawperator" ] && [ -e "$source/install.sh" ]; then
    why=$(cp -R "$source/." "$staged/tree" 2>&1) || fail "cannot copy $source below $prefix: $(reason "$why")."
  else
    find_tarball
    check_sum
    why=$(tar -xzf "$file" -C "$staged/tree" --strip-components 1 --no-same-owner 2>&1) ||
      fail "cannot unpack $name below $prefix: $(reason "$why")."
  fi
  chmod -R u+rwX,go+rX,go-w "$staged/tree"
  program=$staged/tree/bin/clawperator
  [ -x "$program" ] || fail "$source is not a tarball of clawperator."
  [ "$(processor_of "$program")" = "$arch" ] ||
    fail "$source is for $(processor_of "$program"); this processor is $arch."
  { version=$("$program" --version 2>&1); } 2>/dev/null || # a shell writes about signals, too
    fail "the program does not start here (status $?): $(reason "$version")."
  # The same files have the same name, whatever they came from.
  release=$version-$(sum_of_tree "$staged/tree")
}

# --- putting in place ----------------------------------------------------------------------------------------------

check_places() {
  for file in $(linked_files "$staged/tree"); do
    place=$(place_of "$file")
    case $file in
      bin/*)
        if [ -e "$place" ] || [ -L "$place" ]; then
          is_ours "$place" ||
            fail "$place is there already and not of this script; remove it, or give another --prefix."
        fi
        ;;
    esac
  done
}

# A unit starts the program below this prefix.
copy_file() {
  {
    printf '%s\n' "$marker: $own" &&
      sed "s|^ExecStart=[^ ]*/bin/clawperator|ExecStart=$prefix/bin/clawperator|" "$own/current/$1"
  } >"$2.new.$$" && mv -fT "$2.new.$$" "$2" && return
  rm -f "$2.new.$$"
  return 1
}

# A file that is only of help does not stop the rest.
not_written() {
  case $1 in bin/*) fail "cannot write $2; the program itself is $own/current/bin/clawperator." ;; esac
  say "$2 is missing: it cannot be written."
}

link_files() {
  for file in $(linked_files "$own/current/"); do
    place=$(place_of "$file")
    if is_ours "$place"; then
      is_copied "$file" || continue
    elif [ -e "$place" ] || [ -L "$place" ]; then
      say "$place is left as it is: it is not of this script."
      continue
    fi
    make_folder "$(dirname "$place")" || true
    record_made_folders
    if is_copied "$file"; then
      copy_file "$file" "$place" 2>/dev/null || not_written "$file" "$place"
    else
      ln -s "$own/current/$file" "$place" 2>/dev/null || not_written "$file" "$place"
    fi
  done
}

# The group of those who may use phones on USB, which not every distribution has.
make_group() {
  [ "$prefix" = /usr/local ] || return 0
  getent group plugdev >/dev/null 2>&1 || systemd-sysusers "$prefix/lib/sysusers.d/clawperator.conf" 2>/dev/null ||
    say "Make the group plugdev: the unit clawperator-serve does not start without it."
}

# One rename puts the new release in place of the old one, with all links.
put_in_place() {
  before=$(readlink "$own/current" 2>/dev/null) || before=""
  if [ -d "$own/$release" ] && [ "$(sum_of_tree "$own/$release")" != "${release##*-}" ]; then
    mv "$own/$release" "$staged/damaged"
  fi
  if [ "$before" = "$release" ] && [ -d "$own/$release" ]; then
    say "clawperator $version is installed already."
    return
  fi
  [ -d "$own/$release" ] || mv -T "$staged/tree" "$own/$release"
  ln -s "$release" "$staged/current"
  linked_files "$own/$before" >"$staged/before"
  mv -fT "$staged/current" "$own/current"
  if [ -n "$before" ]; then
    linked_files "$own/$release" >"$staged/now"
    grep -vxFf "$staged/now" "$staged/before" | unlink_files || true
    say "clawperator $version is installed in place of ${before%-*}."
  else
    say "clawperator $version is installed: $prefix/bin/clawperator"
  fi
}

# The folders of releases, and of nothing else that lies there.
releases() {
  for folder in "$own"/*-????????; do
    case ${folder##*-} in *[!0-9a-f]*) continue ;; esac
    if [ ! -L "$folder" ] && [ -f "$folder/install.sh" ]; then say "$folder"; fi
  done
}

# Releases that nothing runs, and what killed installs left.
remove_former() {
  releases | while IFS= read -r folder; do
    if [ "$folder" = "$own/$release" ]; then continue; fi
    running=$(running_below "$folder")
    if [ -n "$running" ]; then
      say "The version before still runs, in process $running; \`clawperator daemon restart\` ends a" \
        "daemon; another one (serve, mcp) ends with its process."
    else
      rm -rf "$folder"
    fi
  done
  for folder in "$own"/.new.*; do
    [ ! -d "$folder" ] || kill -0 "${folder##*.}" 2>/dev/null || rm -rf "$folder"
  done
}

# --- the user's shell ----------------------------------------------------------------------------------------------

# Without a terminal the answer is no.
ask() {
  (: </dev/tty) 2>/dev/null || return 1
  printf '%s [y/N] ' "$1" >/dev/tty
  read -r answer </dev/tty || return 1
  case $answer in [yY]*) return 0 ;; *) return 1 ;; esac
}

warn_of_another() {
  rest=$PATH: another=""
  while [ -n "$rest" ]; do
    folder=${rest%%:*} rest=${rest#*:}
    case $folder in
      "") continue ;;
    esac
    case $(canonical "$folder") in
      "$prefix/bin") in_path=yes && break ;;
      *) if [ -z "$another" ] && [ -x "$folder/clawperator" ]; then another=$folder/clawperator; fi ;;
    esac
  done
  [ -z "$another" ] || say "Another clawperator comes first in PATH: $another"
}

find_profile() {
  case ${SHELL:-} in
    */fish) profile=${XDG_CONFIG_HOME:-$HOME/.config}/fish/config.fish ;;
    */zsh) profile=${ZDOTDIR:-$HOME}/.zshrc ;;
    */bash) profile=$HOME/.bashrc ;;
    *) profile=$HOME/.profile ;;
  esac
}
line_for() {
  case $profile in
    *.fish) say "set -gx $1 $2 $marker" ;;
    *) say "export $1=$2 $marker" ;;
  esac
}

add_lines() {
  mkdir -p "$(dirname "$profile")" || return 1
  end=""
  [ ! -s "$profile" ] || [ -z "$(tail -c 1 "$profile")" ] || end="
"
  printf '%s%s' "$end" "$lines" >>"$profile"
}

# Lines that are there already are not proposed.
propose_lines() {
  find_profile
  lines=""
  if [ -z "$in_path" ]; then
    case $profile in
      *.fish) path_line=$(line_for PATH "\"$prefix/bin\" \$PATH") ;;
      *) path_line=$(line_for PATH "\"$prefix/bin:\$PATH\"") ;;
    esac
    grep -qxF "$path_line" "$profile" 2>/dev/null || lines="$path_line
"
  fi
  if [ -f "$registry" ] && [ "${CLAWPERATOR_SKILLS_REGISTRY:-}" != "$registry" ]; then
    registry_line=$(line_for CLAWPERATOR_SKILLS_REGISTRY "\"$registry\"")
    grep -qxF "$registry_line" "$profile" 2>/dev/null || lines="$lines$registry_line
"
  fi
  [ -n "$lines" ] || return 0
  say ""
  say "For $profile:"
  printf '%s' "$lines"
  if [ -n "$profile_line" ] || ask "Add this?"; then
    add_lines 2>/dev/null || fail "cannot write $profile; clawperator itself is installed."
    say "Added; a new shell reads it."
  else
    say "Not added: --profile-line adds it."
  fi
}

# --- skills, phone, doctor -----------------------------------------------------------------------------------------

# What the program says in place of a result, in one line.
reason_of() { printf '%s\n' "$1" | sed -n 1p; }

install_skills() {
  registry=$HOME/.clawperator/skills/skills/skills-registry.json
  [ -z "$no_skills" ] || return 0
  if output=$("$bin/clawperator" skills install ${skills:+--repo "$skills"} --output pretty 2>&1); then
    say "Skills: $HOME/.clawperator/skills"
  else
    say "Skills were not fetched: $(reason_of "$output")"
    say "Later: clawperator skills install"
  fi
}

find_package() {
  if [ -n "$apk" ]; then return; fi
  if output=$("$bin/clawperator" operator download --output pretty 2>&1); then
    apk=$HOME/.clawperator/downloads/operator.apk
    say "The Operator app's package: $apk"
  else
    say "The Operator app's package was not fetched: $(reason_of "$output")"
  fi
}

# One phone: its app is installed after a yes. None or several: the command is shown.
prepare_device() {
  [ -z "$no_device" ] || return 0
  serials=$("$bin/clawperator" devices 2>/dev/null | tr '{' '\n' |
    sed -n 's/.*"serial":"\([A-Za-z0-9._:-]*\)".*"state":"device".*/\1/p' | sort -u)
  count=$(printf '%s' "$serials" | grep -c .) || true
  if [ "$count" = 1 ] && "$bin/clawperator" --device "$serials" doctor >/dev/null 2>&1; then return; fi
  find_package
  file=${apk:-FILE}
  case $count in
    0) say "No phone is connected. When one is: clawperator operator setup --apk $file" ;;
    1)
      say "The phone $serials needs the Operator app: clawperator operator setup --apk $file --device $serials"
      [ -n "$apk" ] || return 0
      [ -n "$yes" ] || ask "Install it?" || return 0
      if output=$("$bin/clawperator" operator setup --apk "$apk" --device "$serials" --output pretty 2>&1); then
        say "The Operator app is installed on $serials."
      else
        say "The Operator app was not installed: $(reason_of "$output")"
      fi
      ;;
    *)
      say "Several phones are connected; one is chosen with --device:"
      for serial in $serials; do say "  clawperator operator setup --apk $file --device $serial"; done
      ;;
  esac
}

# --- removing ------------------------------------------------------------------------------------------------------

# The line of the skills is of all prefixes: it goes with the last of their lines.
without_lines() {
  awk -v end="$marker" -v one="\"$prefix/bin" -v two="\"$spelled/bin" '
    function has(start) { return index($0, start ":") || index($0, start "\"") }
    {
      marked = substr($0, length($0) - length(end) + 1) == end
      skills = marked && index($0, "CLAWPERATOR_SKILLS_REGISTRY")
      path = marked && (has(one) || has(two))
    }
    NR == FNR { if (marked && !skills && !path) others = 1; next }
    !path && !(skills && !others)
  ' "$1" "$1"
}

remove_lines() {
  find_profile
  for file in "$profile" "$HOME/.bashrc" "$HOME/.zshrc" "$HOME/.profile"; do
    grep -q "$marker\$" "$file" 2>/dev/null || continue
    real=$(readlink -f "$file")
    new=$(mktemp "$real.XXXXXX" 2>/dev/null) || new=""
    if [ -n "$new" ] && cp -p "$real" "$new" && without_lines "$real" >"$new"; then
      if cmp -s "$real" "$new"; then
        rm -f "$new"
        continue
      fi
      mv -f "$new" "$real" && say "Its lines are gone from $file." && continue
    fi
    [ -z "$new" ] || rm -f "$new"
    say "Its lines are left in $file."
  done
}

# The links of `systemctl enable`, while what they lead to is there.
disable_units() {
  at_home=""
  [ -z "$HOME" ] || at_home=${XDG_CONFIG_HOME:-$HOME/.config}/systemd/user
  everywhere=""
  [ "$prefix" != /usr/local ] || everywhere=/etc/systemd
  for link in "$at_home"/*.wants/clawperator* "$everywhere"/*/*.wants/clawperator*; do
    [ -L "$link" ] || continue
    case $(canonical "$link") in
      "$prefix"/lib/systemd/* | "$prefix"/share/systemd/* | "$own"/*)
        rm -f "$link"
        rmdir "$(dirname "$link")" 2>/dev/null || true
        say "The unit ${link##*/} is no longer enabled."
        ;;
    esac
  done
}

uninstall() {
  [ -L "$own/current" ] || fail "clawperator is not installed below $prefix by this script."
  installed=yes
  trap clean EXIT
  lock
  running=$(running_below "$own")
  [ -z "$running" ] || fail "it still runs, in process $running;" \
    "end that process (a daemon: clawperator daemon stop) and do this again."
  disable_units
  linked_files "$own/current/" | unlink_files
  made=$(cat "$own/folders" 2>/dev/null) || made=""
  releases | while IFS= read -r folder; do rm -rf "$folder"; done
  rm -rf "$own"/.new.* "$own/current" "$own/folders"
  unlock
  remove_made_folders "$made
"
  [ -z "$HOME" ] || for_another_user || remove_lines
  say "clawperator is removed from $prefix."
  for kept in "$HOME/.clawperator" "$HOME/.android" "${XDG_CACHE_HOME:-$HOME/.cache}/clawperator"; do
    [ ! -e "$kept" ] || say "What you made is left: $kept"
  done
}

# -------------------------------------------------------------------------------------------------------------------

# What sudo calls "root" has the home of another user.
for_another_user() { [ -n "${SUDO_USER:-}" ] && [ "$(id -u)" = 0 ]; }

main() {
  source="" prefix="" sha256="" apk="" skills="" no_skills="" no_device="" profile_line="" yes="" removing="" made=""
  locked=""
  while [ $# -gt 0 ]; do
    case $1 in
      --prefix | --sha256 | --apk | --skills)
        [ $# -gt 1 ] || fail "$1 needs a value."
        case $1 in
          --prefix) prefix=$2 ;;
          --sha256) sha256=$2 ;;
          --apk) apk=$2 ;;
          --skills) skills=$2 ;;
        esac
        shift
        ;;
      --no-skills) no_skills=yes ;;
      --no-device) no_device=yes ;;
      --profile-line) profile_line=yes ;;
      --yes) yes=yes ;;
      --uninstall) removing=yes ;;
      -h | --help) usage && exit 0 ;;
      -*) fail "there is no option $1; see --help." ;;
      *)
        [ -z "$source" ] || fail "one source is enough: $source, $1."
        source=$1
        ;;
    esac
    shift
  done
  HOME=${HOME:-}
  [ -n "$HOME" ] || [ -n "$prefix" ] || fail "HOME is not set; give --prefix."
  if [ -z "$prefix" ]; then
    prefix=$HOME/.local
    [ "$(id -u)" != 0 ] || prefix=/usr/local
  fi
  case $prefix in
    /*) ;;
    *) prefix=$PWD/$prefix ;;
  esac
  spelled=${prefix%/}
  prefix=$(canonical "$prefix")
  prefix=${prefix%/} home_prefix=""
  [ -z "$HOME" ] || home_prefix=$(canonical "$HOME/.local")
  case $spelled:$prefix in
    *[\"\'\`\$\\%\|\&]* | *[[:space:]]*) fail "a prefix with blanks, quotes or the like is not supported: $prefix" ;;
  esac
  own=$prefix/lib/clawperator bin=$prefix/bin in_path="" staged="" installed="" release=""
  if [ -n "$removing" ]; then
    uninstall
    exit 0
  fi

  check_machine
  [ -z "$apk" ] || [ -f "$apk" ] || fail "there is no file $apk."
  if [ -z "$source" ]; then
    here=$(cd "$(dirname "$0")" && pwd -P)
    case $0 in *install.sh) [ ! -x "$here/bin/clawperator" ] || source=$here ;; esac
    [ -n "$source" ] || source=$download_url
    [ -n "$source" ] || fail "say what to install: a tarball, a folder or a URL (see --help)."
  fi
  trap clean EXIT
  trap 'exit 130' INT
  trap 'exit 141' PIPE
  trap 'exit 143' TERM HUP
  make_folder "$own" || cannot_write "$why"
  lock
  staged=$own/.new.$$
  why=$(mkdir "$staged" 2>&1) || { staged="" && cannot_write "$why"; }
  bring_tree
  check_places
  put_in_place
  installed=yes
  record_made_folders
  link_files
  make_group
  remove_former
  unlock
  warn_of_another
  if for_another_user; then
    say "The rest is the user's: clawperator skills install, then clawperator doctor"
    exit 0
  fi
  [ -n "$HOME" ] || exit 0
  install_skills
  prepare_device
  propose_lines
  say ""
  "$bin/clawperator" doctor --output pretty || true
}

# Read to its end before it begins: a part of it does nothing.
{
  main "$@"
  exit
}
