// BIND of a chain whose operators are known: assigns quantities to symbols and makes a computation of them. It needs
// the definitions of the operators and no registry, so it also runs in a browser.

import { bindChain } from '../operators/bind.ts';
import type { SealedDefinition } from '../operators/definition.ts';
import type { GateFinding } from '../operators/gate.ts';
import type { Given } from '../operators/given.ts';
import type { Selection } from '../operators/selection.ts';
import { bindUnknown } from '../operators/unknown/bind-unknown.ts';
import { COMPUTE, chainComputation } from './chain-computation.ts';
import type { Bound } from './computation.ts';
import { unknownComputation } from './unknown-computation.ts';

type Numbers = Readonly<Record<string, number>>;

/** Quantities as the caller gives them. */
export interface Quantities {
  readonly inputs: Numbers;
  readonly consts?: Numbers | undefined;
  readonly units?: Readonly<Record<string, string>> | undefined;
  readonly uncertainties?: Numbers | undefined;
  /** The input that is asked for; the value of the law is then among the inputs, under its symbol. */
  readonly solve_for?: string | undefined;
}

/** Replaces −0 by 0, because a receipt holds 0 and the kernel must compute with the same number. */
export function givenBy({ inputs, consts = {}, units = {}, uncertainties = {} }: Quantities): Given {
  const positive = (numbers: Numbers) =>
    Object.fromEntries(Object.entries(numbers).map(([key, value]) => [key, value + 0]));
  return { inputs: positive(inputs), consts: positive(consts), units, uncertainties: positive(uncertainties) };
}

export interface ChainRequest {
  /** Name of the domain. */
  readonly domain: string;
  /** In the order of computation, KO42 first. */
  readonly definitions: readonly SealedDefinition[];
  /** How the operators were selected, in words; missing where a receipt is replayed. */
  readonly selection?: Selection | undefined;
  readonly given: Given;
  readonly detail: 'full' | undefined;
  /** Unit of the value. */
  readonly as?: string | undefined;
  /** The input that is asked for, where the value of the law is given. */
  readonly solveFor?: string | undefined;
}

/** @throws DomainError VALIDATION_FAILED, UNIT_INVALID, UNIT_MISMATCH; with an unknown as `bindUnknown` */
export function bindComputation(request: ChainRequest): Bound {
  const { domain, definitions, selection, given, detail, as, solveFor } = request;
  const own = { domain, definitions, given, detail, as, ...(selection === undefined ? {} : { selection }) };
  if (solveFor !== undefined) {
    const bound = bindUnknown(definitions, given, solveFor);
    if (bound.kind === 'gate') return gateOf(request, bound.gate);
    const { question } = bound;
    return { kind: 'bound', computation: unknownComputation({ ...own, solveFor, question }), notes: question.notes };
  }
  const bound = bindChain(definitions, given);
  if (bound.kind === 'gate') return gateOf(request, bound.gate);
  const { chain } = bound;
  return { kind: 'bound', computation: chainComputation({ ...own, bound: chain }), notes: chain.notes };
}

function gateOf({ domain, definitions, as }: ChainRequest, gate: GateFinding): Bound {
  const unit = as ?? definitions.at(-1)?.output.unit ?? '1';
  const operatorChain = definitions.map(({ id }) => id);
  return { kind: 'gate', gated: { id: COMPUTE, domain, operatorChain, unit }, gate };
}
