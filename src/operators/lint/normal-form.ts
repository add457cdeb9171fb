// Normal form: flat sums and products with like terms collected, compared by a key.
//
// A sum with as many positive as negative terms cannot be told from its opposite: inside a product its sign is chosen
// by the names of its symbols, and colouring.ts chooses again without names.

export type Canonical =
  | { readonly kind: 'number'; readonly value: number; readonly key: string }
  | { readonly kind: 'symbol'; readonly name: string; readonly key: string }
  | { readonly kind: 'sum'; readonly constant: number; readonly terms: readonly Term[]; readonly key: string }
  | {
      readonly kind: 'product';
      readonly coefficient: number;
      readonly factors: readonly Factor[];
      readonly key: string;
    }
  | {
      readonly kind: 'apply';
      readonly name: string;
      readonly operands: readonly Canonical[];
      readonly commutes: boolean;
      readonly key: string;
    };

export interface Term {
  readonly coefficient: number;
  /** Neither a number nor a product with a coefficient. */
  readonly node: Canonical;
}

export interface Factor {
  readonly base: Canonical;
  readonly exponent: number;
}

/** Numbers in keys are rounded: folding in another order changes the last digits. */
export const printNumber = (value: number) => String(Number(value.toPrecision(12)));

export function number(value: number): Canonical {
  return { kind: 'number', value, key: printNumber(value) };
}

export function symbol(name: string): Canonical {
  return { kind: 'symbol', name, key: `$${name}` };
}

export function apply(name: string, operands: readonly Canonical[], commutes = false): Canonical {
  const keys = operands.map(({ key }) => key);
  if (commutes) keys.sort();
  return { kind: 'apply', name, operands, commutes, key: `${name}(${keys.join(',')})` };
}

/** Like terms collected; a sum of one term is that term. */
export function add(parts: readonly Canonical[]): Canonical {
  let constant = 0;
  const terms = new Map<string, Term>();
  const put = (node: Canonical, coefficient: number) => {
    const known = terms.get(node.key)?.coefficient ?? 0;
    terms.set(node.key, { coefficient: known + coefficient, node });
  };
  for (const part of parts) {
    if (part.kind === 'number') constant += part.value;
    else if (part.kind === 'sum') {
      constant += part.constant;
      for (const { coefficient, node } of part.terms) put(node, coefficient);
    } else if (part.kind === 'product') put(product(1, part.factors), part.coefficient);
    else put(part, 1);
  }
  return sum(
    constant,
    [...terms.values()].filter(({ coefficient }) => coefficient !== 0),
  );
}

function sum(constant: number, terms: readonly Term[]): Canonical {
  const [only] = terms;
  if (only === undefined) return number(constant);
  if (terms.length === 1 && constant === 0) return scale(only.node, only.coefficient);
  const keys = terms.map(({ coefficient, node }) => `${printNumber(coefficient)}*${node.key}`).sort();
  return { kind: 'sum', constant, terms, key: `(${[printNumber(constant), ...keys].join('+')})` };
}

export function scale(node: Canonical, factor: number): Canonical {
  if (factor === 1) return node;
  if (node.kind === 'number') return number(node.value * factor);
  if (node.kind === 'sum') {
    return sum(
      node.constant * factor,
      node.terms.map(({ coefficient, node: term }) => ({ coefficient: coefficient * factor, node: term })),
    );
  }
  if (node.kind === 'product') return product(node.coefficient * factor, node.factors);
  return product(factor, [{ base: node, exponent: 1 }]);
}

export function multiply(parts: readonly Canonical[]): Canonical {
  let coefficient = 1;
  const factors = new Map<string, Factor>();
  const put = ({ base, exponent }: Factor) => {
    const known = factors.get(base.key)?.exponent ?? 0;
    factors.set(base.key, { base, exponent: known + exponent });
  };
  for (const part of parts) {
    const { coefficient: own, factors: ownFactors } = asProduct(part);
    coefficient *= own;
    for (const factor of ownFactors) put(factor);
  }
  return product(
    coefficient,
    [...factors.values()].filter(({ exponent }) => Math.abs(exponent) > 1e-12),
  );
}

/** A sum inside a product is scaled to a largest coefficient of 1 and, where it is defined, a positive sign. */
function asProduct(
  node: Canonical,
  isSigned = true,
): { readonly coefficient: number; readonly factors: readonly Factor[] } {
  if (node.kind === 'number') return { coefficient: node.value, factors: [] };
  if (node.kind === 'product') return node;
  if (node.kind !== 'sum') return { coefficient: 1, factors: [{ base: node, exponent: 1 }] };
  const coefficient = contentOf(node, isSigned);
  return { coefficient, factors: [{ base: scale(node, 1 / coefficient), exponent: 1 }] };
}

