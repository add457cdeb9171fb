// One-line summaries of rows. Payloads are untrusted: read as plain data, shown as plain text.

import { isRecord } from '../../core/record.ts';
import type { RowRecord } from './records.ts';
import { SETTING_SUMMARIES } from './setting-summaries.ts';

const MAX_LENGTH = 120;

type PlainObject = Readonly<Record<string, unknown>>;

const stringField = (payload: PlainObject, field: string) =>
  typeof payload[field] === 'string' ? String(payload[field]) : '';

export function rowSummary({ type, payload, salt, sealed }: RowRecord): string {
  if (sealed) return 'sealed: only the owner’s equation opens it';
  if (salt === null) return 'payload erased, or not readable with your key';
  if (payload === null || typeof payload !== 'object' || Array.isArray(payload))
    return truncate(JSON.stringify(payload) ?? '');
  const plain = payload as PlainObject;
  // The type is untrusted too, for example `constructor`.
  const summary = Object.hasOwn(SUMMARIES, type) ? (SUMMARIES[type]?.(plain) ?? '') : '';
  return truncate(summary.trim() === '' ? JSON.stringify(payload) : summary);
}

/** Id of the contract of a row, unless the summary names it already. */
export function contractIdOf({ type, payload }: RowRecord): string | undefined {
  if (type === 'contract' || payload === null || typeof payload !== 'object') return undefined;
  const { contract } = payload as PlainObject;
  return typeof contract === 'string' ? contract : undefined;
}

const SUMMARIES: Readonly<Record<string, (payload: PlainObject) => string>> = {
  genesis: () => 'machine created',
  event: (payload) => `${eventText(payload)}${senderText(payload)}${resultText(payload)}`,
  emit: (payload) => eventText(payload),
  transition: (payload) =>
    `${stringField(payload, 'transition')}: ${stringField(payload, 'from')} → ${stringField(payload, 'to')}`.replace(
      /^: {2}→ $/,
      '',
    ) +
    sendsText(payload) +
    callsText(payload),
  contract: (payload) => `${stringField(payload, 'name')} ${stringField(payload, 'act')}`.trim(),
  refused: (payload) =>
    [stringField(payload, 'transition'), stringField(payload, 'reason') || stringField(payload, 'code')]
      .filter((text) => text !== '')
      .join(': '),
  rejection: (payload) =>
    `${stringField(payload, 'code')}: ${stringField(payload, 'route')}${repeatText(payload)}`.replace(/^: $/, ''),
  fire_skipped: (payload) => `${stringField(payload, 'transition')} was skipped`.replace(/^ was skipped$/, ''),
  connection: (payload) => stringField(payload, 'peer'),
  file: (payload) => stringField(payload, 'name'),
  state: (payload) => stringField(payload, 'label'),
  stamp: () => 'clock stamped',
  ...SETTING_SUMMARIES,
};

/** Of an event of another machine. */
function senderText({ from }: PlainObject): string {
  const machine = isRecord(from) ? stringField(from, 'machine') : '';
  return machine === '' ? '' : ` · from ${machine}`;
}

/** What a transition sends to other machines. */
function sendsText({ sends }: PlainObject): string {
  const sent = Array.isArray(sends) ? sends.filter(isRecord) : [];
  const texts = sent.map((one) => `${stringField(one, 'event')} to ${stringField(one, 'to')}`);
  return texts.length === 0 ? '' : ` · sends ${texts.join(', ')}`;
}

/** Of an event that tells what became of an activity. */
function resultText({ call }: PlainObject): string {
  if (!isRecord(call)) return '';
  const { seq, receipt, http } = call;
  const by = isRecord(receipt) ? stringField(receipt, 'operator_id').replace(/^solver:/, '') : '';
  const of = isRecord(http) ? 'response' : by === '' ? 'result' : `result of ${by}`;
  return ` · ${of} for row ${String(seq)}`;
}

/** The activities that a transition starts. */
function callsText({ calls }: PlainObject): string {
  const started = Array.isArray(calls) ? calls.filter(isRecord) : [];
  const texts = started.map((call) => {
    const { http } = call;
    const request = isRecord(http) ? `${stringField(http, 'method')} ${stringField(http, 'url')}` : '';
    return `${stringField(call, 'operator') || stringField(call, 'solver') || request} for ${stringField(call, 'into')}`;
  });
  return texts.length === 0 ? '' : ` · starts ${texts.join(', ')}`;
}

function repeatText({ count }: PlainObject): string {
  return typeof count === 'number' && count > 1 ? `, ${count} times` : '';
}

/** `reading temp 281.2, minutes 3`. */
function eventText(payload: PlainObject): string {
  const { payload: content } = payload;
  const fields =
    content !== null && typeof content === 'object' && !Array.isArray(content)
      ? Object.entries(content).map(
          ([name, value]) => `${name} ${typeof value === 'string' ? shortHash(value) : JSON.stringify(value)}`,
        )
      : [];
  return `${stringField(payload, 'name')}${fields.length === 0 ? '' : ` · ${fields.join(', ')}`}`;
}

/** A hash by its first digits: all of it would hide what stands behind it. */
const shortHash = (text: string) => (/^[0-9a-f]{64}$/.test(text) ? `${text.slice(0, 8)}…` : text);

function truncate(text: string): string {
  return text.length <= MAX_LENGTH ? text : `${text.slice(0, MAX_LENGTH - 1)}…`;
}
