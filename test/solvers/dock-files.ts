// Small structures for tests of docking: benzene with its hydrogens, and water above it.

const place = (x: number, y: number, z: number) => [x, y, z].map((one) => one.toFixed(3).padStart(8)).join('');

/** An ATOM record of PDBQT. */
export const atomRecord = (serial: number, name: string, type: string, x: number, y: number, z: number): string =>
  `ATOM  ${String(serial).padStart(5)}  ${name.padEnd(3)} LIG A   1    ${place(x, y, z)}  1.00  0.00     0.000 ${type}`;

const ring = [0, 1, 2, 3, 4, 5].map((k) => (k * Math.PI) / 3);

export const BENZENE = [
  ...ring.map((angle, k) => atomRecord(k + 1, 'C', 'A', 1.39 * Math.cos(angle), 1.39 * Math.sin(angle), 0)),
  ...ring.map((angle, k) => atomRecord(k + 7, 'H', 'H', 2.48 * Math.cos(angle), 2.48 * Math.sin(angle), 0)),
  'TER',
  '',
].join('\n');

export const WATER = [
  'ROOT',
  atomRecord(1, 'O', 'OA', 0, 0, 3.2),
  atomRecord(2, 'H1', 'HD', 0.757, 0, 3.786),
  atomRecord(3, 'H2', 'HD', -0.757, 0, 3.786),
  'ENDROOT',
  'TORSDOF 0',
  '',
].join('\n');

export const BENZENE_WATER = { receptor_file: BENZENE, ligand_file: WATER } as const;

/** With the hydroxyl as a branch, whose ends carry no further heavy atom. */
export const METHANOL = [
  'ROOT',
  atomRecord(1, 'C', 'C', 0, 0, 0),
  'ENDROOT',
  'BRANCH   1   2',
  atomRecord(2, 'O', 'OA', 1.42, 0, 0),
  atomRecord(3, 'HO', 'HD', 1.75, 0.9, 0),
  'ENDBRANCH   1   2',
  'TORSDOF 1',
  '',
].join('\n');

/** Two atoms and their bond; `counts` begins the line of counts. */
export function sdf(counts: string, version = 'V2000'): string {
  const atom = (x: string, symbol: string) =>
    `    ${x}    0.0000    0.0000 ${symbol}   0  0  0  0  0  0  0  0  0  0  0  0`;
  return [
    ...['ethanol', '  by hand', '', `${counts}  0  0  0  0  0  0  0  0999 ${version}`],
    ...[atom('0.0000', 'C'), atom('1.2000', 'O'), '  1  2  1  0  0  0  0', 'M  END', '$$$$', ''],
  ].join('\n');
}
