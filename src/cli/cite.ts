// svc cite: a receipt as an entry of a bibliography, offline.

import { type Command, Option } from 'commander';
import { shortText } from '../core/plain-text.ts';
import { SOFTWARE_VERSION } from '../operations/node/software-version.ts';
import { toBibtex } from '../protocol/citation/bibtex.ts';
import { type Citation, citationOf } from '../protocol/citation/citation.ts';
import { toCslJson } from '../protocol/citation/csl-json.ts';
import { citedSubject } from '../protocol/citation/subject.ts';
import { verifyEnvelope } from '../protocol/replay.ts';
import type { Untrusted } from '../protocol/untrusted.ts';
import { registryKnowledge } from '../protocol/words/registry-knowledge.ts';
import { claimSentence } from '../protocol/words/verdict.ts';
import { type CliContext, parseUrl, REJECTED_EXIT } from './context.ts';
import { readSealed } from './receipt-files.ts';
import { paint, printStatus } from './terminal.ts';

const FORMATS = { bibtex: toBibtex, csl: toCslJson } as const satisfies Record<string, (citation: Citation) => string>;

interface CiteOptions {
  readonly format: keyof typeof FORMATS;
  readonly url?: string;
}

export function addCiteCommand(svc: Command, context: CliContext): void {
  svc
    .command('cite <file>')
    .description('cite a receipt in a paper: an entry for BibTeX or an item of CSL JSON, offline')
    .addOption(new Option('--format <format>', 'of the citation').choices(Object.keys(FORMATS)).default('bibtex'))
    .addOption(
      new Option('--url <address>', 'URL of the service that sealed it, which becomes publisher and link')
        .env('SVC_URL')
        .argParser(parseUrl),
    )
    .action((file: string, options: CiteOptions) => runCite(context, file, options));
}

function runCite({ terminal }: CliContext, file: string, { format, url }: CiteOptions): void {
  const envelope = readSealed(file);
  const failed = verifyEnvelope(envelope).find(({ ok }) => ok === false);
  if (failed !== undefined) {
    const message = `${file} is not cited, since a check fails: ${claimSentence(failed.claim)}. ${failed.reason ?? ''}`;
    printStatus(terminal, paint(terminal, 'red', shortText(message, MAX_MESSAGE_CHARACTERS)));
    process.exitCode = REJECTED_EXIT;
    return;
  }
  terminal.stdout.write(FORMATS[format](citationIn(envelope, url)));
}

const MAX_MESSAGE_CHARACTERS = 600;

function citationIn(envelope: Untrusted, url: string | undefined): Citation {
  const subject = citedSubject(
    envelope,
    registryKnowledge(undefined, () => undefined),
  );
  const publisher = url === undefined ? undefined : new URL(url).host;
  return citationOf(envelope, { subject, address: url, publisher, version: SOFTWARE_VERSION });
}
