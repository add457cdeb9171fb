// Contents of a receipt in words, for a reader who has never heard of svc: law, inputs with units, result, date, signer.
//
// A receipt is untrusted: every field may be missing or anything else, and its texts are shown, never interpreted. Only
// sealed fields are shown, so `text` of a line is signed exactly if the seal holds; `added` is never signed.

import { isoFromNs } from '../../core/clock.ts';
import { shortText } from '../../core/plain-text.ts';
import { isRecord } from '../../core/record.ts';
import type { SolverDefinition } from '../../solvers/definition.ts';
import { COMPUTE } from '../chain-computation.ts';
import { STEPS } from '../stamps.ts';
import type { Untrusted } from '../untrusted.ts';
import { budgetOf, SOURCE_WORDS, sharesOf, shareText } from './budget.ts';
import { type LawKnowledge, lawsOf, type ReceiptLaw } from './definitions.ts';
import { lawInputs, solverInputs } from './inputs.ts';
import type { ReceiptLine } from './line.ts';
import { coherentText, exactText, roundedText, withUnit } from './numbers.ts';
import { previewValue } from './preview.ts';
import { sweepLines } from './sweep.ts';

/** What the reading program knows. */
export interface ReaderKnowledge extends LawKnowledge {
  solver(id: string): SolverDefinition | undefined;
  /** Hash of its kernel of the receipt's solver. */
  readonly kernelSha256: string | undefined;
  /** Owner of a trusted key with these fields; undefined for every other key. */
  keyOwner?(key: Untrusted): string | undefined;
}

export interface ReceiptWords {
  readonly lines: readonly ReceiptLine[];
  /** What a reader must know before the lines: a law that is not the one of this name, a result that did not converge. */
  readonly warnings: readonly string[];
}

/**
 * @param isSigned  whether the seal holds: keyid, signature and statement
 */
export function describeReceipt(envelope: Untrusted, knowledge: ReaderKnowledge, isSigned: boolean): ReceiptWords {
  const { solver, kernel_sha256 } = envelope;
  const laws = lawsOf(envelope, knowledge);
  const hasSameKernel = typeof kernel_sha256 === 'string' && kernel_sha256 === knowledge.kernelSha256;
  const known = typeof solver === 'string' && solver !== COMPUTE ? knowledge.solver(solver) : undefined;
  const isLaw = solver === COMPUTE;
  const inputs = isLaw
    ? lawInputs(envelope, laws, hasSameKernel)
    : solverInputs(envelope, hasSameKernel ? known : undefined);
  return {
    lines: [
      resultLine(envelope, laws, isLaw),
      ...budgetLines(envelope),
      ...(isLaw ? [] : [solverLine(envelope, known), ...originLine(envelope, laws, known)]),
      ...laws.flatMap((law) => lawLines(law, isLaw)),
      ...inputs,
      ...sweepLines(envelope),
      ...stepLines(envelope),
      ...witnessLine(envelope),
      dateLine(envelope),
      signerLine(envelope, knowledge, isSigned),
      ...issuedLine(envelope),
      kernelLine(envelope, hasSameKernel),
    ],
    warnings: [
      ...laws.flatMap(warningOf),
      ...(envelope.converged === false ? ['The receipt says that this result did not converge.'] : []),
      ...(!isLaw && known !== undefined && !hasSameKernel
        ? ['Another kernel than that of this program made it, so units and names of its inputs are not shown.']
        : []),
    ],
  };
}

const text = (value: unknown) => (typeof value === 'string' ? shortText(value) : previewValue(value));

