"""The rules run wherever Python does: but where it is bound to the event store, the domain needs
the standard library and msgspec alone."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
IMPORT_ALL = """
import sys
from importlib import import_module
from pathlib import Path

class Nothing:
    def find_spec(self, name, path=None, target=None):
        first = name.partition(".")[0]
        if first not in {"domain", "msgspec", *sys.stdlib_module_names}:
            raise ModuleNotFoundError(f"{name} must not be imported")

sys.meta_path.insert(0, Nothing())
files = sorted(Path("domain").rglob("*.py"))
for file in files:
    if file.parts[1] != "storage":
        import_module(".".join(file.with_suffix("").parts).removesuffix(".__init__"))
print(len(files))
"""


def test_the_domain_needs_the_standard_library_and_msgspec_alone() -> None:
    command = [sys.executable, "-I", "-c", f"import sys; sys.path.insert(0, '.')\n{IMPORT_ALL}"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) > 200
