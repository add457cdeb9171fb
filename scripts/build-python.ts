// Builds the Python package as a wheel, build/python/svc-<version>-py3-none-any.whl: the sources of python/svc, and
// records.json with the lists that svc owns, so that none is written twice.
//
//   node scripts/build-python.ts
//
// The same sources make the same bytes everywhere: entries are sorted, stored without compression, and have one time.

import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BUNDLE_FORMAT } from '../src/chain/bundle.ts';
import { FORBIDDEN_KEYS } from '../src/core/json-object.ts';
import { LIMITS } from '../src/core/limits.ts';
import { HASHED_FIELDS } from '../src/operators/definition-hash.ts';
import { RESULT_FORMAT } from '../src/protocol/result-file.ts';
import { sealedLists } from '../src/protocol/sealed-fields.ts';
import { claimSentence, receiptVerdict, UNCHECKABLE } from '../src/protocol/words/verdict.ts';
import { ROOT } from './compile-kernel.ts';
import { filesOf } from './gates/gate.ts';
import { publish } from './output-folder.ts';
import { type ZipEntry, zip } from './zip.ts';

const FOLDER = join(ROOT, 'build/python');

/** Claims of a receipt that Python checks or names. */
const CLAIMS = [
  'seal',
  'key',
  'keyid',
  'signature',
  'statement',
  'key pinned',
  'hmac',
  'kernel',
  'arrays',
  'laws',
] as const;

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');

/** What the package needs to know from svc. */
function records(version: string) {
  const signed = ['keyid', 'signature', 'statement'].map((claim) => ({ claim, ok: true }));
  return {
    version,
    sealed: sealedLists(),
    definition: HASHED_FIELDS,
    registered: JSON.parse(read('src/operators/registered.json')) as unknown,
    limits: { runs: LIMITS.sweep.runs, file_bytes: LIMITS.bundle.fileBytes, depth: LIMITS.receiptDepth },
    forbidden_names: [...FORBIDDEN_KEYS],
    words: {
      sentences: Object.fromEntries(CLAIMS.map((claim) => [claim, claimSentence(claim)])),
      uncheckable: UNCHECKABLE,
      signed: receiptVerdict(signed).coverage,
      unsigned: receiptVerdict([]).coverage,
      result_format: RESULT_FORMAT,
      bundle_format: BUNDLE_FORMAT,
    },
  };
}

function metadata(version: string, description: string): string {
  return [
    'Metadata-Version: 2.1',
    'Name: svc',
    `Version: ${version}`,
    `Summary: ${description}`,
    'License: MIT',
    'Requires-Python: >=3.9',
    'Provides-Extra: fast',
    "Requires-Dist: cryptography; extra == 'fast'",
    'Description-Content-Type: text/markdown',
    '',
    read('docs/python.md'),
  ].join('\n');
}

const WHEEL = 'Wheel-Version: 1.0\nGenerator: svc\nRoot-Is-Purelib: true\nTag: py3-none-any\n';

/** The files of the wheel, with RECORD, which lists their hashes (PEP 427), at the end. */
export function wheelEntries(): { readonly name: string; readonly entries: readonly ZipEntry[] } {
  const { version, description } = JSON.parse(read('package.json')) as { version: string; description: string };
  const info = `svc-${version}.dist-info`;
  const sources = filesOf(ROOT, ['python/svc/*.py', 'python/svc/py.typed']);
  if (sources.length < 2) throw new Error('python/svc has no sources.');
  const files: ZipEntry[] = [
    ...sources.map((file) => ({ name: file.replace(/^python\//, ''), bytes: Buffer.from(read(file)) })),
    { name: 'svc/records.json', bytes: Buffer.from(JSON.stringify(records(version))) },
    { name: `${info}/LICENSE`, bytes: Buffer.from(read('LICENSE')) },
    { name: `${info}/METADATA`, bytes: Buffer.from(metadata(version, description)) },
    { name: `${info}/WHEEL`, bytes: Buffer.from(WHEEL) },
  ].sort((a, b) => (a.name < b.name ? -1 : 1));
  const hashes = files.map(({ name, bytes }) => `${name},sha256=${base64Sha256(bytes)},${bytes.length}\n`);
  const record = { name: `${info}/RECORD`, bytes: Buffer.from(`${hashes.join('')}${info}/RECORD,,\n`) };
  return { name: `svc-${version}-py3-none-any.whl`, entries: [...files, record] };
}

const base64Sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('base64url');

/** Writes the wheel, unless it is there already. @returns its path */
export function buildWheel(): string {
  const { name, entries } = wheelEntries();
  const bytes = zip(entries);
  const path = join(FOLDER, name);
  if (existsSync(path) && readFileSync(path).equals(bytes)) return path;
  const draft = `${FOLDER}.${process.pid}`;
  mkdirSync(draft, { recursive: true });
  writeFileSync(join(draft, name), bytes);
  publish(draft, FOLDER);
  console.error(`python: ${name}, ${entries.length} files, ${bytes.length} bytes`);
  return path;
}

if (import.meta.main) buildWheel();
