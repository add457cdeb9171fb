// The page of a solver: its record, what an answer holds, the text of its guide, and its measurements.

import { findOperator } from '../../../src/operators/load.ts';
import { type Operator, PULSE_OPERATOR } from '../../../src/operators/operator.ts';
import { capitalise, formatBound, formatUnit, withFullStop } from '../../../src/portal/kit/format.ts';
import { element, type MathNode } from '../../../src/portal/kit/math-node.ts';
import type { Meanings } from '../../../src/portal/operators/formula.ts';
import type { FieldDescription } from '../../../src/portal/solve/solver-description.ts';
import type { SolverDefinition } from '../../../src/solvers/definition.ts';
import { type QuantityWords, quantityWords } from '../../../src/solvers/quantity-words.ts';
import { describeSolver } from '../describe-solver.ts';
import { equationNode } from './equation.ts';
import type { DocNode, Heading, Rendered, Slugs } from './markdown.ts';
import type { SolverSample } from './solver-samples.ts';

export interface SolverPageParts {
  readonly solver: SolverDefinition;
  /** Of its defaults. */
  readonly sample: SolverSample;
  /** Of docs/<id>.md. */
  readonly guide: Rendered | undefined;
  readonly measurements: readonly DocNode[];
  readonly slugs: Slugs;
}

export function solverPage({ solver, sample, guide, measurements, slugs }: SolverPageParts): Rendered {
  const record = describeSolver(solver);
  const { id, title, summary, method, stability, examples, references, answer, answers = [], unit } = record;
  const headings: Heading[] = [];
  const heading = (text: string): DocNode => {
    const anchor = slugs.take(text);
    headings.push({ id: anchor, level: 2, text });
    return element('h2', { id: anchor }, text);
  };
  const laws = solver.operatorChain.filter((law) => law !== PULSE_OPERATOR).map(findOperator);
  const { order = {} } = solver.method;
  const orders = [
    order.time === undefined ? [] : [`${order.time} in time`],
    order.space === undefined ? [] : [`${order.space} in space`],
  ].flat();
  const before: DocNode[] = [
    element('p', { class: 'lead' }, withFullStop(summary)),
    element(
      'p',
      { class: 'button-row' },
      element('a', { href: `/solve/${id}`, class: 'button' }, 'Open in Solve'),
      element('code', null, `POST /api/svc/${id}`),
      ' ',
      element('code', null, `svc solve ${id}`),
    ),
    facts([
      [
        'Answer',
        [...answers, answer ?? { name: 'Value' }].map((one) => answerText(one.name, one.unit ?? unit)).join('; '),
      ],
      ['Method', method],
      ['Order', orders.join(', ')],
      ['Stability', stability ?? ''],
      ['Subject', record.subject],
      ['Revision', String(solver.revision)],
    ]),
    heading('Equations'),
    ...record.equations,
    ...(laws.length === 0
      ? []
      : [element('p', null, 'Its receipts name these laws of the registry:'), ...laws.flatMap(lawNodes)]),
  ];
  const after: DocNode[] = [
    heading('Inputs'),
    inputTable(record.fields),
    ...(examples.length === 0
      ? []
      : [
          heading('Presets'),
          element(
            'ul',
            null,
            examples.map((example) => element('li', null, presetLink(id, example))),
          ),
        ]),
    ...resultNodes(sample, solver.form?.quantities ?? {}, heading),
    ...(measurements.length === 0 ? [] : [heading('Measurements'), ...measurements]),
    heading('References'),
    element(
      'ul',
      null,
      references.map(({ cite, at, doi }) =>
        element(
          'li',
          null,
          `${cite}, ${at}`,
          doi === undefined ? [] : [element('span', null, '. '), element('a', { href: `https://doi.org/${doi}` }, doi)],
        ),
      ),
    ),
  ];
  const own = headings.splice(0);
  const first = own.filter(({ text }) => text === 'Equations');
  const last = own.filter(({ text }) => text !== 'Equations');
  return {
    title,
    headings: [...first, ...(guide?.headings ?? []), ...last],
    body: [...before, ...(guide?.body ?? []), ...after],
  };
}

const answerText = (name: string, unit: string) => (unit === '1' ? name : `${name}, in ${formatUnit(unit)}`);

function facts(rows: readonly (readonly [string, string])[]): MathNode {
  return element(
    'dl',
    { class: 'facts' },
    rows
      .filter(([, text]) => text !== '')
      .map(([name, text]) => element('div', null, element('dt', null, name), element('dd', null, text))),
  );
}

