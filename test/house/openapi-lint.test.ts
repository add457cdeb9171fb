// Lints the OpenAPI document with Redocly and Spectral, and checks that both detect a planted fault.
//
// They are larger than the project, so they are installed separately: npm ci --prefix test/judges --ignore-scripts

import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { ROOT } from '../../scripts/compile-kernel.ts';
import { OPERATIONS } from '../../src/operations/index.ts';
import { openApiDocument } from '../../src/operations/node/openapi.ts';

const LINTERS = join(ROOT, 'test/judges');
const isInstalled = existsSync(join(LINTERS, 'node_modules/.bin/spectral'));
if (!isInstalled) console.log('Skipped: install the linters with npm ci --prefix test/judges --ignore-scripts.');

const folder = mkdtempSync(join(tmpdir(), 'svc-openapi-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Writes a document to a file. */
function writeDocument(name: string, content: object): string {
  const path = join(folder, name);
  writeFileSync(path, JSON.stringify(content));
  return path;
}

/** The standard output of a linter. With findings it exits with 1 and still prints its report. */
function runLinter(linter: string, args: readonly string[]): Promise<string> {
  const env = {
    ...process.env,
    REDOCLY_TELEMETRY: 'off',
    REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true',
    SCARF_ANALYTICS: 'false',
  };
  return new Promise((resolve, reject) => {
    execFile(join(LINTERS, 'node_modules/.bin', linter), args, { cwd: LINTERS, env }, (error, stdout) => {
      if (stdout === '') reject(error ?? new Error(`${linter} printed nothing.`));
      else resolve(stdout);
    });
  });
}

interface RedoclyReport {
  readonly problems: readonly { readonly ruleId: string; readonly severity: string; readonly message: string }[];
}

async function redocly(path: string): Promise<string[]> {
  const report = JSON.parse(await runLinter('redocly', ['lint', '--config', 'redocly.yaml', '--format', 'json', path]));
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
  // Without findings Spectral prints an empty list and a success message.
  const text = (await runLinter('spectral', [...args, '--quiet', path])).trim();
  const findings = JSON.parse(text.slice(0, text.lastIndexOf(']') + 1)) as readonly SpectralFinding[];
  return findings.map(({ code, message, path: at }) => `${code}: ${message} at ${at.join('/')}`);
}

describe.skipIf(!isInstalled)('the OpenAPI document', () => {
  const document = openApiDocument(OPERATIONS) as { readonly paths: Readonly<Record<string, object>> };

  test('passes Redocly', async () => {
    expect(await redocly(writeDocument('redocly.json', document))).toEqual([]);
  });

  test('passes Spectral without even a hint', async () => {
    expect(await spectral(writeDocument('spectral.json', document))).toEqual([]);
  });

  test('fails both with an operation without an id and an unknown property', async () => {
    const unnamed = { get: { summary: 'No name.', responses: { 200: { description: 'Fine.', unknownProperty: 1 } } } };
    const path = writeDocument('broken.json', { ...document, paths: { ...document.paths, '/unnamed': unnamed } });
    const [byRedocly, bySpectral] = await Promise.all([redocly(path), spectral(path)]);
    expect(byRedocly.join('\n')).toMatch(
      /operation-operationId[\s\S]*unknownProperty|unknownProperty[\s\S]*operation-operationId/,
    );
    expect(bySpectral.join('\n')).toMatch(/operation-operationId/);
  });
});
