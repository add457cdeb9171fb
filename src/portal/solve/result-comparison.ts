// Compares the browser's result with the server's, bit for bit.

import { h } from 'preact';
import { ClaimList } from '../kit/claim-list.ts';
import { errorNotice } from '../kit/error-notice.ts';
import { formatExact, formatMilliseconds, groupHex, withUnit } from '../kit/format.ts';
import { Notice } from '../kit/notice.ts';
import type { Comparison, RunResult } from '../worker/messages.ts';
import { currentResult, type Experiment, type ServerEnvelope, type ServerRun } from './experiment.ts';
import { StaleNote } from './stale-note.ts';

interface Props {
  readonly experiment: Experiment;
  /** Whether the results are of earlier inputs. */
  readonly isStale: boolean;
}

export function ResultComparison({ experiment, isStale }: Props) {
  const result = currentResult(experiment.localRun.value);
  const serverRun = experiment.serverRun.value;
  if (result === undefined) return h('section', { class: 'comparison', 'aria-hidden': true });
  return h(
    'section',
    { class: 'comparison', 'aria-labelledby': 'comparison-title', inert: isStale },
    h('h2', { id: 'comparison-title' }, 'Browser and server compared', isStale ? [' ', h(StaleNote, null)] : null),
    h(Verdict, { serverRun, onRun: () => void experiment.runOnServer() }),
    h('div', { class: 'twins' }, h(BrowserColumn, { result }), h(ServerColumn, { serverRun })),
    serverRun.state === 'done'
      ? h(
          'details',
          { class: 'claims-more' },
          h('summary', null, 'Server signature'),
          h(ClaimList, { claims: serverRun.comparison.claims }),
        )
      : null,
  );
}

function Verdict({ serverRun, onRun }: { readonly serverRun: ServerRun; readonly onRun: () => void }) {
  if (serverRun.state === 'done') return h(Outcome, { comparison: serverRun.comparison });
  if (serverRun.state === 'failed')
    return h(Notice, { ...errorNotice(serverRun.error), action: { label: 'Try again', run: onRun } });
  return h(
    'div',
    { class: 'verdict verdict-open' },
    h(
      'p',
      { role: 'status' },
      serverRun.state === 'running' ? 'Computing on the server …' : 'Not computed on the server yet.',
    ),
    serverRun.state === 'running' ? null : h('button', { type: 'button', onClick: onRun }, 'Compute on the server'),
  );
}

export function Outcome({ comparison }: { readonly comparison: Comparison }) {
  const { isEqual, difference } = comparison;
  return h(
    'div',
    { class: `verdict ${isEqual ? 'verdict-equal' : 'verdict-different'}`, role: 'status' },
    h('p', { class: 'verdict-word' }, isEqual ? 'bits equal' : 'bits differ'),
    h(
      'p',
      null,
      isEqual
        ? 'Every number, series and field of both results has the same bits.'
        : `The first difference is in ${difference?.field}: ${JSON.stringify(difference?.recomputed)} in this browser, ${JSON.stringify(difference?.stored)} on the server.`,
    ),
  );
}

type Facts = Pick<ServerEnvelope, 'value' | 'unit' | 'kernel_sha256'> & {
  readonly verification: Pick<ServerEnvelope['verification'], 'value_bits'>;
};

function BrowserColumn({ result }: { readonly result: RunResult }) {
  const { pure, sha256, elapsedMs } = result;
  return h(Column, { title: 'This browser', facts: pure, sha256, elapsedMs });
}

function ServerColumn({ serverRun }: { readonly serverRun: ServerRun }) {
  if (serverRun.state !== 'done')
    return h(
      'div',
      { class: 'twin twin-empty' },
      h('h3', null, 'The server'),
      serverRun.state === 'failed' ? h('p', null, 'No result to compare.') : null,
    );
  const { envelope, comparison, elapsedMs } = serverRun;
  return h(Column, { title: 'The server', facts: envelope, sha256: comparison.serverSha256, elapsedMs });
}

interface ColumnProps {
  readonly title: string;
  readonly facts: Facts;
  readonly sha256: string;
  readonly elapsedMs: number;
}

function Column({ title, facts, sha256, elapsedMs }: ColumnProps) {
  const rows = [
    ['value', withUnit(formatExact(facts.value), facts.unit)],
    ['bits', facts.verification.value_bits],
    ['kernel', groupHex(facts.kernel_sha256)],
    ['result SHA-256', groupHex(sha256)],
    ['run time', formatMilliseconds(elapsedMs)],
  ] as const;
  return h(
    'div',
    { class: 'twin' },
    h('h3', null, title),
    h(
      'dl',
      null,
      rows.map(([name, text]) => h('div', { key: name }, h('dt', null, name), h('dd', null, text))),
    ),
  );
}
