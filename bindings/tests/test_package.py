"""The package itself: its names, its stubs, its machine."""

import ast
import re
from collections.abc import Iterable
from pathlib import Path

import pytest

import schedrig
from schedrig import _core

STUB = ast.parse((Path(schedrig.__file__).parent / "_core.pyi").read_text())
CLASSES = {node.name: node for node in STUB.body if isinstance(node, ast.ClassDef)}
FUNCTIONS = {node.name: node for node in STUB.body if isinstance(node, ast.FunctionDef)}
METHODS = {
    f"{owner}.{node.name}": node
    for owner, stub in CLASSES.items()
    for node in stub.body
    if isinstance(node, ast.FunctionDef)
}


def names_of(body: list[ast.stmt]) -> set[str]:
    names = set()
    for statement in body:
        if isinstance(statement, (ast.ClassDef, ast.FunctionDef)):
            names.add(statement.name)
        elif isinstance(statement, ast.AnnAssign):
            names.add(ast.unparse(statement.target))
    return names


def public(names: Iterable[str]) -> set[str]:
    return {name for name in names if not name.startswith("_") or name == "__len__"}


def look_up(path: str) -> object:
    found: object = _core
    for name in path.split("."):
        found = getattr(found, name)
    return found


def test_the_stub_names_what_the_module_has() -> None:
    hidden = {name for name in vars(_core) if re.fullmatch("__.*__", name)} - {"__version__"}
    assert names_of(STUB.body) == set(vars(_core)) - hidden


def test_the_package_re_exports_what_the_module_has() -> None:
    assert set(schedrig.__all__) == names_of(STUB.body)
    assert schedrig.__all__ == sorted(schedrig.__all__)


@pytest.mark.parametrize("name", CLASSES)
def test_the_stub_names_what_each_class_has(name: str) -> None:
    bound = getattr(_core, name)
    if not issubclass(bound, Exception):
        assert public(names_of(CLASSES[name].body)) == public(vars(bound))


@pytest.mark.parametrize("path", FUNCTIONS.keys() | METHODS.keys())
def test_the_stub_names_the_arguments(path: str) -> None:
    stub = (FUNCTIONS | METHODS)[path]
    # pybind11 writes "name(first: type, *, second: type = usual) -> type" above the docstring.
    signature = (getattr(look_up(path), "__doc__") or "").partition("\n")[0]
    assert signature.startswith(stub.name + "(")
    bound = re.findall(r"[(,] ?(\w+): ", signature)
    named = [argument.arg for argument in stub.args.args + stub.args.kwonlyargs]
    assert [name for name in bound if name != "self"] == [name for name in named if name != "self"]


@pytest.mark.parametrize("name", sorted(set(schedrig.__all__) - {"__version__"}))
def test_everything_public_says_what_it_is(name: str) -> None:
    bound = getattr(schedrig, name)
    assert bound.__module__ == "schedrig"
    assert bound.__doc__
    for member, value in vars(bound).items() if isinstance(bound, type) else ():
        if not member.startswith("_"):
            assert value.__doc__, member


@pytest.mark.parametrize("name", FUNCTIONS)
def test_every_function_has_an_example(name: str) -> None:
    assert ">>> " in getattr(schedrig, name).__doc__


def test_a_machine_gives_or_refuses_every_placement() -> None:
    machine = schedrig.machine()
    assert machine.placements["all"] == machine.allowed
    assert not machine.placements.keys() & machine.refusals.keys()
    assert all(machine.refusals.values())
    assert machine.workload_program.exists()
    assert any(finding.what == "CPUs" and finding.there for finding in machine.findings)


def test_workloads_declare_their_parameters() -> None:
    (entry,) = [entry for entry in schedrig.workloads() if entry.name == "pipe-ping-pong"]
    assert [parameter.name for parameter in entry.parameters] == ["loops", "tasks"]
    loops = entry.parameters[0]
    assert loops.allowed.startswith("1 to ")
    assert int(loops.usual) > 0


def test_another_machines_description_is_unavailable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HWLOC_SYNTHETIC", "pack:2 core:4 pu:2")
    with pytest.raises(schedrig.Unavailable) as refusal:
        schedrig.machine()
    assert refusal.value.why == "hwloc describes another machine than this one"
    assert "HWLOC_SYNTHETIC" in refusal.value.remedy
    assert str(refusal.value) == f"{refusal.value.why}\n  to change it: {refusal.value.remedy}"


def test_a_missing_workload_program_names_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SCHEDRIG_WORKLOAD", "/nowhere/schedrig-workload")
    heard: list[schedrig.TrialRecord] = []
    plan = schedrig.Plan("empty", countings="off", repeat=1, warm_up=0)
    try:
        schedrig.run(plan, "runs.db", lambda now: heard.append(now.trial), allow_debug=True)
    except (OSError, schedrig.Unavailable) as error:
        assert "/nowhere/schedrig-workload" in str(error)
    else:
        assert [trial.validity for trial in heard] == ["failed"]
        assert "/nowhere/schedrig-workload" in heard[0].reason
