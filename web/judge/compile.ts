/**
 * Compiles the Python in an archive, by the very Python that runs it in the page: that starts in a
 * third of the time then.
 *
 *     node judge/compile.ts ARCHIVE
 */

import { readFileSync, writeFileSync } from "node:fs";
import { loadPyodide } from "pyodide";

const [file = ""] = process.argv.slice(2);
const pyodide = await loadPyodide();
const archive = new Uint8Array(readFileSync(file)).buffer;
pyodide.unpackArchive(archive, "zip", { extractDir: "/emeth" });
pyodide.runPython(`
import compileall, zipfile
from pathlib import Path
from py_compile import PycInvalidationMode

home = Path("/emeth")
# Nobody changes the sources in a page, so nothing is compared with them when it starts.
compileall.compile_dir(home, quiet=1, invalidation_mode=PycInvalidationMode.UNCHECKED_HASH)
with zipfile.ZipFile("/compiled.zip", "w") as packed:
    for path in sorted(each for each in home.rglob("*") if each.is_file()):
        # The same sources make the same bytes, whenever it is built.
        name = zipfile.ZipInfo(str(path.relative_to(home)), (1980, 1, 1, 0, 0, 0))
        packed.writestr(name, path.read_bytes(), zipfile.ZIP_DEFLATED)
`);
writeFileSync(file, pyodide.FS.readFile("/compiled.zip") as Uint8Array);
