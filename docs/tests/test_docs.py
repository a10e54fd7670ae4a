"""What the documents show is what happens: every example is run and compared with what is shown.

A page's fenced blocks are run in its order, in a folder of its own that starts empty, so that
they find schedrig.db where a reader would. What differs from machine to machine and from run to
run (numbers, the kernel's name, what a PMU would add) is taken out of both sides first. "..."
stands for whatever comes there.

    ```console              shell commands after "$ " ("> " continues one) and what they print;
                            the last one's status is 0
    ```console exit=4       the same with another status
    ```console machine      what is shown depends on the machine: it is run, not compared
    ```python               a script, or doctest's examples
    ```toml                 a plan
    ```sql                  a query of schedrig.db
    ```cpp file=NAME        NAME of examples/PAGE/, whole
"""

import contextlib
import doctest
import os
import pathlib
import re
import sqlite3
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass, field

import pytest

DOCS = pathlib.Path(__file__).resolve().parents[1]
ROOT = DOCS.parent
PAGES = [ROOT / "README.md", *sorted(DOCS.glob("*.md"))]
NAMES = [page.stem for page in PAGES]
MANUALS = sorted(DOCS.glob("*.1"))
PROGRAM = pathlib.Path(os.environ["SCHEDRIG_PROGRAM"])
COMMANDS = ("run", "stat", "compare", "list", "doctor")
LISTS = ("workloads", "placements", "events", "passes", "boots", "runs", "cells", "trials")


@dataclass(frozen=True)
class Block:
    """A fenced block of a page."""

    language: str
    words: tuple[str, ...]
    text: str
    line: int


@dataclass
class Shown:
    """A command of a console block, and what the page says it prints."""

    command: str
    output: list[str] = field(default_factory=list)


def blocks_of(page: pathlib.Path) -> Iterator[Block]:
    fence = re.compile(r"^```(\w+)?([^\n]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
    text = page.read_text()
    for found in fence.finditer(text):
        line = text.count("\n", 0, found.start()) + 1
        yield Block(found[1] or "", tuple(found[2].split()), found[3], line)


def commands_of(block: Block) -> list[Shown]:
    commands: list[Shown] = []
    for line in block.text.splitlines():
        if line.startswith("$ "):
            commands.append(Shown(line.removeprefix("$ ")))
        elif line.startswith("> ") and not commands[-1].output:
            commands[-1].command += "\n" + line.removeprefix("> ")
        else:
            commands[-1].output.append(line)
    return commands


def environment() -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if name != "SCHEDRIG_STORE"}
    path = f"{PROGRAM.parent}:{os.environ['PATH']}"
    plain = {"COLUMNS": "80", "LC_ALL": "C.UTF-8", "BOOST_TEST_COLOR_OUTPUT": "no"}
    return kept | plain | {"PATH": path}


def run(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [PROGRAM, *words], env=environment(), text=True, capture_output=True, timeout=60
    )


