// svc bundle: a stretch of a chain, or a receipt with its kernel, as one file that proves itself.

import { writeFileSync } from 'node:fs';
import type { Command } from 'commander';
import { openResponse } from '../client/request.ts';
import { DomainError } from '../core/errors.ts';
import { LIMITS } from '../core/limits.ts';
import { addressOf } from '../operations/address.ts';
import { machineBundle, machineBundlePage } from '../operations/machines/bundles.ts';
import { bundleReceipt } from '../protocol/bundle.ts';
import { type CliContext, keyOption, urlOption } from './context.ts';
import { findKernel, readEnvelope } from './receipts.ts';
import { say, type Terminal } from './terminal.ts';

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
    .command('bundle <what>')
    .description('write a machine (its slug) or a receipt (its file) into one file that svc verify checks offline')
    .requiredOption('-o, --output <file>', 'where to write it')
    .option('--from <seq>', `first row; without it, the last ${LIMITS.bundle.rows} rows`)
    .option('--to <seq>', 'last row')
    .option('--html', 'one HTML page with its verifier inside')
    .option('--kernel <file>', 'the kernel of a receipt, if it is not one of this version')
    .addOption(urlOption())
    .addOption(keyOption())
    .action((what: string, options: BundleOptions) =>
      what.includes('.') ? bundleFile(terminal, what, options) : bundleMachine(terminal, what, options),
    );
}

async function bundleMachine(terminal: Terminal, slug: string, options: BundleOptions): Promise<void> {
  const { url, key, output, from, to, html } = options;
  const { url: address } = addressOf(html ? machineBundlePage : machineBundle, { slug, from, to }, url);
  const bytes = new Uint8Array(await (await openResponse(address, { key })).arrayBuffer());
  writeFileSync(output, bytes);
  say(terminal, `${output}: ${bytes.length} bytes${html ? '; open it in a browser' : `; svc verify ${output}`}`);
  if (html) return;
  const { from: first, to: last, next_from } = JSON.parse(new TextDecoder().decode(bytes));
  say(
    terminal,
    `rows ${first} to ${last}${next_from === null ? ', the head of the chain' : `; the next begin at ${next_from}`}`,
  );
}

async function bundleFile(terminal: Terminal, path: string, { output, kernel, html }: BundleOptions): Promise<void> {
  if (html) throw new DomainError('VALIDATION_FAILED', 'A receipt is bundled as JSON; drop it on the verifier page.');
  const envelope = readEnvelope(path);
  const image = await findKernel(String(envelope.kernel_sha256), String(envelope.solver), kernel);
  writeFileSync(output, `${JSON.stringify(bundleReceipt(envelope, image))}\n`);
  say(terminal, `${output}: the receipt and its kernel; svc verify ${output}`);
}
