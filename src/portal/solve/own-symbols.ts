// The numbers that the caller's own equations give to symbols: swept like the fields of a form.

import { parseReal } from '../../core/decimal.ts';
import type { Input } from './experiment.ts';

/** Field that holds them, as `k = 4; c = 0.3` or as an object. */
const FIELD = 'vars';

/** Symbols and their numbers; what is no number is left out. */
export function ownSymbols({ [FIELD]: given }: Input): readonly (readonly [name: string, value: number])[] {
  const entries: readonly (readonly [string, unknown])[] =
    typeof given === 'string'
      ? given.split(/[;,\n]/).map((entry) => {
          const [name = '', value = ''] = entry.split('=').map((part) => part.trim());
          return [name, parseReal(value)];
        })
      : Object.entries(typeof given === 'object' && given !== null ? given : {});
  return entries.flatMap(([name, value]) =>
    name !== '' && typeof value === 'number' && Number.isFinite(value) ? [[name, value] as const] : [],
  );
}

/** The input without what is swept, among its fields and among its own symbols. */
export function withoutSwept(input: Input, names: readonly string[]): Input {
  const fields = Object.fromEntries(Object.entries(input).filter(([name]) => !names.includes(name)));
  const symbols = ownSymbols(input);
  if (!symbols.some(([name]) => names.includes(name))) return fields;
  return { ...fields, [FIELD]: Object.fromEntries(symbols.filter(([name]) => !names.includes(name))) };
}
