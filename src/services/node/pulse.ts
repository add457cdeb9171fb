// Pulse clock service: readings of the clock with the node's genesis, and a stream of ticks.

import { setTimeout as sleep } from 'node:timers/promises';
import {
  ALPHA,
  type Clock,
  isoFromMs,
  isoFromNs,
  PULSE_HZ,
  readPulse,
  startOfTick,
  TICK_NS,
  TICK_SECONDS,
  tickOf,
} from '../../core/clock.ts';
import { DOCTRINE, type KernelBlock, kernelBlock, PROTOCOL } from '../../protocol/kernel-description.ts';
import type { Genesis } from '../../storage/node/node.ts';
import { type Frame, type Log, tailLog } from './tail-log.ts';

const NS_PER_SECOND = 1e9;
const NS_PER_MS = 1_000_000n;

/** Resolves after `ms` milliseconds, or when the signal aborts. */
export type Sleep = (ms: number, signal: AbortSignal) => Promise<void>;

const systemSleep: Sleep = (ms, signal) => sleep(ms, undefined, { signal }).catch(() => undefined);

export class PulseService {
  readonly #clock: Clock;
  readonly #genesis: Genesis;
  readonly #genesisAt: string;
  /** Cached block of the last base URL, which rarely changes. */
  #kernel: { readonly baseUrl: string; readonly block: KernelBlock } | undefined;
  readonly #ticks: Log;

  constructor(clock: Clock, genesis: Genesis, wait: Sleep = systemSleep) {
    this.#clock = clock;
    this.#genesis = genesis;
    this.#genesisAt = isoFromMs(genesis.unixMs);
    this.#ticks = {
      head: () => tickOf(clock.now()),
      read: (first, last) => this.#read(first, last),
      waitForGrowth: (head, signal) => {
        const remaining = startOfTick(head + 1) - clock.now();
        return remaining <= 0n ? Promise.resolve() : wait(Number(remaining / NS_PER_MS) + 1, signal);
      },
    };
  }

  /**
   * The ticks after `since`, then each one as it begins; without `since`, from the current tick. A frame reads the
   * clock at the first nanosecond of its tick, so it is the same at any time and on every node.
   */
  ticks(since: number | undefined, signal: AbortSignal): AsyncIterable<Frame> {
    return tailLog(this.#ticks, since ?? this.svcond - 1, signal);
  }

  *#read(first: number, last: number): Iterable<Frame> {
    for (let tick = first; tick <= last; tick++) {
      const ns = startOfTick(tick);
      const { R_t } = readPulse(ns);
      const sinceGenesis = tick - this.#genesis.tick;
      yield { seq: tick, type: 'tick', data: { svcond: tick, timestamp: isoFromNs(ns), sinceGenesis, phase: 0, R_t } };
    }
  }

  /** The current tick. */
  get svcond(): number {
    return tickOf(this.#clock.now());
  }

  #kernelAt(baseUrl: string): KernelBlock {
    if (this.#kernel?.baseUrl !== baseUrl) this.#kernel = { baseUrl, block: kernelBlock(baseUrl) };
    return this.#kernel.block;
  }

  read(baseUrl: string) {
    const ns = this.#clock.now();
    const { svcond, phase, R_t } = readPulse(ns);
    const { tick: genesisTick, unixMs: genesisUnixMs } = this.#genesis;
    return {
      ok: true as const,
      protocol: PROTOCOL,
      doctrine: DOCTRINE,
      genesisAt: this.#genesisAt,
      sinceGenesis: svcond - genesisTick,
      svcond,
      phase,
      genesisTick,
      genesisUnixMs,
      clockSource: this.#clock.source,
      R_t,
      fieldStrength: R_t,
      timeToNextSvcond: Number(TICK_NS - (ns % TICK_NS)) / NS_PER_SECOND,
      pulseHz: PULSE_HZ,
      svcondSec: TICK_SECONDS,
      alpha: ALPHA,
      precision: Math.abs(R_t - 1),
      timestamp: isoFromNs(ns),
      modulation: 'R(t) = S(t) [1 + alpha sin(2 pi f t + phi0)]',
      _kernel: this.#kernelAt(baseUrl),
    };
  }
}
