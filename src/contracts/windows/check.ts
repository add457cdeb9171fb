// Checks what a definition says of its named windows.

import type { ErrorDetail } from '../../core/errors.ts';
import { LIMITS } from '../../core/limits.ts';
import { symbolsIn } from '../data/lets.ts';
import type { Definition } from '../definition.ts';
import { isTimed } from '../timer-kinds.ts';
import { WINDOW_FIELDS, windowsInGuard } from './declared-windows.ts';

/** First words of other names in expressions. */
const RESERVED = new Set('event agg op oracle state clock accrual quorum'.split(' '));

const EDITION = 'needs "edition": 2 in the definition';

const fault = (path: string, code: string, text: string): ErrorDetail => ({ path, code, message: `${path} ${text}.` });

export function windowFaults(definition: Definition): ErrorDetail[] {
  const { windows, transitions } = definition;
  if (definition.edition !== 2) {
    const triggered = transitions.filter(({ trigger }) => trigger.kind === 'windows');
    return [
      ...(windows === undefined ? [] : [fault('windows', 'EDITION', EDITION)]),
      ...triggered.map(({ id }) => fault(`transitions.${id}.trigger`, 'EDITION', EDITION)),
    ];
  }
  return [...nameFaults(definition), ...filterFaults(definition), ...triggerFaults(definition)];
}

function nameFaults({ windows = {}, parties = {} }: Definition): ErrorDetail[] {
  return Object.keys(windows).flatMap((name) => {
    if (RESERVED.has(name)) return [fault(`windows.${name}`, 'RESERVED', 'is a name with another meaning')];
    return Object.hasOwn(parties, name) ? [fault(`windows.${name}`, 'TAKEN', 'is already the name of a party')] : [];
  });
}

/** Windows whose filter reads the context are counted again when it changes, so there are few of them. */
function filterFaults({ windows = {}, context = {} }: Definition): ErrorDetail[] {
  const { refiltered: max } = LIMITS.contracts.windows;
  const reading = Object.entries(windows).filter(([, { filter }]) =>
    symbolsIn(filter ?? '').some((name) => Object.hasOwn(context, name)),
  );
  if (reading.length <= max) return [];
  const names = reading.map(([name]) => name).join(', ');
  const text = `have ${reading.length} filters that read the context (${names}); at most ${max} may`;
  return [fault('windows', 'COUNT', text)];
}

/** All texts of a value. */
const textsIn = (value: unknown): string[] =>
  typeof value === 'string'
    ? [value]
    : typeof value === 'object' && value !== null
      ? Object.values(value).flatMap(textsIn)
      : [];

function triggerFaults({ windows = {}, let: shared = {}, transitions }: Definition): ErrorDetail[] {
  return transitions.flatMap((transition) => {
    const { id, trigger, fires_when: guard } = transition;
    const path = `transitions.${id}.fires_when`;
    const names = Object.keys(windows);
    // A late wake would decide by other samples than one in time, and leaves no row if it fires nothing.
    if (isTimed(trigger)) {
      const reads = (guard: string) => windowsInGuard({ ...transition, fires_when: guard }, shared, names).length > 0;
      const text = `reads a window, which guards of a ${trigger.kind} cannot; use a trigger of kind windows or event`;
      if (guard !== undefined && reads(guard)) return [fault(path, 'NOT_ALLOWED', text)];
      // What they set, the guard may read.
      const sets = textsIn(transition.pre ?? []).some(reads);
      return guard !== undefined && sets ? [fault(`transitions.${id}.pre`, 'NOT_ALLOWED', text)] : [];
    }
    if (trigger.kind !== 'windows') return [];
    if (guard === undefined) return [fault(path, 'MISSING', 'is missing; a transition on windows needs a condition')];
    if (windowsInGuard(transition, shared, names).length > 0) return [];
    const parts = Object.keys(WINDOW_FIELDS).map((part) => `${names[0] ?? '<window>'}.${part}`);
    return [fault(path, 'NO_WINDOW', `is ${guard}, which reads no window; ${parts.join(', ')} are read`)];
  });
}

/** Every name that the windows of a definition read. */
export const namesOfWindows = ({ windows = {} }: Definition): string[] =>
  Object.values(windows).flatMap(({ within, filter }) => [
    ...(typeof within === 'string' ? [within] : []),
    ...symbolsIn(filter ?? ''),
  ]);
