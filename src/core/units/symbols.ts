// What a symbol means: an entry of the catalog, or a prefix before one.

import { nearestNames } from '../nearest.ts';
import { BASE_PREFIXES, CATALOG, PREFIXES, type Prefixes } from './catalog.ts';
import { INSTEAD, ONLY_ALONE, SYMBOL_OF } from './corrections.ts';
import { BASE_UNITS, baseDimension } from './dimension.ts';
import type { Fault } from './invalid.ts';
import { type Part, parseParts, type Symbols } from './parse.ts';
import { fromDecimal, isSame, ONE, product, quotient, type Rational } from './rational.ts';

interface Entry extends Part {
  readonly prefixes: Prefixes;
}

export class SymbolTable implements Symbols {
  readonly #entries = new Map<string, Entry>();

  /** The catalog, each entry read with those before it. */
  constructor() {
    for (const base of BASE_UNITS) {
      const prefixes = BASE_PREFIXES[base];
      this.#entries.set(base, { scale: ONE, dimension: baseDimension(base), coherent: base, prefixes });
    }
    for (const { symbol, factor, of, prefixes } of CATALOG) {
      const { scale: size, dimension, coherent } = parseParts(of, this);
      const scale = product(factorOf(factor), size);
      this.#entries.set(symbol, { scale, dimension, coherent: isSame(scale, ONE) ? symbol : coherent, prefixes });
    }
  }

  find(symbol: string, isAlone: boolean): Part | undefined {
    if (!isAlone && ONLY_ALONE.has(symbol)) return undefined;
    return this.#entries.get(symbol) ?? this.#prefixed(symbol, 1) ?? this.#prefixed(symbol, 2);
  }

  explain(symbol: string, isAlone: boolean): Fault {
    const reason = `there is no unit ${symbol}`;
    const meant = SYMBOL_OF.get(symbol) ?? SYMBOL_OF.get(symbol.toLowerCase());
    if (meant !== undefined) return { reason, nearest: [meant] };
    const alone = isAlone ? undefined : ONLY_ALONE.get(symbol);
    const hint = alone ?? INSTEAD.get(symbol) ?? this.#missingCaret(symbol);
    return hint === undefined ? { reason, nearest: nearestNames(symbol, this.#entries.keys()) } : { reason, hint };
  }

  hintFor(character: string): string | undefined {
    return INSTEAD.get(character);
  }

  /** @param length  of the prefix */
  #prefixed(symbol: string, length: number): Part | undefined {
    const entry = this.#entries.get(symbol.slice(length));
    if (entry === undefined || entry.prefixes === 'none') return undefined;
    const factor = PREFIXES[entry.prefixes].get(symbol.slice(0, length));
    return factor === undefined ? undefined : { ...entry, scale: product(fromDecimal(factor), entry.scale) };
  }

  /** m2 for m^2 */
  #missingCaret(symbol: string): string | undefined {
    const [, base, exponent] = /^(\D+)(\d)$/.exec(symbol) ?? [];
    return base !== undefined && this.find(base, true) ? `a power is written ${base}^${exponent}` : undefined;
  }
}

/** pi to 60 decimals, far beyond a double. */
const PI = fromDecimal('3.141592653589793238462643383279502884197169399375105820974944');

/** `101325/760`, `pi/180` */
function factorOf(text: string): Rational {
  const [first = ONE, ...rest] = text.split('/').map((part) => (part === 'pi' ? PI : fromDecimal(part)));
  return rest.reduce(quotient, first);
}
