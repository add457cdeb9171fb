// Masks of QR codes, and how hard a masked code is to read. ISO/IEC 18004:2015 §7.8.

import type { Modules } from './modules.ts';

/** Whether a mask inverts the module in a column and row. */
export const MASKS: readonly ((x: number, y: number) => boolean)[] = [
  (x, y) => (x + y) % 2 === 0,
  (_, y) => y % 2 === 0,
  (x) => x % 3 === 0,
  (x, y) => (x + y) % 3 === 0,
  (x, y) => (Math.floor(x / 3) + Math.floor(y / 2)) % 2 === 0,
  (x, y) => ((x * y) % 2) + ((x * y) % 3) === 0,
  (x, y) => (((x * y) % 2) + ((x * y) % 3)) % 2 === 0,
  (x, y) => (((x + y) % 2) + ((x * y) % 3)) % 2 === 0,
];

/** Inverts the modules of data. */
export function applyMask(modules: Modules, mask: number): void {
  const inverts = MASKS[mask];
  for (let y = 0; y < modules.size; y++)
    for (let x = 0; x < modules.size; x++)
      if (!modules.isFixed(x, y) && inverts?.(x, y)) modules.set(x, y, !modules.isDark(x, y));
}

const PENALTIES = { run: 3, block: 3, finder: 40, balance: 10 } as const;
const MIN_RUN = 5;

/** What looks like a finder with four light modules on one side. */
const FALSE_FINDERS = ['10111010000', '00001011101'];

/** The lower, the easier to read. */
export function penaltyOf(modules: Modules): number {
  const { size } = modules;
  const lines = Array.from({ length: size }, (_, at) => at).flatMap((at) => [
    lineOf(size, (along) => modules.isDark(along, at)),
    lineOf(size, (along) => modules.isDark(at, along)),
  ]);
  const ofLines = lines.reduce((sum, line) => sum + runsIn(line) + findersIn(line), 0);
  return ofLines + blocksIn(modules) + imbalanceOf(modules);
}

const lineOf = (size: number, isDark: (along: number) => boolean) =>
  Array.from({ length: size }, (_, along) => (isDark(along) ? '1' : '0')).join('');

const runsIn = (line: string) =>
  (line.match(/0{5,}|1{5,}/g) ?? []).reduce((sum, { length }) => sum + PENALTIES.run + length - MIN_RUN, 0);

function findersIn(line: string): number {
  let count = 0;
  for (const finder of FALSE_FINDERS)
    for (let at = line.indexOf(finder); at >= 0; at = line.indexOf(finder, at + 1)) count++;
  return count * PENALTIES.finder;
}

function blocksIn(modules: Modules): number {
  let count = 0;
  for (let y = 1; y < modules.size; y++)
    for (let x = 1; x < modules.size; x++) {
      const isDark = modules.isDark(x, y);
      const isBlock = [modules.isDark(x - 1, y), modules.isDark(x, y - 1), modules.isDark(x - 1, y - 1)].every(
        (other) => other === isDark,
      );
      if (isBlock) count++;
    }
  return count * PENALTIES.block;
}

/** For each whole 5 % that the dark modules differ from one half. */
function imbalanceOf(modules: Modules): number {
  const total = modules.size ** 2;
  let dark = 0;
  for (let y = 0; y < modules.size; y++) for (let x = 0; x < modules.size; x++) if (modules.isDark(x, y)) dark++;
  return Math.floor(Math.abs(dark * 20 - total * 10) / total) * PENALTIES.balance;
}
