#!/usr/bin/env python3
"""Our Debian packages: lintian, and their life in a fresh root of their release (inside.sh). And the library: the
example builds against what is installed, and lists the devices of an adb server.

usage: tests/packages/run.py [RELEASE ARCHITECTURE FOLDER]

Without arguments the packages are made of build/release, for this machine; with them those of FOLDER are tested
(tools/packages makes them). Last line: `N passed, N failed`."""
import concurrent.futures
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path[:0] = [str(ROOT / "tests/support"), str(ROOT / "tests/peer"), str(ROOT / "packaging")]
sys.dont_write_bytecode = True
import limits
import peer
import release as release_files

PROGRAM_SOURCES = (ROOT / "src").rglob("*.cpp")
LIMIT_S = limits.scaled(300)
LOADED = re.compile(r'LoadedLibrary library\("([^"]+)"')
RECOMMENDED = ("Depends", "Pre-Depends", "Recommends")


def run(*command, **options):
    """(exit status, output); None is the status of what ran too long."""
    try:
        done = subprocess.run([str(word) for word in command], cwd=ROOT, text=True, errors="replace",
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              timeout=LIMIT_S, check=False, **options)
    except subprocess.TimeoutExpired as late:
        return None, (late.stdout or b"").decode(errors="replace") + f"no end after {LIMIT_S:.0f} s"
    return done.returncode, done.stdout


def own_release():
    return dict(line.split("=", 1) for line in pathlib.Path("/etc/os-release").read_text().splitlines())[
        "VERSION_CODENAME"].strip('"')


def own_architecture():
    return run("dpkg", "--print-architecture")[1].strip()


def field(package, name):
    return run("dpkg-deb", "-f", package, name)[1].strip()


def needed(packages):
    """Names of what the packages depend on and recommend; the first of alternatives, without versions."""
    clauses = [clause for package in packages for name in RECOMMENDED for clause in field(package, name).split(",")]
    return sorted({re.match(r"[^ (|]*", clause.strip()).group() for clause in clauses} - {""})


def newer(package, folder):
    """The same with a revision that follows: its version."""
    tree = folder / "tree"
    version = re.sub("-1", "-2", field(package, "Version"), count=1)
    status, said = run("dpkg-deb", "-R", package, tree)
    control = tree / "DEBIAN/control"
    control.write_text(re.sub("^Version: .*", f"Version: {version}", control.read_text(), flags=re.MULTILINE))
    (folder / "newer").mkdir()
    if status == 0:
        status, said = run("dpkg-deb", "--root-owner-group", "-Znone", "-b", tree, folder / "newer/clawperator_2.deb")
    if status != 0:
        raise RuntimeError(said)
    return version


def check(name, holds, why):
    print(f"ok: {name}" if holds else f"FAIL: packages.{name}: {' '.join(why.split())[-2000:]}")
    return holds


def lint(packages):
    """No error and no warning; an override has its reason in the line before."""
    status, said = run("lintian", "--allow-root", "--fail-on", "error,warning", *packages)
    yield check("lintian", status == 0, said)
    for file in sorted((ROOT / "packaging/debian").glob("*.lintian-overrides")):
        lines = file.read_text().splitlines()
        bare = [line for before, line in zip(["", *lines], lines) if not (before + line).startswith("#")]
        yield check(f"reasons.{file.stem}", not bare, f"no reason: {bare}")


def rule_is_early():
    """73-seat-late.rules reads the tag."""
    rules = [path for path in (ROOT / "packaging/udev").iterdir() if 'TAG+="uaccess"' in path.read_text()]
    return check("udev_rule_is_early", rules and all(path.name < "73" for path in rules), str(rules))


def fresh_root(release, architecture, packages):
    """(folder, None), or (None, why there is none): made once, and copied for each run."""
    place = ROOT / f"build/packages/fresh-{release}-{architecture}"
    # Under qemu-user umockdev cannot show a USB bus to udev.
    usb = ["udev", "umockdev"] if architecture == own_architecture() else []
    status, said = run("tools/debian_root", "make", "--architecture", architecture, release, place, *needed(packages),
                       *usb)
    if status not in (0, 3):
        raise RuntimeError(said)
    return (place, None) if status == 0 else (None, said.strip().splitlines()[-1])


def life(place, packages):
    """What inside.sh says in a fresh root."""
    with tempfile.TemporaryDirectory(prefix="packages-", dir=place.parent) as name:
        trial = pathlib.Path(name)
        run("cp", "-a", "--reflink=auto", place / "root", trial / "root")
        # The tarball of another architecture runs in such a root alone.
        more = [file for name in ("*.tar.gz", "install.sh", "SHA256SUMS") for file in packages[0].parent.glob(name)]
        for file in [*packages, *more]:
            shutil.copy(file, trial)
        program = next(package for package in packages if field(package, "Package") == "clawperator")
        status, said = run("tools/debian_root", "run", trial, "sh", "tests/packages/inside.sh",
                           field(program, "Version").split("-")[0], newer(program, trial), trial)
        print(said, end="")
        yield from (line.startswith("ok: ") for line in said.splitlines() if line.startswith(("ok: ", "FAIL: ")))
        yield check("life_ends", status == 0, f"inside.sh ended with {status}: {said[-500:]}")


def news_of(packages):
    """The changelog begins with the version that is packed."""
    version = field(packages[0], "Version").split("-")[0]
    first = re.search(r"^## (.*)$", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE).group(1)
    return check("changelog", first.split(",")[0] == version, f"{first} is not {version}")


