// Lists of sizes: "5 x 4 x 3 m" and "0.5 m by 0.4 m" are the sides of a body, "64 by 48 cells" the counts of a grid.

import { DIMENSIONLESS, sameDimension } from '../core/units/dimension.ts';
import { unitOf } from '../operators/unit-table.ts';
import type { Quantity } from './quantity.ts';
import type { Token } from './sentence.ts';

const JOINTS: ReadonlySet<string> = new Set(['x', '\u00d7', '*', 'by']);
const MAX_SIZES = 3;
const METRE = unitOf('m').dimension;

/** Fields along x, y and z; of several, the first that a target has. */
const SIDES = [
  ['lx', 'ly', 'lz'],
  ['length', 'height'],
] as const;
const COUNTS = [['nx', 'ny'], ['N', 'Ny'], ['N']] as const;
const CELLS: ReadonlySet<string> = new Set('cell element grid lattice mesh node point'.split(' '));

const isLength = ({ unit }: Quantity) => unit !== undefined && sameDimension(unitOf(unit).dimension, METRE);
const isPure = ({ unit }: Quantity) => unit === undefined || sameDimension(unitOf(unit).dimension, DIMENSIONLESS);

/** The lists among the quantities of a sentence, which are in its order. */
export function listsOf(tokens: readonly Token[], quantities: readonly Quantity[]): readonly (readonly Quantity[])[] {
  const lists: Quantity[][] = [];
  let open: Quantity[] = [];
  for (const quantity of quantities) {
    const last = open.at(-1);
    const isNext =
      last !== undefined && quantity.from === last.to + 1 && JOINTS.has((tokens[last.to]?.text ?? '').toLowerCase());
    if (isNext && open.length < MAX_SIZES) open.push(quantity);
    else {
      open = [quantity];
      lists.push(open);
    }
  }
  return lists.filter((list) => list.length > 1);
}

/** Each length of a list in its own unit, or in that of the last one. */
export function withSharedUnits(tokens: readonly Token[], quantities: readonly Quantity[]): Quantity[] {
  const units = new Map<Quantity, string>();
  for (const list of listsOf(tokens, quantities)) {
    const last = list.at(-1);
    if (last?.unit === undefined || !isLength(last)) continue;
    for (const one of list) if (one.unit === undefined) units.set(one, last.unit);
  }
  return quantities.map((quantity) => {
    const unit = units.get(quantity);
    return unit === undefined ? quantity : { ...quantity, unit };
  });
}

/** The fields that a list gives, in its order; undefined if it gives none. One field takes a list of equal numbers. */
export function fieldsOfList(
  list: readonly Quantity[],
  tokens: readonly Token[],
  has: (field: string) => boolean,
): readonly string[] | undefined {
  const after = tokens[list.at(-1)?.to ?? 0]?.word ?? '';
  const isGrid =
    list.every(isPure) && [after, after.replace(/s$/, ''), after.replace(/es$/, '')].some((w) => CELLS.has(w));
  const families: readonly (readonly string[])[] = list.every(isLength) ? SIDES : isGrid ? COUNTS : [];
  const isEqual = list.every(({ value }) => value === list[0]?.value);
  return families.find(
    (family) =>
      (family.length >= list.length || (isEqual && family.length === 1)) && family.slice(0, list.length).every(has),
  );
}
