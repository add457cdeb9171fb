// A result in sentences that a reader can quote: value ± unit, law or solver, how it was checked, inputs with units.

import { shortText } from '../../core/plain-text.ts';
import { isRecord } from '../../core/record.ts';
import { COMPUTE } from '../chain-computation.ts';
import type { Untrusted } from '../untrusted.ts';
import { budgetOf, mainSourceOf } from './budget.ts';
import { lawsOf } from './definitions.ts';
import { describeReceipt, type ReaderKnowledge } from './describe.ts';
import { inputUnitsOf } from './inputs.ts';
import { exactText, roundedText, withUnit } from './numbers.ts';
import { previewValue } from './preview.ts';
import { sweepSentences } from './sweep.ts';

const MAX_LIST_CHARACTERS = 260;
const MAX_ENTRY_CHARACTERS = 90;
const MAX_EQUATION_CHARACTERS = 160;
/** Digits of the quantities beside the value, which stand in full in the receipt. */
const QUANTITY_DIGITS = 6;

/** The most important sentence first. */
export function receiptSentences(envelope: Untrusted, knowledge: ReaderKnowledge): readonly string[] {
  return [
    ...sweepSentences(envelope),
    valueSentence(envelope, knowledge),
    ...checkSentences(envelope),
    ...describeReceipt(envelope, knowledge, false).warnings,
    inputSentence(envelope, knowledge),
    ...(typeof envelope.solve_for === 'string'
      ? listSentence(
          envelope.complete === true ? 'All roots in its range' : 'Roots that were found',
          quantitiesOf(envelope),
        )
      : listSentence('Also', quantitiesOf(envelope))),
    ...listSentence('Notes', textsOf(envelope.notes)),
  ];
}

/** The answer of the dimensional gate, which has no number. */
export function gateSentences({ gate }: Untrusted): readonly string[] {
  const { reason, accepted, conflicts } = isRecord(gate) ? gate : {};
  return [
    `No number, since the dimensional gate refused the inputs: ${shortText(String(reason))}.`,
    ...listSentence('Accepted keys', unitEntries(accepted)),
    ...listSentence('Ambiguous keys', isRecord(conflicts) ? Object.keys(conflicts) : []),
  ];
}

function valueSentence(envelope: Untrusted, knowledge: ReaderKnowledge): string {
  const { solver, value, uncertainty, unit } = envelope;
  const id = shortText(String(solver));
  if (typeof value !== 'number') return `${id}: no number.`;
  const ownUnit = typeof unit === 'string' ? unit : undefined;
  const sigma = typeof uncertainty === 'number' ? uncertainty : undefined;
  const rounded = sigma === undefined ? undefined : roundedText(value, sigma, ownUnit);
  const text =
    rounded === undefined
      ? `${exactText(value, sigma, ownUnit)}${mostlyText(envelope)}`
      : `${withUnit(String(value), ownUnit)} (${rounded}${mostlyText(envelope)})`;
  const law = solver === COMPUTE ? lawsOf(envelope, knowledge).at(-1) : undefined;
  if (law === undefined) return `${knowledge.solver(id)?.title ?? 'Solver'} (${id}): ${text}.`;
  const name = law.comparison === 'same' ? ` (${shortText(law.known?.name ?? '')})` : '';
  const named = typeof envelope.solve_for === 'string' ? envelope.solve_for : law.output.symbol;
  const symbol = named === undefined ? '' : `${shortText(named, MAX_ENTRY_CHARACTERS)} = `;
  const equation =
    law.equation === undefined ? '' : ` Law ${law.id}${name}: ${shortText(law.equation, MAX_EQUATION_CHARACTERS)}.`;
  return `${symbol}${text}.${equation}`;
}

/** `, mostly constants`, where one source makes up most of ±. */
function mostlyText(envelope: Untrusted): string {
  const source = mainSourceOf(budgetOf(envelope));
  return source === undefined ? '' : `, mostly ${source}`;
}

function checkSentences({ converged, verification, unit, invariants }: Untrusted): string[] {
  const { reference, errorPct } = isRecord(verification) ? verification : {};
  const against = typeof reference === 'number' ? withUnit(String(reference), String(unit)) : undefined;
  const difference = typeof errorPct === 'number' ? `, ${Number(errorPct.toPrecision(2))} % apart` : '';
  const broken = (Array.isArray(invariants) ? invariants : []).filter((one) => isRecord(one) && one.holds === false);
  return [
    converged === false ? 'Not converged: do not rely on it.' : 'Converged.',
    ...(against === undefined ? [] : [`Checked a second way: ${against}${difference}.`]),
    ...listSentence(
      'Violated invariants',
      broken.map((one) => shortText(String((one as Untrusted).name))),
    ),
  ];
}

function inputSentence(envelope: Untrusted, knowledge: ReaderKnowledge): string {
  const { inputs, consts, solver, uncertainties } = envelope;
  const known = typeof solver === 'string' ? knowledge.solver(solver) : undefined;
  const units = inputUnitsOf(envelope, lawsOf(envelope, knowledge), known);
  const sigmas = isRecord(uncertainties) ? uncertainties : {};
  const given = [inputs, consts].flatMap((fields) => (isRecord(fields) ? Object.entries(fields) : []));
  const entries = given.map(([key, value]) => {
    const sigma = Object.hasOwn(sigmas, key) ? sigmas[key] : undefined;
    const text =
      typeof value === 'number'
        ? exactText(value, typeof sigma === 'number' ? sigma : undefined, Object.hasOwn(units, key) ? units[key] : '1')
        : previewValue(typeof value === 'string' ? value.replaceAll('\n', '; ') : value);
    return `${shortText(key)} = ${shortText(text, MAX_ENTRY_CHARACTERS)}`;
  });
  return listSentence('Inputs', entries)[0] ?? 'No inputs.';
}

function quantitiesOf({ quantities }: Untrusted): string[] {
  return (Array.isArray(quantities) ? quantities : []).filter(isRecord).flatMap(({ name, value, unit }) => {
    if (typeof value !== 'number') return [];
    const text = withUnit(String(Number(value.toPrecision(QUANTITY_DIGITS))), String(unit));
    return [`${shortText(String(name), MAX_ENTRY_CHARACTERS)} = ${text}`];
  });
}

const textsOf = (value: unknown) =>
  (Array.isArray(value) ? value : []).map((one) => shortText(String(one)).replace(/\.$/, ''));

const unitEntries = (value: unknown) =>
  isRecord(value) ? Object.entries(value).map(([key, unit]) => `${shortText(key)} [${shortText(String(unit))}]`) : [];

/** As many entries as fit, and the count of the others; nothing without entries. */
function listSentence(label: string, entries: readonly string[]): string[] {
  if (entries.length === 0) return [];
  let text = `${label}: ${entries[0]}`;
  let shown = 1;
  while (shown < entries.length && text.length + (entries[shown] ?? '').length < MAX_LIST_CHARACTERS)
    text += `, ${entries[shown++]}`;
  return [shown === entries.length ? `${text}.` : `${text}, and ${entries.length - shown} more.`];
}
