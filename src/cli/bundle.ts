// svc bundle: writes a range of a chain, or a receipt with its kernel, to one self-verifying file.

import { writeFileSync } from 'node:fs';
import type { Command } from 'commander';
import { readVerifierPage } from '../built-portal.ts';
import { createClient } from '../client/client.ts';
import { DomainError } from '../core/errors.ts';
import { LIMITS } from '../core/limits.ts';
import { bundleReceipt, embedBundle } from '../protocol/bundle.ts';
import { kernelSlugOf } from '../protocol/words/registry-knowledge.ts';
import { type CliContext, keyOption, urlOption } from './context.ts';
import { readEnvelope } from './receipt-files.ts';
import { findKernel } from './receipts.ts';
import { printStatus, type Terminal } from './terminal.ts';

interface BundleOptions {
  readonly url: string;
  readonly key?: string;
  readonly output: string;
  readonly from?: string;
  readonly to?: string;
  readonly html?: boolean;
  readonly kernel?: string;
}

export function addBundleCommand(svc: Command, { terminal }: CliContext): void {
  svc
    .command('bundle <source>')
    .description('bundle a machine (slug) or a receipt (file) into one file that svc verify checks offline')
    .requiredOption('-o, --output <file>', 'output file')
    .option('--from <seq>', `first row (default: the last ${LIMITS.bundle.rows} rows)`)
    .option('--to <seq>', 'last row')
    .option('--html', 'write an HTML page with a built-in verifier')
    .option('--kernel <file>', 'kernel of the receipt, if it differs from this version')
    .addOption(urlOption())
    .addOption(keyOption())
    .action((source: string, options: BundleOptions) =>
      source.includes('.') ? bundleReceiptFile(terminal, source, options) : bundleMachine(terminal, source, options),
    );
}

async function bundleMachine(terminal: Terminal, slug: string, options: BundleOptions): Promise<void> {
  const { url, key, output, from, to, html } = options;
  const name = html ? 'chain.bundle-page' : 'chain.bundle';
  const response = await createClient({ url, key }).open(name, { slug, from, to });
  const bytes = new Uint8Array(await response.arrayBuffer());
  writeFileSync(output, bytes);
  printStatus(
    terminal,
    `${output}: ${bytes.length} bytes${html ? '; open it in a browser' : `; check it with svc verify ${output}`}`,
  );
  if (html) return;
  const { from: first, to: last, next_from } = JSON.parse(new TextDecoder().decode(bytes));
  printStatus(
    terminal,
    `rows ${first} to ${last}${next_from === null ? ', the head of the chain' : `; continue with --from ${next_from}`}`,
  );
}

async function bundleReceiptFile(
  terminal: Terminal,
  path: string,
  { output, kernel, html }: BundleOptions,
): Promise<void> {
  const envelope = readEnvelope(path);
  const image = await findKernel(
    String(envelope.kernel_sha256),
    kernelSlugOf(envelope) ?? String(envelope.solver),
    kernel,
  );
  const bundle = bundleReceipt(envelope, image);
  writeFileSync(output, html ? embedBundle(verifierPage(), bundle) : `${JSON.stringify(bundle)}\n`);
  const next = html ? 'open it in a browser' : `check it with svc verify ${output}`;
  printStatus(terminal, `${output}: the receipt and its kernel; ${next}`);
}

function verifierPage(): string {
  const page = readVerifierPage();
  if (page === undefined)
    throw new DomainError('NOT_FOUND', 'Verifier page not found: run npm run build, or leave out --html.');
  return page;
}
