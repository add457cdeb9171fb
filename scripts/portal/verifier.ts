// The verifier: page, script, style and kernels in one HTML file whose policy lets it run its own script and nothing else.

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { build, type Rolldown } from 'vite';
import { ROOT } from '../compile-kernel.ts';
import { kernelSlugs, loadKernel } from '../../src/kernels/load-node.ts';

const ROOM = join(ROOT, 'src/portal/verifier');

export async function buildVerifier(): Promise<string> {
  const kernels: Record<string, string> = {};
  for (const slug of await kernelSlugs()) kernels[slug] = Buffer.from((await loadKernel(slug)).bytes).toString('base64');
  const built = await build({
    configFile: false,
    root: ROOM,
    logLevel: 'error',
    define: { __KERNELS__: JSON.stringify(kernels) },
    build: {
      write: false,
      target: 'es2022',
      cssCodeSplit: false,
      modulePreload: false,
      rolldownOptions: { input: join(ROOM, 'main.ts'), output: { codeSplitting: false } },
    },
  });
  const { output } = built as Rolldown.RolldownOutput;
  const scripts = output.flatMap((one) => (one.type === 'chunk' ? [one.code] : []));
  const [script] = scripts;
  const style = output.flatMap((one) => (one.type === 'asset' && one.fileName.endsWith('.css') ? [String(one.source)] : []));
  if (script === undefined || scripts.length > 1) throw new Error(`the verifier came out as ${scripts.length} scripts`);
  return compose(script.replaceAll('</script', '<\\/script'), style.join('\n'));
}

/** The policy names the script and the style by their hashes; connections are forbidden altogether. */
function compose(script: string, style: string): string {
  const hash = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
  const policy = `default-src 'none'; script-src ${hash(script)} 'wasm-unsafe-eval'; style-src ${hash(style)}; base-uri 'none'; form-action 'none'`;
  const parts: Readonly<Record<string, string>> = { POLICY: policy, STYLE: style, SCRIPT: script };
  const page = readFileSync(join(ROOM, 'verifier.html'), 'utf8');
  return page.replaceAll(/%(POLICY|STYLE|SCRIPT)%/g, (_, name: string) => parts[name] ?? '');
}
