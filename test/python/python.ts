// Runs the Python package from its wheel, in Python 3.9 or newer. Without one, its tests are skipped with a message.

import { spawn, spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { buildWheel } from '../../scripts/build-python.ts';

const DRIVER = fileURLToPath(new URL('./driver.py', import.meta.url));

/** Path of the interpreter; prints a message if there is none. */
function findPython(): string | undefined {
  const { status } = spawnSync('python3', ['-c', 'import sys; sys.exit(sys.version_info < (3, 9))']);
  if (status === 0) return 'python3';
  console.log('python3 (3.9 or newer) is not installed; the tests of the Python package are skipped');
  return undefined;
}

export const PYTHON = findPython();

/** Ways to check a signature: with the library `cryptography`, if it is installed, and without it. */
export type Backend = 'cryptography' | 'python';

function findBackends(): readonly Backend[] {
  if (PYTHON === undefined) return ['python'];
  const { status } = spawnSync(PYTHON, ['-c', 'import cryptography.hazmat.primitives.asymmetric.ed25519']);
  if (status === 0) return ['cryptography', 'python'];
  console.log('cryptography is not installed; its half of the tests of the Python package is skipped');
  return ['python'];
}

export const BACKENDS = findBackends();

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the interpreter with the wheel alone on its path. */
export function python(args: readonly string[], input = ''): Promise<Ended> {
  const { PYTHONPATH: _, http_proxy: __, ...environment } = process.env;
  const env = { ...environment, PYTHONPATH: buildWheel(), PYTHONDONTWRITEBYTECODE: '1', PYTHONIOENCODING: 'utf-8' };
  return new Promise((resolve, reject) => {
    const child = spawn(PYTHON ?? '', args, { env });
    let [stdout, stderr] = ['', ''];
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr += text;
    });
    // An interpreter that ends early closes its input; its error stream says why.
    child.stdin.on('error', () => {});
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, stdout, stderr }));
    child.stdin.end(input);
  });
}

export type Task = Readonly<Record<string, unknown>> & { readonly do: string };
export type Found = Readonly<Record<string, unknown>>;

/** Answers of driver.py to tasks, in their order. @throws Error with what it wrote, unless it answers them all */
export async function drive(tasks: readonly Task[], backend: Backend = 'python'): Promise<readonly Found[]> {
  const lines = tasks.map((task) => `${JSON.stringify(task)}\n`).join('');
  const { code, stdout, stderr } = await python([DRIVER, backend], lines);
  const answers = stdout.split('\n').filter(Boolean);
  if (code !== 0 || answers.length !== tasks.length)
    throw new Error(`driver.py ended with ${code} after ${answers.length} of ${tasks.length} tasks\n${stderr}`);
  return answers.map((line) => JSON.parse(line) as Found);
}
