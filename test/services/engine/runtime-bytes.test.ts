// The estimate of a runtime's memory, compared with what the heap of this process grows by.

import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { Definition } from '../../../src/contracts/definition.ts';
import { initialState } from '../../../src/contracts/transition-function.ts';
import type { Window } from '../../../src/contracts/window.ts';
import { RefilteredWindow } from '../../../src/contracts/windows/refiltered-window.ts';
import { canonicalJson } from '../../../src/core/canonical-json.ts';
import { sha256Hex } from '../../../src/core/sha256.ts';
import { CompiledContracts } from '../../../src/services/engine/compiled-contracts.ts';
import type { LiveContract, Runtime } from '../../../src/services/engine/live-contract.ts';
import { RuntimeBytes } from '../../../src/services/engine/runtime-bytes.ts';
import type { StoredContract } from '../../../src/storage/contracts/contracts.ts';
import { SWITCH_STATES, switchTransitions } from '../../suites/switch-transitions.ts';

setFlagsFromString('--expose-gc');
const gc = runInNewContext('gc') as () => void;

/** Bytes in use after garbage is collected; what only weak maps still named goes with the second collection. */
function heapUsed(): number {
  gc();
  gc();
  return process.memoryUsage().heapUsed;
}

const TICK = 2_303_730_001;
const common = {
  version: '1.0',
  operators: ['KO42'],
  initial: 'off',
  events: { sample: { payload: { ms: 'number', who: 'string' } } },
  states: SWITCH_STATES,
};
const plain = { ...common, name: 'plain', transitions: switchTransitions({ kind: 'event', event: 'sample' }) };
const windowed = (fn: string, field?: string) => ({
  ...common,
  name: 'windowed',
  transitions: switchTransitions(
    { kind: 'on_aggregate', event: 'sample', fn, field, within: 1_000_000 },
    { fires_when: 'agg.value > 0' },
  ),
});
const refiltered = {
  ...common,
  edition: 2,
  name: 'refiltered',
  context: { least: { type: 'number', initial: 0 } },
  windows: { kept: { event: 'sample', fn: 'avg', field: 'ms', within: 1_000_000, filter: 'event.ms > least' } },
  transitions: switchTransitions({ kind: 'windows' }),
};
const measuring = {
  ...common,
  name: 'measuring',
  oracle: { kind: 'push', field: 'ms', fn: 'avg', within: 1_000_000 },
  transitions: switchTransitions({ kind: 'event', event: 'sample' }),
};

let created = 0;

/** As it comes from the database: text that is parsed. */
function liveOf(compiled: CompiledContracts, definition: object, context: object = {}): LiveContract {
  const definitionText = canonicalJson(Definition.parse(definition));
  const parsed = JSON.parse(definitionText) as Definition;
  const definitionHash = sha256Hex(definitionText);
  const contract = compiled.compile({ definition: parsed, definitionHash, parameters: {} });
  const state = { ...initialState(contract, TICK, 1), ...context };
  const stored: StoredContract = {
    machineId: `01a22316-6898-7642-90e1-${String(created++).padStart(12, '0')}`,
    id: `01a22316-6898-7642-90e2-${String(created).padStart(12, '0')}`,
    name: `contract ${created}`,
    templateId: undefined,
    status: 'active',
    versionNo: 1,
    definition: parsed,
    definitionText,
    definitionHash,
    parameters: {},
    state: JSON.parse(JSON.stringify(state)) as StoredContract['state'],
    nextFire: undefined,
    heldNextFire: undefined,
    heldAt: undefined,
    createdSvcond: TICK,
    updatedSvcond: TICK,
  };
  return compiled.createLive(stored);
}

const runtimeOf = (live: LiveContract): Runtime => ({
  epoch: undefined,
  changes: 1,
  contracts: new Map([[live.stored.id, live]]),
  balances: new Map(),
  stampedAt: undefined,
  segments: undefined,
  unsegmented: 0,
});

const windowOf = ({ running }: LiveContract) => running.windows.values().next().value as Window;

function filled(live: LiveContract, count: number, sampleOf: (i: number) => number | string): Runtime {
  for (let i = 0; i < count; i++) windowOf(live).add(TICK + i, sampleOf(i));
  return runtimeOf(live);
}