function resultLine(envelope: Untrusted, laws: readonly ReceiptLaw[], isLaw: boolean): ReceiptLine {
  const { value, uncertainty, unit, solve_for: solveFor } = envelope;
  const label = 'Result';
  const law = isLaw ? laws.at(-1) : undefined;
  if (typeof value !== 'number') return { kind: 'result', label, text: previewValue(value ?? 'missing'), added: [] };
  const sigma = typeof uncertainty === 'number' ? uncertainty : undefined;
  const ownUnit = typeof unit === 'string' ? unit : undefined;
  const exact = exactText(value, sigma, ownUnit);
  const isUnknown = isLaw && typeof solveFor === 'string';
  const symbol = isUnknown ? solveFor : law?.output.symbol;
  const name = law?.comparison === 'same' && !isUnknown ? law.known?.output.name : undefined;
  const rounded = sigma === undefined ? undefined : roundedText(value, sigma, ownUnit);
  const coherent = isLaw && ownUnit !== undefined ? coherentText(value, sigma, ownUnit) : undefined;
  return {
    kind: 'result',
    label,
    text: symbol === undefined ? exact : `${shortText(symbol, 40)} = ${exact}`,
    added: [
      rounded,
      coherent,
      name === undefined || name === '' ? undefined : shortText(name),
      envelope.sweep === undefined ? undefined : 'of the last row of the sweep that has a value',
    ].filter((one) => one !== undefined),
  };
}

/** Where ± comes from. The words of a basis are not sealed, so the source is described by this program. */
function budgetLines(envelope: Untrusted): ReceiptLine[] {
  return sharesOf(budgetOf(envelope)).map(({ source, kind, value, unit, share }) => ({
    kind: 'uncertainty',
    label: `± by ${source}`,
    text: withUnit(`${value}`, unit),
    added: [
      `${shareText(share)}, ${kind === 'bound' ? 'at most this' : 'one standard deviation'}`,
      SOURCE_WORDS[source],
    ],
  }));
}

function solverLine({ solver, revision }: Untrusted, known: SolverDefinition | undefined): ReceiptLine {
  const added = known === undefined ? ['this program has no solver of this name'] : [known.title, known.summary];
  return {
    kind: 'solver',
    label: 'Solver',
    text: `${text(solver ?? 'missing')}, revision ${text(revision ?? 'missing')}`,
    added,
  };
}

/** The equations of the caller or the law that made the value of an open solver. */
function originLine(
  { operator_id: id }: Untrusted,
  laws: readonly ReceiptLaw[],
  known: SolverDefinition | undefined,
): ReceiptLine[] {
  if (known?.open === undefined) return [];
  if (typeof id !== 'string') return [];
  const law = laws.find((one) => one.id === id && one.comparison === 'same');
  if (law === undefined && !id.startsWith('own:')) return [];
  const added = law?.known?.name ?? 'equations of the caller, which stand in the inputs; no law made this number';
  return [{ kind: 'law', label: 'Value by', text: shortText(id, 60), added: [shortText(added)] }];
}

/** The name comes from the registry: a receipt does not seal it. */
function lawLines({ id, equation, where, known, comparison }: ReceiptLaw, isLaw: boolean): ReceiptLine[] {
  const added = {
    same: [shortText(known?.name ?? ''), 'as registered in this version'],
    earlier: ['as an earlier version registered it'],
    changed: ['not the law that this version registers under this id'],
    unknown: ['not registered in this version'],
    absent: known === undefined ? [] : [shortText(known.name)],
  }[comparison];
  const formula = equation ?? (comparison === 'absent' && known !== undefined ? undefined : 'missing');
  const equationLine: ReceiptLine = {
    kind: 'law',
    label: 'Equation',
    text: formula === undefined ? 'not in the receipt' : shortText(formula, MAX_EQUATION),
    added: formula === undefined && known !== undefined ? [known.equation] : [],
  };
  const parts = where.slice(0, MAX_WHERE).map(
    ([symbol, expression]): ReceiptLine => ({
      kind: 'law',
      label: 'where',
      text: `${shortText(symbol, 40)} = ${shortText(expression, MAX_EQUATION)}`,
      added: [],
    }),
  );
  const role = isLaw ? [] : ['named by the solver, whose kernel computes the number'];
  return [{ kind: 'law', label: 'Law', text: shortText(id, 60), added: [...added, ...role] }, equationLine, ...parts];
}

const MAX_EQUATION = 640;
const MAX_WHERE = 8;

