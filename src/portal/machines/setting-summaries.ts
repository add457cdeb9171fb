// One-line summaries of rows that change a machine itself: settings, members, keys, anchors. Payloads are untrusted.

import { isRecord } from '../../core/record.ts';

type PlainObject = Readonly<Record<string, unknown>>;

const ZID_DIGITS = 8;

/** A text or a number of a payload; empty for anything else. */
function shown(payload: PlainObject, field: string): string {
  const value = payload[field];
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

/** Parts that are not empty, joined. */
const join = (parts: readonly string[]) => parts.filter((part) => part !== '').join(' · ');

/** `words value`, or nothing without a value. */
const after = (words: string, value: string) => (value === '' ? '' : `${words} ${value}`);

const zidText = (payload: PlainObject) => shown(payload, 'zid').slice(0, ZID_DIGITS);

const list = (value: unknown) =>
  Array.isArray(value) ? value.filter((entry) => typeof entry === 'string').join(', ') : '';

/** `value words`, or nothing without a value. */
const before = (value: string, words: string) => (value === '' ? '' : `${value} ${words}`);

/** What stays in the database; 0 sets no limit. */
const kept = (settings: PlainObject, field: string, words: string) =>
  settings[field] === 0 ? '' : before(shown(settings, field), words);

/** Settings that a row states: all of them, or in old rows those that have changed. */
function settingsText(payload: PlainObject): string {
  const settings = isRecord(payload.settings) ? payload.settings : {};
  const { isPublic } = payload;
  const accepted = shown(settings, 'accept_anchors');
  return join([
    isPublic === true ? 'public' : isPublic === false ? 'private' : '',
    after('named', shown(payload, 'name')),
    after('calls', list(settings.http_allow)),
    after('events from', list(settings.events_from)),
    after('anchors of', accepted === 'listed' ? 'listed identities' : accepted),
    ...[kept(settings, 'keep_rows', 'rows'), kept(settings, 'keep_days', 'days')].map((text) => after('keeps', text)),
    typeof payload.sealingKey === 'string' ? 'payloads sealed to the owner' : '',
  ]);
}

export const SETTING_SUMMARIES: Readonly<Record<string, (payload: PlainObject) => string>> = {
  settings: settingsText,
  status: (payload) => join([after(`${shown(payload, 'from')} →`, shown(payload, 'to'))]),
  member: (payload) => join([before(zidText(payload), shown(payload, 'act')), after('role', shown(payload, 'role'))]),
  share: (payload) =>
    join([
      after('link made for', shown(payload, 'label')),
      before(shown(payload, 'disabled'), 'links ended'),
      after('until', shown(payload, 'expires_at')),
    ]),
  api_key: (payload) =>
    join([
      after('key', before(shown(payload, 'name') || shown(payload, 'key_prefix'), shown(payload, 'act'))),
      after('scope', shown(payload, 'scope')),
    ]),
  webhook: (payload) => join([shown(payload, 'act').replaceAll('_', ' '), after('delivery', shown(payload, 'id'))]),
  payload_erased: (payload) => join([after('payload of row', shown(payload, 'seq')), shown(payload, 'reason')]),
  anchor: (payload) => after('another machine, of size', shown(payload, 'size')),
  anchored: (payload) => join([after('in', shown(payload, 'slug')), after('size', shown(payload, 'size'))]),
  anchor_key: (payload) => join([shown(payload, 'act'), after('epoch', shown(payload, 'epoch'))]),
  anchor_config: (payload) =>
    join([
      after('every', before(shown(payload, 'every_ticks'), 'ticks')),
      after('machines', shown(payload, 'mothers')),
      after('witnesses', shown(payload, 'witnesses')),
    ]),
  reading: (payload) =>
    join([
      `${shown(payload, 'value')} ${shown(payload, 'unit')}`.trim(),
      shown(payload, 'status'),
      after('from', shown(payload, 'source')),
    ]),
  node_seal: (payload) => join([after('seal', shown(payload, 'no')), payload.damaged === true ? 'damaged' : '']),
};