const CASES: readonly (readonly [string, (compiled: CompiledContracts) => Runtime[]])[] = [
  [
    '10,000 machines with the same contract',
    (compiled) => Array.from({ length: 10_000 }, () => runtimeOf(liveOf(compiled, plain))),
  ],
  [
    '500 machines with contracts of their own',
    (compiled) => Array.from({ length: 500 }, (_, i) => runtimeOf(liveOf(compiled, { ...plain, name: `own_${i}` }))),
  ],
  [
    'means of 20,000 numbers',
    (compiled) =>
      Array.from({ length: 10 }, () => filled(liveOf(compiled, windowed('avg', 'ms')), 20_000, (i) => i + 0.5)),
  ],
  [
    'minima of 20,000 rising numbers',
    (compiled) =>
      Array.from({ length: 10 }, () => filled(liveOf(compiled, windowed('min', 'ms')), 20_000, (i) => i + 0.5)),
  ],
  [
    '20,000 different texts',
    (compiled) =>
      Array.from({ length: 10 }, () =>
        filled(liveOf(compiled, windowed('distinct', 'who')), 20_000, (i) => JSON.parse(`"holder number ${i}"`)),
      ),
  ],
  [
    'windows that hold 1,000 events for a filter',
    (compiled) =>
      Array.from({ length: 100 }, () => {
        const live = liveOf(compiled, refiltered);
        const window = windowOf(live) as RefilteredWindow;
        expect(window).toBeInstanceOf(RefilteredWindow);
        for (let i = 0; i < 1_000; i++) {
          window.hold({ tick: TICK + i, value: i + 0.5, fields: Object.fromEntries([['ms', i + 0.5]]) }, true);
        }
        return runtimeOf(live);
      }),
  ],
  [
    '10,000 readings',
    (compiled) =>
      Array.from({ length: 10 }, () => {
        const live = liveOf(compiled, measuring);
        for (let i = 0; i < 10_000; i++) {
          const actor = JSON.parse(`"${String(i).padStart(32, '0')}"`) as string;
          live.running.readings?.add({ value: i + 0.5, status: 'ok', source: 'probe', tick: TICK + i, actor });
        }
        return runtimeOf(live);
      }),
  ],
  [
    'large collections',
    (compiled) =>
      Array.from({ length: 200 }, () => {
        const entries = Object.fromEntries(
          Array.from({ length: 500 }, (_, i) => [`key ${i}`, { amount: i + 0.5, who: `holder ${i}` }]),
        );
        return runtimeOf(liveOf(compiled, plain, { collections: { ledger: entries } }));
      }),
  ],
];

test.each(CASES)('the estimate of %s is between two thirds and one and a half of the heap', (_, build) => {
  build(new CompiledContracts()); // code and hidden classes
  const compiled = new CompiledContracts();
  const before = heapUsed();
  const runtimes = build(compiled);
  const grown = heapUsed() - before;
  const bytes = new RuntimeBytes();
  for (const [i, runtime] of runtimes.entries()) bytes.measure(String(i), runtime);
  expect(grown).toBeGreaterThan(2_000_000);
  expect(bytes.total / grown).toBeGreaterThan(2 / 3);
  expect(bytes.total / grown).toBeLessThan(3 / 2);
  for (const i of runtimes.keys()) bytes.forget(String(i));
  expect(bytes.total).toBe(0);
});

test('a definition that runtimes share counts once, and no longer when the last of them is forgotten', () => {
  const compiled = new CompiledContracts();
  const bytes = new RuntimeBytes();
  const [first, second] = [runtimeOf(liveOf(compiled, plain)), runtimeOf(liveOf(compiled, plain))];
  bytes.measure('first', first);
  const ofOne = bytes.total;
  bytes.measure('second', second);
  const own = bytes.total - ofOne;
  expect(own).toBeLessThan(ofOne / 2);
  bytes.measure('second', second);
  expect(bytes.total).toBe(ofOne + own);
  bytes.forget('first');
  expect(bytes.total).toBe(ofOne);
  bytes.forget('second');
  expect(bytes.total).toBe(0);
});
