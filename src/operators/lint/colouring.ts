// A canonical tree as text without names: each symbol is identified by its kind (its dimension) and its position.
//
// Colour refinement with individualisation (McKay, Practical graph isomorphism, Congressus Numerantium 30 (1981) 45): a
// symbol's colour is the text of the tree with that symbol marked, repeated until no colour class splits. Symbols that
// still share a colour are exchangeable, and one is individualised. Two trees have equal texts exactly when renaming
// makes them equal; rare ties that refinement cannot split are left to the numeric comparison.

import { groupBy } from '../../core/group-by.ts';
import { balanceOf, type Canonical, type Factor, printNumber } from './normal-form.ts';

export type Colours = ReadonlyMap<string, string>;

/** Interns long texts as short names, the same for all trees that are compared. */
export class ColourNames {
  readonly #known = new Map<string, string>();

  of(text: string): string {
    const known = this.#known.get(text) ?? `c${this.#known.size}`;
    this.#known.set(text, known);
    return known;
  }
}

export interface ShapeOptions {
  /** Literals other than exponents are replaced by one mark. */
  readonly isMasked: boolean;
}

/**
 * @param free   symbols to be identified by position, with the kind of each
 * @param fixed  texts of the other symbols
 */
export function shapeText(
  tree: Canonical,
  free: Colours,
  fixed: Colours,
  colourNames: ColourNames,
  options: ShapeOptions,
): string {
  const print = (colours: Colours) => printTree(tree, new Map([...fixed, ...colours]), options);
  let colours = free;
  for (;;) {
    colours = refine(colours, print, colourNames);
    const tie = firstTie(colours);
    if (tie === undefined) return print(colours);
    colours = new Map(colours).set(tie, `${colours.get(tie)}'`);
  }
}

/** The text with the names of symbols, or with those given for them. */
export function namedText(tree: Canonical, names: Colours): string {
  return printTree(tree, names, { isMasked: false });
}

function refine(start: Colours, print: (colours: Colours) => string, colourNames: ColourNames): Colours {
  let colours = start;
  for (let count = classes(colours); count < colours.size; ) {
    const before = colours;
    colours = new Map(
      [...before].map(([name, colour]) => [name, colourNames.of(print(new Map(before).set(name, `${colour}!`)))]),
    );
    const finer = classes(colours);
    if (finer === count) return colours;
    count = finer;
  }
  return colours;
}

const classes = (colours: Colours) => new Set(colours.values()).size;

/** A member of the first colour class with several members. */
function firstTie(colours: Colours): string | undefined {
  const byColour = groupBy(colours.keys(), (name) => colours.get(name) ?? '');
  const [tie] = [...byColour].filter(([, names]) => names.length > 1).sort(([a], [b]) => (a < b ? -1 : 1));
  return tie?.[1][0];
}

/** A text and the sign factored out of it; 0 where colours do not distinguish a sum from its opposite. */
interface Signed {
  readonly text: string;
  readonly sign: number;
}

function printTree(tree: Canonical, colours: Colours, options: ShapeOptions): string {
  const whole = (node: Canonical): string => {
    const { text, sign } = signed(node);
    return sign === 1 ? text : `${sign === 0 ? '~' : '-'}${text}`;
  };
  const literal = (value: number) => (options.isMasked ? '#' : printNumber(value));
  const factor = ({ base, exponent }: Factor): Signed => {
    const isOrientable = base.kind === 'sum' && balanceOf(base) === 0 && Number.isInteger(exponent);
    if (!isOrientable) return { text: `${whole(base)}^${printNumber(exponent)}`, sign: 1 };
    const [one, other] = [terms(base, 1), terms(base, -1)];
    const sign = exponent % 2 === 0 ? 1 : one === other ? 0 : one > other ? 1 : -1;
    const [last = ''] = [one, other].sort().reverse();
    return { text: `${last}^${printNumber(exponent)}`, sign };
  };
  const terms = (node: Canonical & { kind: 'sum' }, orientation: number): string => {
    const all = node.terms.map((term) => {
      const { text, sign } = signed(term.node);
      const coefficient = term.coefficient * orientation * sign;
      const mark = sign === 0 ? '~' : coefficient < 0 ? '-' : '+';
      return `${mark}${literal(Math.abs(term.coefficient))}*${text}`;
    });
    const constant = node.constant * orientation;
    const head = constant === 0 ? [] : [`${constant < 0 ? '-' : '+'}${literal(Math.abs(constant))}`];
    return `(${[...head, ...all.sort()].join('')})`;
  };
  const signed = (node: Canonical): Signed => {
    switch (node.kind) {
      case 'number':
        return { text: literal(node.value), sign: 1 };
      case 'symbol':
        return { text: colours.get(node.name) ?? node.name, sign: 1 };
      case 'sum':
        return { text: terms(node, 1), sign: 1 };
      case 'product': {
        const factors = node.factors.map(factor);
        const sign = factors.reduce((total, one) => total * one.sign, Math.sign(node.coefficient));
        const texts = factors.map(({ text }) => text).sort();
        return { text: `[${[literal(Math.abs(node.coefficient)), ...texts].join('*')}]`, sign };
      }
      case 'apply': {
        const operands = node.operands.map(whole);
        if (node.commutes) operands.sort();
        return { text: `${node.name}(${operands.join(',')})`, sign: 1 };
      }
    }
  };
  return whole(tree);
}