function warningOf({ id, comparison, known }: ReceiptLaw): string[] {
  const law = shortText(id, 60);
  if (comparison === 'earlier')
    return known === undefined
      ? [`This version no longer registers ${law}; an earlier one did, with this definition.`]
      : [
          `This version registers another ${law}: ${known.name}, ${known.equation}. An earlier one had this definition.`,
        ];
  if (comparison === 'changed')
    return [`This version registers another ${law}: ${known?.name}, ${known?.equation}. Judge the equation itself.`];
  if (comparison === 'unknown')
    return [`This version registers no ${law}: its name and equation are the sender's own.`];
  return comparison === 'absent'
    ? [`The receipt holds no complete definition of ${law}. What is missing comes from this version and is not signed.`]
    : [];
}

/** Results of the earlier laws of a chain. */
function stepLines({ results }: Untrusted): ReceiptLine[] {
  const all = Array.isArray(results) ? results.filter(isRecord) : [];
  return all
    .slice(0, -1)
    .slice(0, MAX_STEPS)
    .flatMap(({ operator_id, value, uncertainty, unit }): ReceiptLine[] => {
      if (typeof value !== 'number') return [];
      const [sigma, own] = [
        typeof uncertainty === 'number' ? uncertainty : undefined,
        typeof unit === 'string' ? unit : '1',
      ];
      const rounded = sigma === undefined ? undefined : roundedText(value, sigma, own);
      return [
        {
          kind: 'step',
          label: `Result of ${typeof operator_id === 'string' ? shortText(operator_id, 60) : previewValue(operator_id)}`,
          text: exactText(value, sigma, own),
          added: rounded === undefined ? [] : [rounded],
        },
      ];
    });
}

const MAX_STEPS = 8;

/** Only the number is sealed; the words of its method are not shown, since anybody can have written them. */
function witnessLine({ verification, unit }: Untrusted): ReceiptLine[] {
  const { reference } = isRecord(verification) ? verification : {};
  if (typeof reference !== 'number') return [];
  const value = withUnit(String(reference), typeof unit === 'string' ? unit : undefined);
  return [
    { kind: 'witness', label: 'Checked against', text: value, added: ['the same number, computed a second way'] },
  ];
}

function dateLine({ stamps }: Untrusted): ReceiptLine {
  const stamp: unknown = Array.isArray(stamps) ? stamps[STEPS.indexOf('PULSE')] : undefined;
  const isTime = typeof stamp === 'string' && /^\d{1,19}$/.test(stamp);
  return {
    kind: 'date',
    label: 'Date',
    text: isTime ? isoFromNs(BigInt(stamp)).replace('T', ' ').replace('Z', ' UTC') : 'none',
    added: isTime ? ["by the signer's clock"] : [],
  };
}

function signerLine({ public_key, seal }: Untrusted, knowledge: ReaderKnowledge, isSigned: boolean): ReceiptLine {
  if (seal === undefined) return { kind: 'signer', label: 'Signed by', text: 'nobody', added: [] };
  const { kid } = isRecord(public_key) ? public_key : {};
  const key = typeof kid === 'string' ? `key ${shortText(kid, 80)}` : 'no key';
  if (!isSigned) return { kind: 'signer', label: 'Names as signer', text: key, added: ['not proved'] };
  const owner = isRecord(public_key) ? knowledge.keyOwner?.(public_key) : undefined;
  const added = owner ?? 'owner unknown: a receipt names no service, so compare this fingerprint with one you trust';
  return { kind: 'signer', label: 'Signed by', text: key, added: [added] };
}

function issuedLine({ keyPrefix }: Untrusted): ReceiptLine[] {
  return keyPrefix === undefined
    ? []
    : [{ kind: 'issued_to', label: 'Issued to', text: text(keyPrefix), added: ['start of the API key of the caller'] }];
}

function kernelLine({ kernel_sha256 }: Untrusted, hasSameKernel: boolean): ReceiptLine {
  const added = hasSameKernel
    ? ['the program that computed it; also in this version']
    : ['the program that computed it'];
  return { kind: 'kernel', label: 'Kernel SHA-256', text: text(kernel_sha256 ?? 'missing'), added };
}