/** A law with its equation, and a link to its page. */
function lawNodes({ id, name, equation, where = {}, inputs, output }: Operator): DocNode[] {
  const meanings: Meanings = { ...inputs, [output.symbol]: output };
  return [
    element('p', { class: 'law-name' }, element('a', { href: `/operators/${id}` }, id), ` ${capitalise(name)}`),
    equationNode(equation, meanings),
    ...Object.entries(where).map(([symbol, text]) => equationNode(`${symbol} = ${text}`, meanings)),
  ];
}

const HEADS = ['Input', 'Unit', 'Range', 'Default', 'Meaning'] as const;

function inputTable(fields: readonly FieldDescription[]): MathNode {
  return table(
    HEADS,
    fields.map((field) => {
      const { name, symbol, unit, help, label, defaultValue } = field;
      const meaning = [label, help].filter((text) => text !== undefined && text !== '').join('. ');
      return [
        [element('code', null, name), ...(symbol === undefined || symbol === name ? [] : [` ${symbol}`])],
        [unit === '1' ? '' : formatUnit(unit)],
        [rangeOf(field)],
        defaultValue === undefined ? ['by the solver'] : [element('code', null, shortDefault(defaultValue))],
        [withFullStop(meaning)],
      ];
    }),
  );
}

const MAX_DEFAULT_LENGTH = 60;

function shortDefault(value: number | string | boolean): string {
  const text = value === '' ? '""' : String(value);
  return text.length > MAX_DEFAULT_LENGTH ? `${text.slice(0, MAX_DEFAULT_LENGTH)}…` : text;
}

const KIND_WORDS: Partial<Record<FieldDescription['kind'], string>> = {
  switch: 'true or false',
  array: 'list of numbers',
  list: 'names, separated by commas',
  object: 'object',
  'text-or-array': 'text or list',
  text: 'text',
};

function rangeOf({ kind, min, max, isExclusive, choices }: FieldDescription): string {
  if (choices) return choices.join(', ');
  const whole = kind === 'integer' ? 'whole, ' : '';
  if (min !== undefined && max !== undefined) {
    const bounds = `${formatBound(min)} – ${formatBound(max)}`;
    return `${whole}${isExclusive ? `between ${bounds}` : bounds}`;
  }
  if (min !== undefined) return `${whole}${isExclusive ? '>' : '≥'} ${formatBound(min)}`;
  if (max !== undefined) return `${whole}${isExclusive ? '<' : '≤'} ${formatBound(max)}`;
  return kind === 'integer' ? 'whole number' : (KIND_WORDS[kind] ?? 'number');
}

function table(heads: readonly string[], rows: readonly (readonly (readonly DocNode[])[])[]): MathNode {
  const cells = (row: readonly (readonly DocNode[])[]) => row.map((cell) => element('td', null, ...cell));
  return element(
    'table',
    null,
    element(
      'thead',
      null,
      element(
        'tr',
        null,
        heads.map((head) => element('th', null, head)),
      ),
    ),
    element(
      'tbody',
      null,
      rows.map((row) => element('tr', null, cells(row))),
    ),
  );
}

/** Opens the form with the inputs of the preset, where its address can hold them. */
function presetLink(id: string, { title, input }: { readonly title: string; readonly input: object }): MathNode {
  const entries = Object.entries(input);
  const isPlain = entries.every(([, value]) => ['number', 'string', 'boolean'].includes(typeof value));
  const query = new URLSearchParams(entries.map(([name, value]) => [name, String(value)])).toString();
  return element('a', { href: isPlain && query !== '' ? `/solve/${id}?${query}` : `/solve/${id}` }, title);
}

/** The names that an answer holds, as the defaults give them. */
function resultNodes(
  { quantities, invariants, fields, witness }: SolverSample,
  words: QuantityWords,
  heading: (text: string) => DocNode,
) {
  return [
    heading('Results'),
    element('p', null, `Checked by a second way: ${withFullStop(witness)}`),
    element('p', null, 'With its defaults, an answer has these further numbers.'),
    table(
      ['Quantity', 'Meaning', 'Unit'],
      quantities.map(({ name, unit }) => [
        [element('code', null, name)],
        [quantityWords(words, name) ?? ''],
        [unit === '1' ? '' : formatUnit(unit)],
      ]),
    ),
    ...(fields.length === 0
      ? []
      : [
          element(
            'p',
            null,
            'Arrays: ',
            ...fields.flatMap((name, at) => [...(at === 0 ? [] : [', ']), element('code', null, name)]),
            '.',
          ),
        ]),
    ...(invariants.length === 0
      ? []
      : [
          heading('Invariants'),
          element('p', null, 'What must hold of every answer; a drift above its bound fails the run.'),
          table(
            ['Invariant', 'Says', 'Bound'],
            invariants.map(({ name, label, bound }) => [
              [element('code', null, name)],
              [capitalise(label ?? name.replaceAll('_', ' '))],
              [formatBound(Number(bound.toPrecision(2)))],
            ]),
          ),
        ]),
  ];
}
