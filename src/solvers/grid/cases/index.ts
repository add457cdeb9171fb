// The networks of the program, and their rows.

import { type NetworkCase, networkCaseOf } from '../network-case.ts';
import { ALSAC30 } from './alsac30.ts';
import type { BuiltInCase } from './built-in-case.ts';
import { CASE9 } from './case9.ts';
import { FIVE } from './five.ts';
import { IEEE14 } from './ieee14.ts';
import { IEEE30 } from './ieee30.ts';
import { IEEE57 } from './ieee57.ts';
import { IEEE118 } from './ieee118.ts';
import { THREE } from './three.ts';

export const NETWORK_NAMES = ['ieee14', 'ieee30', 'ieee57', 'ieee118', 'alsac30', 'case9', 'five', 'three'] as const;

export type NetworkName = (typeof NETWORK_NAMES)[number];

const CASES: Readonly<Record<NetworkName, BuiltInCase>> = {
  ieee14: IEEE14,
  ieee30: IEEE30,
  ieee57: IEEE57,
  ieee118: IEEE118,
  alsac30: ALSAC30,
  case9: CASE9,
  five: FIVE,
  three: THREE,
};

const rowsOf = (text: string) =>
  text
    .split(';')
    .map((row) => row.trim())
    .filter((row) => row !== '')
    .map((row) => row.split(/\s+/).map(Number));

/** Rows in the columns of MATPOWER; area and the base of a generator are left out in the texts. */
export function builtInCase(name: NetworkName): NetworkCase {
  const { title, base, buses, generators, branches } = CASES[name];
  return networkCaseOf({
    title,
    base,
    buses: { rows: rowsOf(buses).map((row) => [...padded(row, 6), 1, ...row.slice(6)]) },
    generators: {
      rows: rowsOf(generators).map((row) => (row.length < 7 ? row : [...row.slice(0, 6), base, row[6] ?? 1])),
    },
    branches: { rows: rowsOf(branches) },
    notes: [],
  });
}

const padded = (row: readonly number[], length: number) => Array.from({ length }, (_, i) => row[i] ?? 0);
