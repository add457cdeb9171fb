// The pulse record: a reading of the clock with the node's genesis.

import { ALPHA, type Clock, isoFromMs, isoFromNs, PULSE_HZ, readPulse, TICK_NS, TICK_SECONDS } from '../core/clock.ts';
import { DOCTRINE, kernelBlock, PROTOCOL } from '../protocol/kernel-description.ts';
import type { Genesis } from '../storage/node.ts';

const NS_PER_SECOND = 1e9;

export class PulseService {
  readonly #clock: Clock;
  readonly #genesis: Genesis;

  constructor(clock: Clock, genesis: Genesis) {
    this.#clock = clock;
    this.#genesis = genesis;
  }

  read(baseUrl: string) {
    const ns = this.#clock.now();
    const { svcond, phase, R_t } = readPulse(ns);
    const { tick: genesisTick, unixMs: genesisUnixMs } = this.#genesis;
    return {
      ok: true as const,
      protocol: PROTOCOL,
      doctrine: DOCTRINE,
      genesisAt: isoFromMs(genesisUnixMs),
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
      _kernel: kernelBlock(baseUrl),
    };
  }
}
