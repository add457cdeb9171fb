// Symbol table: entries of the catalog, with or without a prefix.

import { nearestNames } from '../nearest.ts';
import { BASE_PREFIXES, CATALOG, PREFIXES, type Prefixes } from './catalog.ts';
import { HINTS, STANDALONE_SYMBOLS, SYMBOL_BY_NAME } from './corrections.ts';
import { BASE_UNITS, baseDimension } from './dimension.ts';
import type { UnitProblem } from './invalid.ts';
import { type ParsedUnit, parseParts, type SymbolLookup } from './parse.ts';
import { fromDecimal, isEqual, ONE, product, quotient, type Rational } from './rational.ts';

interface Entry extends ParsedUnit {
  readonly prefixes: Prefixes;
}

export class SymbolTable implements SymbolLookup {
  readonly #entries = new Map<string, Entry>();

  /** Parses the catalog; each entry may use the entries before it. */
  constructor() {
    for (const base of BASE_UNITS) {
      const prefixes = BASE_PREFIXES[base];
      this.#entries.set(base, { scale: ONE, dimension: baseDimension(base), coherent: base, prefixes });
    }
    for (const { symbol, factor, of, prefixes } of CATALOG) {
      const { scale: size, dimension, coherent } = parseParts(of, this);
      const scale = product(factorOf(factor), size);
      this.#entries.set(symbol, { scale, dimension, coherent: isEqual(scale, ONE) ? symbol : coherent, prefixes });
    }
  }

  find(symbol: string, isAlone: boolean): ParsedUnit | undefined {
    if (!isAlone && STANDALONE_SYMBOLS.has(symbol)) return undefined;
    return this.#entries.get(symbol) ?? this.#withPrefix(symbol, 1) ?? this.#withPrefix(symbol, 2);
  }

  explain(symbol: string, isAlone: boolean): UnitProblem {
    const reason = `unknown unit ${symbol}`;
    const corrected = SYMBOL_BY_NAME.get(symbol) ?? SYMBOL_BY_NAME.get(symbol.toLowerCase());
    if (corrected !== undefined) return { reason, nearest: [corrected] };
    const standaloneHint = isAlone ? undefined : STANDALONE_SYMBOLS.get(symbol);
    const hint = standaloneHint ?? HINTS.get(symbol) ?? this.#missingCaret(symbol);
    return hint === undefined ? { reason, nearest: nearestNames(symbol, this.#entries.keys()) } : { reason, hint };
  }

  hintFor(character: string): string | undefined {
    return HINTS.get(character);
  }

  /** @param length  of the prefix */
  #withPrefix(symbol: string, length: number): ParsedUnit | undefined {
    const entry = this.#entries.get(symbol.slice(length));
    if (entry === undefined || entry.prefixes === 'none') return undefined;
    const factor = PREFIXES[entry.prefixes].get(symbol.slice(0, length));
    return factor === undefined ? undefined : { ...entry, scale: product(fromDecimal(factor), entry.scale) };
  }

  /** A hint for m2 instead of m^2. */
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