/** @param isSigned  a sum with as many positive as negative terms takes its sign from the first by name */
function contentOf(node: Canonical & { kind: 'sum' }, isSigned: boolean): number {
  const all = coefficientsOf(node);
  const size = Math.max(...all.map(Math.abs));
  const balance = balanceOf(node);
  if (balance !== 0) return balance < 0 ? -size : size;
  const [first] = node.terms.toSorted((a, b) => (a.node.key < b.node.key ? -1 : 1));
  return isSigned && (first?.coefficient ?? 1) < 0 ? -size : size;
}

/**
 * Number of positive minus negative terms; 0 also where a term has a chosen sign. At 0 the sign of the sum is
 * ambiguous.
 */
export function balanceOf(node: Canonical & { kind: 'sum' }): number {
  if (node.terms.some((term) => hasChosenSign(term.node))) return 0;
  return coefficientsOf(node).reduce((total, one) => total + Math.sign(one), 0);
}

/** The sign of k*(a - b) depends on which of its two forms is written. */
function hasChosenSign(node: Canonical): boolean {
  if (node.kind !== 'product') return false;
  return node.factors.some(({ base, exponent }) => {
    return base.kind === 'sum' && Math.abs(exponent % 2) === 1 && balanceOf(base) === 0;
  });
}

const coefficientsOf = ({ constant, terms }: Canonical & { kind: 'sum' }) => [
  ...(constant === 0 ? [] : [constant]),
  ...terms.map(({ coefficient }) => coefficient),
];

function product(coefficient: number, factors: readonly Factor[]): Canonical {
  const [only] = factors;
  if (only === undefined || coefficient === 0) return number(coefficient);
  if (factors.length === 1 && only.exponent === 1) {
    if (coefficient === 1) return only.base;
    if (only.base.kind === 'sum') return scale(only.base, coefficient);
  }
  const keys = factors.map(({ base, exponent }) => `${base.key}^${printNumber(exponent)}`).sort();
  return { kind: 'product', coefficient, factors, key: `[${[printNumber(coefficient), ...keys].join('*')}]` };
}

/** A numeric power is distributed over the factors, unless that loses the sign of an even power: sqrt(x^2) is not x. */
export function power(node: Canonical, exponent: number): Canonical {
  const { coefficient, factors } = asProduct(node);
  const isWhole = Number.isInteger(exponent);
  const isSplit = isWhole || (coefficient > 0 && !hasChosenSign(product(1, factors)));
  if (!isSplit && factors.length > 0) {
    const size = Math.abs(coefficient);
    return multiply([numericPower(size, exponent), powerOf(scale(node, 1 / size), exponent)]);
  }
  const raised = factors.map(({ base, exponent: own }) => {
    const isEven = !isWhole && own % 2 === 0 && (own * exponent) % 2 !== 0;
    return isEven ? powerOf(product(1, [{ base, exponent: own }]), exponent) : powerOf(base, own * exponent);
  });
  return multiply([numericPower(coefficient, exponent), ...raised]);
}

function powerOf(base: Canonical, exponent: number): Canonical {
  const factors = [{ base, exponent }];
  const keys = `${base.key}^${printNumber(exponent)}`;
  return exponent === 1 ? base : { kind: 'product', coefficient: 1, factors, key: `[1*${keys}]` };
}

/** Whole powers and square roots are folded; any other stays a separate factor. */
function numericPower(base: number, exponent: number): Canonical {
  const twice = 2 * exponent;
  const isRoot = Number.isInteger(twice) && Math.abs(twice) <= 64;
  if (base === 1) return number(1);
  if (!isRoot || (base < 0 && !Number.isInteger(exponent))) return powerOf(number(base), exponent);
  const root = Number.isInteger(exponent) ? base : Math.sqrt(base);
  const count = Math.abs(Number.isInteger(exponent) ? exponent : twice);
  let value = 1;
  for (let i = 0; i < count; i++) value *= root;
  return number(exponent < 0 ? 1 / value : value);
}

/** `exp(-2*x)` is exp(x)^-2, and `a^(n/2)` is (a^n)^0.5: numeric factors leave the exponent, except a chosen sign. */
export function symbolicPower(name: string, base: readonly Canonical[], exponent: Canonical): Canonical {
  if (exponent.kind === 'number') return apply(name, [...base, exponent]);
  const { coefficient, factors } = asProduct(exponent, false);
  const sign = hasChosenSign(product(1, factors)) ? Math.sign(coefficient) : 1;
  return powerOf(apply(name, [...base, product(sign, factors)]), coefficient * sign);
}
