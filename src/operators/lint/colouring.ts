// A canonical tree without names: each symbol is known by its kind (its dimension) and by where it stands.
//
// Colour refinement with individualisation (McKay, Practical graph isomorphism, Congressus Numerantium 30 (1981) 45): a
// symbol's colour is what the tree looks like with that symbol marked, until no colour splits any more; symbols that still
// share a colour are exchangeable, and one is set apart. Two trees have one text exactly when renaming makes them equal,
// but for exotic ties, which the numeric comparison sees.

import { balanceOf, type Canonical, type Factor, printNumber } from './normal-form.ts';

export type Colours = ReadonlyMap<string, string>;

/** Short names for long texts, the same for all trees that are compared. */
export class Palette {
  readonly #known = new Map<string, string>();

  name(text: string): string {
    const known = this.#known.get(text) ?? `c${this.#known.size}`;
    this.#known.set(text, known);
    return known;
  }
}

export interface ShapeOptions {
  /** Coefficients and other literals do not count, exponents do. */
  readonly isMasked: boolean;
}

/**
 * @param free   symbols to be known by their place, with the kind of each
 * @param fixed  texts of the other symbols
 */
export function shapeText(
  tree: Canonical,
  free: Colours,
  fixed: Colours,
  palette: Palette,
  options: ShapeOptions,
): string {
  const print = (colours: Colours) => printTree(tree, new Map([...fixed, ...colours]), options);
  let colours = free;
  for (;;) {
    colours = refine(colours, print, palette);
    const tie = firstTie(colours);
    if (tie === undefined) return print(colours);
    colours = new Map(colours).set(tie, `${colours.get(tie)}'`);
  }
}

/** The text with names as they are, but for those that are given another. */
export function namedText(tree: Canonical, names: Colours): string {
  return printTree(tree, names, { isMasked: false });
}

function refine(start: Colours, print: (colours: Colours) => string, palette: Palette): Colours {
  let colours = start;
  for (let count = classes(colours); count < colours.size; ) {
    const before = colours;
    colours = new Map(
      [...before].map(([name, colour]) => [name, palette.name(print(new Map(before).set(name, `${colour}!`)))]),
    );
    const finer = classes(colours);
    if (finer === count) return colours;
    count = finer;
  }
  return colours;
}

const classes = (colours: Colours) => new Set(colours.values()).size;

/** A member of the first class that has several. */
function firstTie(colours: Colours): string | undefined {
  const byColour = Map.groupBy(colours.keys(), (name) => colours.get(name) ?? '');
  const [tie] = [...byColour].filter(([, names]) => names.length > 1).sort(([a], [b]) => (a < b ? -1 : 1));
  return tie?.[1][0];
}

/** A text and the sign that was taken out of it; 0 where colours do not tell a sum from its opposite. */
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
