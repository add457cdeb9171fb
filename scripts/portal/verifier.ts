// The verifier: one HTML file with script, style and kernels. Its policy allows only its own script and style.

import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { build, type Rolldown } from 'vite';
import { kernelSlugs, loadKernel } from '../../src/kernels/load-node.ts';
import { OPERATORS } from '../../src/operators/load.ts';
import { lawWordsOf } from '../../src/protocol/words/registry-words.ts';
import { ROOT } from '../compile-kernel.ts';

const SOURCES = join(ROOT, 'src/portal/verifier');

export async function buildVerifier(): Promise<string> {
  const kernels: Record<string, string> = {};
  for (const slug of await kernelSlugs())
    kernels[slug] = Buffer.from((await loadKernel(slug)).bytes).toString('base64');
  const laws = Object.fromEntries([...OPERATORS].map(([id, operator]) => [id, lawWordsOf(operator)]));
  const built = await build({
    configFile: false,
    root: SOURCES,
    logLevel: 'error',
    define: { __KERNELS__: JSON.stringify(kernels), __LAWS__: JSON.stringify(laws) },
    build: {
      write: false,
      target: 'es2022',
      cssCodeSplit: false,
      modulePreload: false,
      rolldownOptions: { input: join(SOURCES, 'main.ts'), output: { codeSplitting: false } },
    },
  });
  const { output } = built as Rolldown.RolldownOutput;
  const scripts = output.flatMap((one) => (one.type === 'chunk' ? [one.code] : []));
  const [script] = scripts;
  const style = output.flatMap((one) =>
    one.type === 'asset' && one.fileName.endsWith('.css') ? [String(one.source)] : [],
  );
  if (script === undefined || scripts.length > 1)
    throw new Error(`the verifier has ${scripts.length} scripts; 1 is expected`);
  return compose(script.replaceAll('</script', '<\\/script'), style.join('\n'));
}

/** The policy allows the script and the style by their hashes, and no connections. */
function compose(script: string, style: string): string {
  const hash = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
  const policy = `default-src 'none'; script-src ${hash(script)} 'wasm-unsafe-eval'; style-src ${hash(style)}; base-uri 'none'; form-action 'none'`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>svc verifier</title>
<style>${style}</style>
</head>
<body>
<div id="portal"></div>
<script type="module">${script}</script>
</body>
</html>
`;
}
