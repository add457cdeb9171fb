// The record of a run: states at its samples, how it ended, and the encounters of pairs.

import type { KernelOutput } from '../../kernels/abi.ts';
import { INFO } from '../../kernels/abi.ts';
import { at } from '../parts/arrays.ts';
import { type MultibodyFace, OUTCOME } from './face.ts';
import type { Vector } from './orbit.ts';
import type { Problem } from './problem.ts';

export interface Run {
  readonly recorded: number;
  readonly end: 'ended' | 'contact' | 'singular' | 'spent';
  readonly stopTime: number;
  readonly steps: number;
  /** The bodies of a contact. */
  readonly touching: readonly [number, number];
  position(sample: number, body: number): Vector;
  velocity(sample: number, body: number): Vector;
  /** Of drag and couplings since the start. */
  work(sample: number): number;
  /** Least distance and its time, pair by pair: 0–1, 0–2, …, 1–2, … */
  readonly pairs: Float64Array;
}

export function runOfOutput(output: KernelOutput<MultibodyFace>, problem: Problem): Run {
  const { bodies, dimensions, hasWork } = problem;
  const { history = new Float64Array(), pairs = new Float64Array() } = output.views;
  const {
    outcome = 0,
    stopTime = 0,
    recorded = 0,
    accepted = 0,
    rejected = 0,
    first = 0,
    second = 0,
  } = output.statistics;
  const coordinates = bodies.length * dimensions;
  const width = 1 + 2 * coordinates + (hasWork ? 1 : 0);
  const vectorAt = (from: number): Vector => [
    at(history, from),
    dimensions > 1 ? at(history, from + 1) : 0,
    dimensions > 2 ? at(history, from + 2) : 0,
  ];
  const isSpent = output.info === INFO.capacity;
  return {
    recorded,
    end: isSpent ? 'spent' : outcome === OUTCOME.contact ? 'contact' : outcome === OUTCOME.ended ? 'ended' : 'singular',
    stopTime,
    steps: accepted + rejected,
    touching: [first, second],
    position: (sample, body) => vectorAt(sample * width + 1 + body * dimensions),
    velocity: (sample, body) => vectorAt(sample * width + 1 + coordinates + body * dimensions),
    work: (sample) => (hasWork ? at(history, sample * width + width - 1) : 0),
    pairs,
  };
}

/** All pairs in the order of `Run.pairs`. */
export const pairIndices = (n: number): readonly (readonly [number, number])[] =>
  Array.from({ length: n }, (_, i) => i).flatMap((i) =>
    Array.from({ length: n - i - 1 }, (_, k) => [i, i + 1 + k] as const),
  );
