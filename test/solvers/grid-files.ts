// Networks of the program as texts of files.

import type { NetworkCase } from '../../src/solvers/grid/network-case.ts';

/** A case file in MATPOWER's form. */
export function matpowerOf({ base, buses, generators, branches }: NetworkCase): string {
  const rows = (name: string, lines: readonly (readonly number[])[]) =>
    `mpc.${name} = [\n${lines.map((row) => `\t${row.join('\t')};`).join('\n')}\n];\n`;
  return [
    'function mpc = drawn',
    '%DRAWN  a case',
    "mpc.version = '2';",
    `mpc.baseMVA = ${base};`,
    rows(
      'bus',
      buses.map((b) => [
        b.number,
        b.type,
        b.load,
        b.reactiveLoad,
        b.conductance,
        b.susceptance,
        1,
        b.voltage,
        b.angle,
        b.kilovolts,
        1,
        1.1,
        0.9,
      ]),
    ),
    rows(
      'gen',
      generators.map((g) => [
        g.bus,
        g.power,
        g.reactivePower,
        g.highest,
        g.lowest,
        g.voltage,
        base,
        Number(g.isOn),
        0,
        0,
      ]),
    ),
    rows(
      'branch',
      branches.map((b) => [
        b.from,
        b.to,
        b.resistance,
        b.reactance,
        b.charging,
        ...b.ratings,
        b.tap === 1 ? 0 : b.tap,
        b.shift,
        Number(b.isOn),
        -360,
        360,
      ]),
    ),
  ].join('\n');
}

/** Text that ends in a column, counted from 1. */
function card(parts: readonly (readonly [text: string | number, end: number])[]): string {
  let line = '';
  for (const [text, end] of parts) line = line.padEnd(end - `${text}`.length) + text;
  return line;
}

/** The same in the IEEE Common Data Format; one generator a bus. */
export function commonOf({ base, buses, generators, branches }: NetworkCase): string {
  return [
    card([
      ['08/19/93 UW ARCHIVE', 20],
      [base, 37],
      ['1962 W DRAWN', 60],
    ]),
    `BUS DATA FOLLOWS ${buses.length} ITEMS`,
    ...buses.map((b) => {
      const own = generators.find(({ bus, isOn }) => bus === b.number && isOn);
      const type = b.type === 1 ? 0 : b.type;
      return card([
        [b.number, 4],
        [`Bus ${b.number}`, 17],
        [1, 20],
        [1, 23],
        [type, 26],
        [b.voltage, 33],
        [b.angle, 40],
        [b.load, 49],
        [b.reactiveLoad, 59],
        [own?.power ?? 0, 67],
        [own?.reactivePower ?? 0, 75],
        [b.kilovolts, 83],
        [own?.voltage ?? 0, 90],
        [own?.highest ?? 0, 98],
        [own?.lowest ?? 0, 106],
        [b.conductance / base, 114],
        [b.susceptance / base, 122],
      ]);
    }),
    '-999',
    `BRANCH DATA FOLLOWS ${branches.length} ITEMS`,
    ...branches.map((b) =>
      card([
        [b.from, 4],
        [b.to, 9],
        [1, 12],
        [1, 15],
        [1, 17],
        [0, 19],
        [b.resistance, 29],
        [b.reactance, 40],
        [b.charging, 50],
        [b.ratings[0], 55],
        [b.ratings[1], 61],
        [b.ratings[2], 67],
        [b.tap === 1 ? 0 : b.tap, 82],
        [b.shift, 90],
      ]),
    ),
    '-999',
  ].join('\n');
}
