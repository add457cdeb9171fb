// Runs all benchmarks, or the named ones, and writes their output to RESULTS.md.
//
//   node bench/run.ts [name …]

import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { arch, cpus, platform } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('.', import.meta.url));
const results = join(folder, 'RESULTS.md');

const HEADER = `# Benchmark results

Kernels and HTTP compared with peers in the same run and at the same accuracy. CPU time, best of several interleaved
rounds. Written by \`npm run bench\`. The machines are shared, so compare ratios, not times.
`;

/** Existing sections by name. */
function readSections(): Map<string, string> {
  const sections = new Map<string, string>();
  let text = '';
  try {
    text = readFileSync(results, 'utf8');
  } catch {
    return sections;
  }
  for (const part of text.split(/^## /m).slice(1)) {
    const end = part.indexOf('\n');
    sections.set(part.slice(0, end), part.slice(end).trim());
  }
  return sections;
}

/** Keeps tables and fences plain columns. */
const asMarkdown = (text: string) => (text.includes('|---') ? text : `\`\`\`\n${text}\n\`\`\``);

const selected = process.argv.slice(2);
const benches = readdirSync(folder)
  .filter((name) => name.endsWith('.ts') && name !== 'run.ts')
  .map((name) => basename(name, '.ts'))
  .filter((name) => selected.length === 0 || selected.includes(name));
if (benches.length === 0) throw new Error(`Benchmark not found: ${selected.join(', ')}.`);

const sections = readSections();
for (const name of benches) {
  console.error(`bench ${name} …`);
  const { status, stdout } = spawnSync(process.execPath, [join(folder, `${name}.ts`)], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (status !== 0) {
    console.error(`bench ${name} exited with ${status}; its section is unchanged`);
    process.exitCode = 1;
    continue;
  }
  const machine = `${cpus()[0]?.model ?? 'unknown processor'}, ${platform()} ${arch()}, Node ${process.version}`;
  sections.set(name, `\`node bench/${name}.ts\` — ${machine}\n\n${asMarkdown(stdout.trim())}`);
}
const body = [...sections].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, text]) => `## ${name}\n\n${text}\n`);
writeFileSync(results, `${HEADER}\n${body.join('\n')}`);
