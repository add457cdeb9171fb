// The verifier: page, script, style and kernels in one HTML file whose policy lets it run its own script and nothing else.

import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { build, type Rolldown } from 'vite';
import { kernelSlugs, loadKernel } from '../../src/kernels/load-node.ts';
import { ROOT } from '../compile-kernel.ts';

const ROOM = join(ROOT, 'src/portal/verifier');

export async function buildVerifier(): Promise<string> {
  const kernels: Record<string, string> = {};
  for (const slug of await kernelSlugs())
    kernels[slug] = Buffer.from((await loadKernel(slug)).bytes).toString('base64');
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
  const style = output.flatMap((one) =>
    one.type === 'asset' && one.fileName.endsWith('.css') ? [String(one.source)] : [],
  );
  if (script === undefined || scripts.length > 1) throw new Error(`the verifier came out as ${scripts.length} scripts`);
  return compose(script.replaceAll('</script', '<\\/script'), style.join('\n'));
}

/** The policy names the script and the style by their hashes; connections are forbidden altogether. */
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
