import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * A module for any Python 3 from 3.2 on: only what is in the stable ABI, declared here so that no Python headers are
 * needed where it is compiled.
 */
const SOURCE = `
typedef struct _object PyObject;
typedef struct { long ob_refcnt; void *ob_type; PyObject *(*m_init)(void); long m_index; PyObject *m_copy; } ModuleBase;
typedef struct { const char *ml_name; PyObject *(*ml_meth)(PyObject *, PyObject *); int ml_flags; const char *ml_doc; } Method;
typedef struct { ModuleBase m_base; const char *m_name; const char *m_doc; long m_size; Method *m_methods; void *m_slots, *m_traverse, *m_clear, *m_free; } ModuleDef;
extern PyObject *PyModule_Create2(ModuleDef *, int);
extern PyObject *PyLong_FromLong(long);
extern int PyArg_ParseTuple(PyObject *, const char *, ...);
static PyObject *add(PyObject *self, PyObject *args) {
  long left, right;
  (void)self;
  if (!PyArg_ParseTuple(args, "ll", &left, &right)) return 0;
  return PyLong_FromLong(left + right);
}
static Method methods[] = {{"add", add, 1, 0}, {0, 0, 0, 0}};
static ModuleDef module = {{1, 0, 0, 0, 0}, "_compiled_one", 0, -1, methods, 0, 0, 0, 0};
PyObject *PyInit__compiled_one(void) { return PyModule_Create2(&module, 1013); }
`;

/** Compiles the module with this machine's C compiler. @returns the shared object */
export function compileExtension(): Uint8Array {
  const directory = mkdtempSync(join(tmpdir(), 'caisson-extension-'));
  try {
    writeFileSync(join(directory, 'module.c'), SOURCE);
    execFileSync('cc', ['-shared', '-fPIC', '-O1', '-o', 'module.so', 'module.c'], { cwd: directory, stdio: 'pipe' });
    return readFileSync(join(directory, 'module.so'));
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

/** A command that makes a wheel of `_compiled_one.abi3.so` in the present directory. */
export const MAKE_WHEEL = `python3 - <<'E'
import base64, hashlib, os, zipfile
files = {
  'compiled_one/__init__.py': b'from ._compiled_one import add\\n',
  'compiled_one/_compiled_one.abi3.so': open('_compiled_one.abi3.so', 'rb').read(),
  'compiled_one-1.0.dist-info/METADATA': b'Metadata-Version: 2.1\\nName: compiled-one\\nVersion: 1.0\\n',
}
tag = 'cp32-abi3-linux_' + os.uname().machine
files['compiled_one-1.0.dist-info/WHEEL'] = ('Wheel-Version: 1.0\\nGenerator: test\\nRoot-Is-Purelib: false\\nTag: ' + tag + '\\n').encode()
record = ''.join(
  name + ',sha256=' + base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b'=').decode() + ',' + str(len(data)) + '\\n'
  for name, data in files.items()
) + 'compiled_one-1.0.dist-info/RECORD,,\\n'
with zipfile.ZipFile('compiled_one-1.0-' + tag + '.whl', 'w') as wheel:
    for name, data in files.items():
        wheel.writestr(name, data)
    wheel.writestr('compiled_one-1.0.dist-info/RECORD', record)
E`;