def loaded_libraries():
    """`version --json`, from which Recommends are made, has each library that the sources load by name."""
    named = {each["file"] for each in json.loads(run(peer.BINARY, "version", "--json")[1])["libraries"]["loaded"]}
    found = {name for path in PROGRAM_SOURCES for name in LOADED.findall(path.read_text())}
    # The version of libgit2 is not in the sources.
    named = {re.sub(r"(libgit2\.so\.).*", r"\1", name) for name in named}
    return check("loaded_libraries", found == named and len(found) > 10,
                 f"{sorted(found)} are loaded, {sorted(named)} named")


def library():
    """Installed into a folder, built against from another one."""
    with tempfile.TemporaryDirectory(prefix="library-") as name:
        prefix, build = pathlib.Path(name) / "installed", pathlib.Path(name) / "build"
        compiler = shutil.which("clang++-19") or "c++"
        for step in (["cmake", "--install", peer.BUILD, "--prefix", prefix, "--component", "adbproto"],
                     ["cmake", "-S", ROOT / "docs/examples/adbproto", "-B", build, "-G", "Ninja",
                      f"-DCMAKE_CXX_COMPILER={compiler}", f"-DCMAKE_PREFIX_PATH={prefix}"],
                     ["cmake", "--build", build]):
            status, said = run(*step)
            if status != 0:
                yield check("library.builds", False, said)
                return
        yield check("library.builds", True, "")
        home, device = peer.Home(), peer.Simdroid()
        server = peer.AdbServer(home)
        try:
            serial = server.connect(device)
            status, said = run(build / "list_devices", env=server.environment)
            yield check("library.lists_devices", status == 0 and f"{serial} device " in said, said)
        finally:
            server.stop()
            device.stop()
            home.remove()
        status, said = run(build / "list_devices", env=server.environment)
        yield check("library.no_server_is_an_error", status == 1 and "cannot connect to 127.0.0.1" in said, said)


def made_of_tarball(tarball):
    """What the tarball of another architecture becomes here: wheel, npm package and bundle, each with its program."""
    with tempfile.TemporaryDirectory(prefix="made-") as name:
        folder = pathlib.Path(name)
        for step in (["packaging/wheel", tarball, "--out", folder], ["packaging/npm", tarball, "--out", folder / "npm"],
                     ["tar", "-xzf", tarball, "-C", folder],
                     ["packaging/mcp/make.py", folder / tarball.name.removesuffix(".tar.gz"), folder / "mcp",
                      "--asked", peer.BINARY]):
            status, said = run(*step)
            yield check(f"{pathlib.Path(step[0]).name}_of_the_tarball", status == 0, said)
        for number, archive in enumerate([*folder.glob("*.whl"), *folder.glob("mcp/*.mcpb")]):
            shutil.unpack_archive(archive, folder / f"unpacked-{number}", "zip")
        programs = [path for pattern in ("unpacked-*/**/bin/clawperator", "unpacked-*/**/scripts/clawperator",
                                         "npm/clawperator-linux-*/bin/clawperator") for path in folder.glob(pattern)]
        arches = [release_files.arch_of(path) for path in programs]
        yield check("programs_of_the_tarball", arches == ["aarch64"] * 3, str(arches))


def image(packages):
    """The Dockerfile, built by an engine of this machine; the build runs the installed program."""
    here = [name for name in ("docker", "podman", "buildah") if shutil.which(name)]
    engine = next((name for name in here if run(name, "info")[0] == 0), None)
    if engine is None:
        print("SKIP: packages.image: no docker, podman or buildah works here")
        return
    with tempfile.TemporaryDirectory(prefix="image-") as name:
        program = shutil.copy(next(each for each in packages if field(each, "Package") == "clawperator"), name)
        status, said = run(engine, "build", "--tag", "clawperator-tested", "--file", ROOT / "packaging/Dockerfile",
                           "--build-arg", f"DEB={pathlib.Path(program).name}", name)
    if status != 0 and "Setting up" not in said:
        print(f"SKIP: packages.image: {engine} cannot download: {said.strip().splitlines()[-1]}")
    else:
        run(engine, "rmi", "clawperator-tested")
        yield check("image", status == 0, said)


def packed():
    """Of the release build, for this machine."""
    folder = peer.BUILD.with_name(peer.BUILD.name + "-packages")
    for old in folder.glob("*.deb"):
        old.unlink()
    status, said = run("cpack", "--config", peer.BUILD / "CPackConfig.cmake")
    return folder if check("cpack", status == 0, said) else None


def main():
    results = []
    of_this_build = len(sys.argv) != 4
    release, architecture, folder = (own_release(), own_architecture(), None) if of_this_build else sys.argv[1:]
    if of_this_build:
        folder = packed()
        results += [folder is not None, loaded_libraries(), rule_is_early()]
    packages = sorted(pathlib.Path(folder).glob("*.deb")) if folder else []
    results.append(check("both", len(packages) == 2, str(packages)))
    if results[-1]:
        with concurrent.futures.ThreadPoolExecutor(1) as pool:
            root = pool.submit(fresh_root, release, architecture, packages)
            results += [news_of(packages), *lint(packages), *(library() if of_this_build else ())]
        for tarball in pathlib.Path(folder).glob("*-aarch64.tar.gz"):
            results += made_of_tarball(tarball)
        place, reason = root.result()
        if place:
            results += life(place, packages)
        else:
            print(f"SKIP: packages.life: {reason}")
        if of_this_build and release == "bookworm":  # the image's release
            results += image(packages)
    print(f"{results.count(True)} passed, {results.count(False)} failed")
    return results.count(False) != 0


sys.exit(main())
