"""The package itself: its names, its stubs, its machine."""

import ast
import re
from pathlib import Path

import pytest

import schedrig
from schedrig import _core

STUB = ast.parse((Path(schedrig.__file__).parent / "_core.pyi").read_text())


def names_of(body: list[ast.stmt]) -> set[str]:
    return {
        statement.name if isinstance(statement, (ast.ClassDef, ast.FunctionDef)) else name
        for statement in body
        for name in [ast.unparse(statement.target) if isinstance(statement, ast.AnnAssign) else ""]
        if isinstance(statement, (ast.ClassDef, ast.FunctionDef, ast.AnnAssign))
    }


def stub_functions() -> list[tuple[str, ast.FunctionDef]]:
    functions = []
    for statement in STUB.body:
        if isinstance(statement, ast.FunctionDef):
            functions.append((statement.name, statement))
        elif isinstance(statement, ast.ClassDef):
            functions += [
                (f"{statement.name}.{inner.name}", inner)
                for inner in statement.body
                if isinstance(inner, ast.FunctionDef)
            ]
    return functions


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


@pytest.mark.parametrize(
    "stub", [node for node in STUB.body if isinstance(node, ast.ClassDef)], ids=lambda n: n.name
)
def test_the_stub_names_what_each_class_has(stub: ast.ClassDef) -> None:
    bound = getattr(_core, stub.name)
    if issubclass(bound, Exception):
        return
    of_every_object = {"__init__", "__repr__", "__eq__", "__hash__", "__match_args__"}
    members = {name for name in vars(bound) if name not in dir(object)}
    assert names_of(stub.body) - of_every_object == members - of_every_object


@pytest.mark.parametrize("path, stub", stub_functions(), ids=lambda value: str(value))
def test_the_stub_names_the_arguments(path: str, stub: ast.FunctionDef) -> None:
    signature = (getattr(look_up(path), "__doc__") or "").partition("\n")[0]
    bound = re.findall(r"[(,] ?\*{0,2}(\w+): ", signature)
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


@pytest.mark.parametrize(
    "name", [node.name for node in STUB.body if isinstance(node, ast.FunctionDef)]
)
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
