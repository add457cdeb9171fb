// Checks kernels and arrays that are stored by their hash, and the kernel files of the program.

import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { isRecord } from '../../core/record.ts';
import type { ComputeInspection, InspectedKernel } from '../../storage/fsck/compute.ts';
import type { ReportFault } from './faults.ts';
import { tryParseJson } from './rows.ts';

const MAX_FAULTS = 1_000;
const MANIFEST = 'manifest.json';

/**
 * @param files  slugs of the kernels of the program, by hash
 * @returns archived kernels whose bytes have their hash, by hash
 */
export async function checkStoredBytes(
  inspection: ComputeInspection,
  files: ReadonlyMap<string, string>,
  report: ReportFault,
): Promise<ReadonlyMap<string, InspectedKernel>> {
  for (const { sha256 } of await inspection.brokenFields(MAX_FAULTS))
    report('field', { sha256 }, 'HASH', 'The bytes do not have this hash.', 'bytes');
  const kernels = new Map<string, InspectedKernel>();
  for (const kernel of await inspection.kernels()) {
    const { sha256, actual, slug } = kernel;
    const expected = files.get(sha256);
    if (actual !== sha256) report('kernel', { sha256 }, 'HASH', `The bytes have the hash ${actual}.`, 'bytes');
    else kernels.set(sha256, kernel);
    if (expected !== undefined && expected !== slug)
      report('kernel', { sha256 }, 'KERNEL', `slug is ${slug}; the program has this kernel as ${expected}.`, 'slug');
  }
  return kernels;
}

/**
 * Checks the manifest of the built kernels and every file that it names, current and archived.
 *
 * @param folder  ends with a slash
 * @returns slugs of the kernels whose files have their hash, by hash
 */
export async function checkKernelFiles(folder: URL, report: ReportFault): Promise<ReadonlyMap<string, string>> {
  const fault = (file: string, message: string) => report('kernel files', { file }, 'FILE', message);
  const read = (name: string) => readFile(new URL(name, folder)).catch(() => undefined);
  const intact = new Map<string, string>();
  const text = (await read(MANIFEST))?.toString('utf8');
  const manifest = text === undefined ? undefined : tryParseJson(text);
  if (!isRecord(manifest) || `${JSON.stringify(manifest, null, 2)}\n` !== text) {
    fault(MANIFEST, text === undefined ? 'The file is missing.' : 'The file is not as the build writes it.');
    return intact;
  }
  const { sha256: own, ...rest } = manifest;
  if (
    createHash('sha256')
      .update(JSON.stringify(rest, null, 2))
      .digest('hex') !== own
  )
    fault(MANIFEST, 'The file has not the hash that it ends with.');
  for (const { name, slug, sha256, length } of namedFiles(manifest)) {
    const bytes = await read(name);
    if (bytes === undefined) fault(name, `The file is missing; ${MANIFEST} names it.`);
    else if (createHash('sha256').update(bytes).digest('hex') !== sha256)
      fault(name, `The file has not the hash ${sha256} that ${MANIFEST} names.`);
    else if (length !== undefined && bytes.length !== length)
      fault(MANIFEST, `${name} has ${bytes.length} bytes, not ${String(length)}.`);
    else intact.set(sha256, slug);
  }
  return intact;
}

interface NamedFile {
  readonly name: string;
  readonly slug: string;
  readonly sha256: string;
  readonly length?: unknown;
}

function namedFiles({ kernels, archive }: Readonly<Record<string, unknown>>): NamedFile[] {
  const current = Object.entries(isRecord(kernels) ? kernels : {}).map(([slug, kernel]) => {
    const { sha256, bytes: length } = isRecord(kernel) ? kernel : {};
    return { name: `${slug}.wasm`, slug, sha256: String(sha256), length };
  });
  const archived = Object.entries(isRecord(archive) ? archive : {}).map(([sha256, slug]) => {
    return { name: `archive/${sha256}.wasm`, slug: String(slug), sha256 };
  });
  return [...current, ...archived];
}
