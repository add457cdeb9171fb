// Cost of sealing an answer, with an array of 10 and of 10^6 numbers. One SHA-256 pass over the array may grow with it,
// and one look at each number for NaN, infinity and −0; nothing else.
//
//   node bench/sealing.ts

import { littleEndianBytes } from '../src/core/bits.ts';
import { sha256Hex } from '../src/core/sha256.ts';
import { buildBody } from '../src/protocol/envelope.ts';
import { pureFields } from '../src/protocol/pure-fields.ts';
import { statementOf } from '../src/protocol/seal.ts';
import { issuer, ROD, STAMPS, solve } from '../test/protocol/sealed-case.ts';

const ROUNDS = 15;
const { computation, executed, solution } = await solve('heat', ROD);
const call = { notes: [], tokens: 1, runId: undefined };

/** Minimum CPU time of one call in µs. `make` is not counted. */
function cpuTime<Input>(make: () => Input, work: (input: Input) => void): number {
  let best = Number.POSITIVE_INFINITY;
  for (let round = 0; round < ROUNDS; round++) {
    const input = make();
    const begin = process.cpuUsage();
    work(input);
    const { user, system } = process.cpuUsage(begin);
    best = Math.min(best, user + system);
  }
  return best;
}

/** Every round seals another array, because hashes are cached by array. */
const solutionWith = (count: number) => {
  const data = Float64Array.from({ length: count }, (_, i) => Math.sqrt(i + 1));
  return { ...solution, fields: [{ name: 'u', unit: 'K', shape: [count], data }] };
};

function seal(next: typeof solution): void {
  const { pure } = pureFields(computation, executed, next);
  statementOf({ ...buildBody(pure, next, STAMPS, issuer, call) });
}

for (let i = 0; i < 200; i++) seal(solutionWith(10));
const small =
  cpuTime(
    () => Array.from({ length: 100 }, () => solutionWith(10)),
    (all) => all.forEach(seal),
  ) / 100;
const large = cpuTime(() => solutionWith(1e6), seal);
const pass = cpuTime(
  () => solutionWith(1e6).fields[0]?.data ?? new Float64Array(),
  (data) => void sha256Hex(littleEndianBytes(data)),
);
console.log(`sealing with 10 numbers     ${small.toFixed(0)} us`);
console.log(`sealing with 10^6 numbers   ${large.toFixed(0)} us`);
console.log(`one SHA-256 pass over them  ${pass.toFixed(0)} us`);
console.log(`growth over the pass        ${((large - small) / pass).toFixed(2)}`);
