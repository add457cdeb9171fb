// The laws of the nodes: each computes its own.

import { isRecord } from '../../core/record.ts';
import { assertNotGiven, type LawRequest, type SolverLaws } from '../computed-laws.ts';
import { type NodeInput, PHASE_SYMBOLS, inputs as schema } from './inputs.ts';

export const laws: SolverLaws = {
  requests(body) {
    if (!Array.isArray(body.nodes)) return [];
    for (const [index, one] of body.nodes.entries())
      if (isRecord(one)) assertNotGiven(`nodes[${index}].computed`, one.computed);
    const nodes = schema.shape.nodes.safeParse(body.nodes);
    // What is malformed is refused where all fields are read.
    return nodes.success ? nodes.data.flatMap((one, index) => requestOf(one, index) ?? []) : [];
  },
  bind(body, results) {
    if (!Array.isArray(body.nodes)) return body;
    const rest = [...results];
    const nodes = body.nodes.map((one, index) => {
      const computed = requestOf(one as NodeInput, index) === undefined ? undefined : rest.shift();
      return computed === undefined ? one : { ...(one as NodeInput), computed };
    });
    return { ...body, nodes };
  },
  computed: (input) =>
    schema.parse(input).nodes.flatMap((one, index) => {
      const law = requestOf(one, index);
      return law === undefined || one.computed === undefined ? [] : [{ law, computed: one.computed }];
    }),
};

/** Undefined for a node without a domain. */
function requestOf({ domain, inputs = {} }: NodeInput, index: number): LawRequest | undefined {
  if (domain === undefined) return undefined;
  const isPhase = (name: string) => (PHASE_SYMBOLS as readonly string[]).includes(name);
  return {
    path: `nodes[${index}]`,
    label: `Node ${index + 1}`,
    domain,
    inputs: Object.fromEntries(Object.entries(inputs).filter(([name]) => !isPhase(name))),
  };
}
