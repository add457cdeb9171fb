// Outside judges of the OpenAPI document: Redocly and Spectral find nothing, and are shown to find something.
//
// They weigh more than the project, so they are installed apart: npm ci --prefix test/judges --ignore-scripts

import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { ROOT } from '../../scripts/compile-kernel.ts';
import { OPERATIONS } from '../../src/operations/index.ts';
import { openApiDocument } from '../../src/operations/node/openapi.ts';

const JUDGES = join(ROOT, 'test/judges');
const isInstalled = existsSync(join(JUDGES, 'node_modules/.bin/spectral'));
if (!isInstalled) console.log('Left out: the judges are not installed (npm ci --prefix test/judges --ignore-scripts).');

const folder = mkdtempSync(join(tmpdir(), 'svc-judges-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** The document as it is served, at a path of its own. */
function written(name: string, document: object): string {
  const path = join(folder, name);
  writeFileSync(path, JSON.stringify(document));
  return path;
}

/** stdout of a judge; a judge that finds something ends with 1 and still prints its report. */
function ask(judge: string, args: readonly string[]): Promise<string> {
  const env = {
    ...process.env,
    REDOCLY_TELEMETRY: 'off',
    REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true',
    SCARF_ANALYTICS: 'false',
  };
  return new Promise((resolve, reject) => {
    execFile(join(JUDGES, 'node_modules/.bin', judge), args, { cwd: JUDGES, env }, (error, stdout) => {
      if (stdout === '') reject(error ?? new Error(`${judge} said nothing.`));
      else resolve(stdout);
    });
  });
}

interface RedoclyReport {
  readonly problems: readonly { readonly ruleId: string; readonly severity: string; readonly message: string }[];
}

async function redocly(path: string): Promise<string[]> {
  const report = JSON.parse(await ask('redocly', ['lint', '--config', 'redocly.yaml', '--format', 'json', path]));
  return (report as RedoclyReport).problems.map(({ ruleId, severity, message }) => `${severity} ${ruleId}: ${message}`);
}

interface SpectralFinding {
  readonly code: string;
  readonly message: string;
  readonly path: readonly string[];
}

async function spectral(path: string): Promise<string[]> {
  const args = [
    'lint',
    '--ruleset',
    '.spectral.json',
    '--format',
    'json',
    '--display-only-failures',
    '--fail-severity',
    'hint',
  ];
  // Without findings Spectral prints an empty list and a line of praise.
  const text = (await ask('spectral', [...args, '--quiet', path])).trim();
  const findings = JSON.parse(text.slice(0, text.lastIndexOf(']') + 1)) as readonly SpectralFinding[];
  return findings.map(({ code, message, path: at }) => `${code}: ${message} at ${at.join('/')}`);
}

describe.skipIf(!isInstalled)('the OpenAPI document', () => {
  const sound = openApiDocument(OPERATIONS) as { readonly paths: Readonly<Record<string, object>> };

  test('has nothing that Redocly objects to', async () => {
    expect(await redocly(written('redocly.json', sound))).toEqual([]);
  });

  test('has nothing that Spectral objects to, not even a hint', async () => {
    expect(await spectral(written('spectral.json', sound))).toEqual([]);
  });

  test('would be caught with an operation that has no id, and a property that OpenAPI does not know', async () => {
    const unnamed = { get: { summary: 'No name.', responses: { 200: { description: 'Fine.', unheardOf: 1 } } } };
    const path = written('broken.json', { ...sound, paths: { ...sound.paths, '/unnamed': unnamed } });
    const [byRedocly, bySpectral] = await Promise.all([redocly(path), spectral(path)]);
    expect(byRedocly.join('\n')).toMatch(/operation-operationId[\s\S]*unheardOf|unheardOf[\s\S]*operation-operationId/);
    expect(bySpectral.join('\n')).toMatch(/operation-operationId/);
  });
});