NUMBER = r"\d[\d,]*(?:\.\d+)?"
BLURS = [
    (r"\((?:[+-][\d.,]+(?: ±[\d.,]+)?|-)\)", "(DIFFERENCE)"),
    (r"\bkernel \S+(?: \(build \w+\))?,", "kernel K,"),
    (r"on \S+, boot id [\w-]+", "on HOST, boot id B"),
    (r"\bCPUs? \d[\d,-]*", "CPU N"),
    (r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d", "TIME"),
    (NUMBER, "N"),
]
DEPENDS_ON_MACHINE = re.compile(r"<not supported>|<not counted>|counted by task: this user")


def blurred(lines: list[str]) -> list[str]:
    """The paragraphs of an output, without what a figure's size or the machine changes.

    A longer figure breaks a line elsewhere, so that lines are put together first: a table is a
    sentence of many words.
    """
    paragraphs: list[str] = []
    for line in lines:
        if line.startswith(" ") and paragraphs:
            paragraphs[-1] += " " + line.strip()
        elif line:
            paragraphs.append(line.strip())
    kept = [text for text in paragraphs if not DEPENDS_ON_MACHINE.search(text)]
    for pattern, word in BLURS:
        kept = [re.sub(pattern, word, text) for text in kept]
    return [re.sub(r"\s+", " ", text) for text in kept]


def pattern_of(shown: list[str]) -> re.Pattern[str]:
    text = re.escape(" ".join(blurred(shown)))
    return re.compile(text.replace(re.escape("..."), ".*"))


def check_console(block: Block, folder: pathlib.Path, place: str) -> None:
    """One shell for the block; a mark after each command ends its output and tells its status."""
    commands = commands_of(block)
    mark = "--end of an example, status "
    script = "".join(f"{shown.command}\nprintf '\\n{mark}%s\\n' $?\n" for shown in commands)
    done = subprocess.run(
        ["bash", "-c", script],
        cwd=folder,
        env=environment(),
        text=True,
        timeout=300,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )
    parts = re.findall(rf"(.*?)\n{mark}(\d+)\n", done.stdout, re.DOTALL)
    assert len(parts) == len(commands), f"{place}: the shell stopped early: {done.stdout}"
    wanted = next((int(w.removeprefix("exit=")) for w in block.words if w.startswith("exit=")), 0)
    for shown, (output, status) in zip(commands, parts):
        last = shown is commands[-1]
        where = f"{place}: $ {shown.command}\nprinted\n{output}"
        if "machine" in block.words:
            assert int(status) in (0, 4), where
            continue
        assert int(status) == (wanted if last else 0), f"{where}\nwith status {status}"
        got = " ".join(blurred(output.splitlines()))
        pattern = pattern_of(shown.output)
        assert pattern.fullmatch(got), f"{where}\nwhich is\n{got}\ninstead of\n{pattern.pattern}"


def check_python(block: Block, names: dict[str, object], page: pathlib.Path) -> None:
    if ">>>" not in block.text:
        exec(compile(block.text, f"{page}:{block.line}", "exec"), names)
        return
    flags = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
    test = doctest.DocTestParser().get_doctest(block.text, names, page.name, str(page), block.line)
    runner = doctest.DocTestRunner(optionflags=flags, verbose=False)
    report: list[str] = []
    runner.run(test, out=report.append, clear_globs=False)
    assert runner.failures == 0, "".join(report)
    names.update(test.globs)


def check_plan(block: Block, folder: pathlib.Path, place: str) -> None:
    plan = folder / "example.toml"
    plan.write_text(block.text)
    done = run("run", "--plan", str(plan), "--print-plan")
    assert done.returncode == 0, f"{place}: {done.stderr}"


@pytest.fixture(scope="session")
def machine_to_measure_on() -> None:
    """Examples make groups and measure; where that cannot be, they are skipped with the reason."""
    version = run("--version").stdout
    if "Release build)" not in version:
        pytest.skip(f"only a release build may measure: {version.splitlines()[0]}")
    doctor = run("doctor")
    assert doctor.stdout, doctor.stderr
    if not re.search(r"^ok +control groups", doctor.stdout, re.MULTILINE):
        pytest.skip(f"no control groups here:\n{doctor.stdout}")


def test_there_are_pages_and_manuals() -> None:
    assert len(PAGES) > 1
    assert {manual.stem for manual in MANUALS} == {
        "schedrig",
        "schedrig-suite",
        *(f"schedrig-{command}" for command in COMMANDS),
    }


@pytest.mark.usefixtures("machine_to_measure_on")
@pytest.mark.parametrize("page", PAGES, ids=NAMES)
def test_the_examples_of_a_page_do_what_it_says(
    page: pathlib.Path, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("SCHEDRIG_STORE", raising=False)
    names: dict[str, object] = {}
    for block in blocks_of(page):
        place = f"{page.name}:{block.line}"
        if block.language == "console":
            check_console(block, tmp_path, place)
        elif block.language == "python":
            check_python(block, names, page)
        elif block.language == "toml":
            check_plan(block, tmp_path, place)
        elif block.language == "sql":
            with contextlib.closing(sqlite3.connect(tmp_path / "schedrig.db")) as store:
                store.execute(block.text.strip())
        else:
            assert block.language in ("text", "cpp"), f"{place}: who checks '{block.language}'?"


@pytest.mark.parametrize("page", PAGES, ids=NAMES)
def test_quoted_files_stand_on_the_page_as_they_are(page: pathlib.Path) -> None:
    folder = DOCS / "examples" / page.stem
    quoted = set()
    for block in blocks_of(page):
        for word in block.words:
            if word.startswith("file="):
                file = folder / word.removeprefix("file=")
                assert block.text == file.read_text(), f"{page.name}:{block.line} is not {file}"
                quoted.add(file)
    files = {file for file in folder.rglob("*") if file.is_file()}
    assert quoted == files, f"{page.name} does not show {files - quoted}"


@pytest.mark.parametrize("page", PAGES, ids=NAMES)
def test_links_lead_somewhere(page: pathlib.Path) -> None:
    prose = re.sub(r"^```.*?^```$", "", page.read_text(), flags=re.MULTILINE | re.DOTALL)
    for link in re.findall(r"\]\(([^)#]+)[^)]*\)", prose):
        if "://" not in link:
            assert (page.parent / link).exists(), f"{page.name} has a link to {link}"


def options_in(help_text: str) -> set[str]:
    return set(re.findall(r"^ +(?:-\w,)?(--[a-z][a-z-]*)", help_text, re.MULTILINE))


def options_of_all() -> set[str]:
    helps = [run(command, "--help").stdout for command in COMMANDS]
    helps += [run("list", what, "--help").stdout for what in LISTS]
    return options_in(run("--help").stdout).union(*map(options_in, helps))


@pytest.mark.parametrize("command", ("", *COMMANDS))
def test_a_manual_has_exactly_the_options_of_its_command(command: str) -> None:
    manual = DOCS / (f"schedrig-{command}.1" if command else "schedrig.1")
    options = options_in(run(*command.split(), "--help").stdout)
    if command == "list":
        options = options.union(*(options_in(run("list", w, "--help").stdout) for w in LISTS))
    described = set(re.findall(r"^\.It .*?Fl -([a-z][a-z-]*)", manual.read_text(), re.MULTILINE))
    assert {f"--{name}" for name in described} == options


def test_the_manuals_have_every_command() -> None:
    helped = re.findall(r"^  ([a-z]+) {2,}", run("--help").stdout, re.MULTILINE)
    assert sorted(helped) == sorted(COMMANDS)
    listed = re.findall(r"^  ([a-z]+) {2,}", run("list", "--help").stdout, re.MULTILINE)
    assert sorted(listed) == sorted(LISTS)
    for command in COMMANDS:
        assert f".Xr schedrig-{command} 1" in (DOCS / "schedrig.1").read_text()
    for what in LISTS:
        assert re.search(rf"^\.It Cm {what}", (DOCS / "schedrig-list.1").read_text(), re.MULTILINE)


def test_every_option_of_schedrig_is_explained_on_a_page() -> None:
    pages = "".join(page.read_text() for page in PAGES)
    words = set(re.findall(r"--[a-z][a-z-]*", pages))
    assert options_of_all() - words == set()


@pytest.mark.parametrize("page", PAGES, ids=NAMES)
def test_a_page_names_no_option_that_schedrig_does_not_have(page: pathlib.Path) -> None:
    text = page.read_text()
    calls = re.findall(r"\bschedrig (?:run|stat|compare|list|doctor)\b[^`\n|]*", text)
    alone = re.findall(r"`(--[a-z][a-z-]*)[ =`]", text)
    named = {option for call in calls for option in re.findall(r" (--[a-z][a-z-]*)", call)}
    unknown = named.union(alone) - options_of_all()
    assert unknown == set()


def test_the_table_of_plan_keys_is_whole(tmp_path: pathlib.Path) -> None:
    wrong = tmp_path / "wrong.toml"
    wrong.write_text("xyzzyxyzzy = 1\n")
    told = re.search(r"it has: (.*)", run("run", "--plan", str(wrong)).stderr)
    assert told
    rows = re.findall(r"^\| `(\w+)` \|", (DOCS / "plans.md").read_text(), re.MULTILINE)
    assert sorted(rows) == sorted(told[1].split(", "))


@pytest.mark.usefixtures("machine_to_measure_on")
def test_the_table_of_the_views_columns_is_whole(tmp_path: pathlib.Path) -> None:
    store = tmp_path / "schedrig.db"
    assert run("run", "empty", "--repeat", "1", "--store", str(store)).returncode == 0
    with contextlib.closing(sqlite3.connect(store)) as database:
        columns = {row[1] for row in database.execute("PRAGMA table_info(observation)")}
        tables = {row[0] for row in database.execute("SELECT name FROM sqlite_schema")}
    rows = re.findall(r"^\| (`.*?`) \|", (DOCS / "the-store.md").read_text(), re.MULTILINE)
    named = {name for row in rows for name in re.findall(r"`(\w+)`", row)}
    wanted = {name for name in tables if not name.startswith(("sqlite_", "boot_by", "trial_by"))}
    assert named == columns | wanted - {"observation"}
