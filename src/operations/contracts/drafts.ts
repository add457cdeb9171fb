// Checks and simulates definitions that are not deployed.

import { z } from 'zod';
import { nameOfCall } from '../../contracts/calls/compile.ts';
import { isoFromNs, startOfTick } from '../../core/clock.ts';
import { LIMITS } from '../../core/limits.ts';
import { singleLine } from '../../core/text-schema.ts';
import type { DraftAnswer } from '../../services/contracts/draft-worker.ts';
import { defineOperation } from '../operation.ts';
import { JsonObject, Sha256, success, Tick } from '../schemas.ts';
import { Calls, callsOf } from './calls.ts';
import { Collections, EXAMPLE_DEFINITION, Parameters, Scalars } from './schemas.ts';
import { Sends, sendsOf } from './sends.ts';

/** Not the schema of definitions: a document of another form is answered, too, by its faults. */
const DraftDefinition = JsonObject.describe('The definition. A field $schema is ignored.');

const Finding = z
  .strictObject({
    pointer: z.string().describe('JSON Pointer (RFC 6901): /transitions/2/trigger/after.'),
    code: z.string(),
    message: z.string(),
    got: z.unknown().optional().describe('What stands there, if it is short; null if nothing does.'),
    expected: z.string().optional(),
    fix: z.string().optional().describe('How to mend it.'),
    cause: z.string().optional().describe('Pointer of the fault that is the likely cause of this one.'),
  })
  .meta({ id: 'DefinitionFinding', description: 'A fault or a warning about a definition.' });

const Explanation = z
  .strictObject({
    definition_hash: Sha256.describe('The definition that the sentences are about.'),
    title: z.string(),
    sections: z.array(
      z.strictObject({
        heading: z.string(),
        sentences: z.array(z.strictObject({ text: z.string(), pointer: z.string() })),
      }),
    ),
  })
  .meta({ id: 'ContractExplanation', description: 'A definition in sentences that a signatory understands.' });

const CHECKED = {
  sound: z.boolean().describe('Whether it can be deployed with these parameters.'),
  definition_hash: Sha256.nullable().describe('Null if the document has not the form of a definition.'),
  faults: z.array(Finding).describe('In order of cause: the first may have made the others.'),
  warnings: z.array(Finding).describe('What is legal, but hardly meant.'),
};

export const checkContract = defineOperation({
  name: 'contract.check',
  summary: 'Check a definition and explain it in sentences. Nothing is deployed.',
  description:
    'Faults come in order of cause, each with a JSON Pointer, what stands there, what is expected and how to mend it. Sources and addresses that the definition names are checked at the deployment only.',
  route: 'POST /api/contracts/check',
  tier: 'key',
  effect: 'read',
  mcp: {
    tool: 'svc_contract_check',
    title: 'Check a contract',
    description: 'Use to find faults before svc_contract_deploy: fixes, warnings, the agreement in sentences.',
    profile: 'chain',
  },
  input: z.strictObject({
    definition: DraftDefinition,
    parameters: Parameters.optional(),
    names: z.record(singleLine(48), singleLine(120)).optional().describe('Names of the parties.'),
  }),
  example: { definition: EXAMPLE_DEFINITION },
  output: success({
    ...CHECKED,
    explanation: Explanation.nullable().describe('Null if there are faults.'),
  }),
  brief: {
    sentences: ({ sound, faults, warnings, explanation }) => [
      sound ? 'The definition can be deployed.' : `The definition has ${faults.length} faults, in order of cause.`,
      ...faults.map(({ pointer, message, fix }) => `${pointer}: ${message}${fix === undefined ? '' : ` ${fix}`}`),
      ...warnings.map(({ pointer, message }) => `Warning at ${pointer}: ${message}`),
      ...(explanation?.sections ?? []).flatMap(({ heading, sentences }) => [
        `${heading}:`,
        ...sentences.map(({ text }) => text),
      ]),
    ],
  },
  errors: ['OUT_OF_TIME', 'QUEUE_FULL', 'RATE_LIMITED'],
  handle: async ({ definition, parameters, names }, { services, tenant, signal }) => {
    const answer = await services.drafts.check({ definition, parameters, names }, { tenant, signal });
    return { ...checkedRecord(answer), explanation: answer.explanation ?? null };
  },
});

const checkedRecord = ({ isSound, definitionHash, faults, warnings }: DraftAnswer) => ({
  sound: isSound,
  definition_hash: definitionHash ?? null,
  faults,
  warnings,
});

const Instance = z.string().describe('Key of the instance, if the contract has instances.');

const SimulatedFire = z
  .strictObject({
    svcond: Tick,
    at: z.string().describe('ISO 8601, by the clock of the scenario.'),
    instance: Instance.optional(),
    transition: z.string(),
    from: z.string(),
    to: z.string(),
    cause: z.string().describe('event, timer or expiry.'),
    emitted: z.array(z.strictObject({ event: z.string(), payload: Scalars })),
    tokens: z.array(z.strictObject({ token: z.string(), holder: z.string(), amount: z.int() })),
    webhooks: z.array(z.string()).describe('URLs that it would call; nothing is sent.'),
    sends: Sends.optional(),
    calls: Calls.optional(),
    computed: z.array(z.strictObject({ operator: z.string(), into: z.string(), value: z.number() })),
    logs: z.array(z.string()),
  })
  .meta({ id: 'SimulatedFire', description: 'A transition that fired in a simulation.' });

const STATE = {
  state: z.string(),
  status: z.enum(['active', 'completed', 'failed']),
  context: Scalars,
  collections: Collections,
};

const SimulatedInstance = z
  .strictObject({
    instance: Instance,
    ...STATE,
    next_svcond: Tick.nullable().describe('Tick of its next timer.'),
  })
  .meta({ id: 'SimulatedInstance', description: 'An instance after a step of a scenario.' });

const SimulatedStep = z
  .strictObject({
    svcond: Tick,
    at: z.string(),
    instance: Instance.nullable().describe(
      'The instance that state, status, context and collections are of; null if the step names none, or without a key.',
    ),
    ...STATE,
    instances: z
      .array(SimulatedInstance)
      .max(LIMITS.contracts.draft.listed)
      .describe('Instances that the step has changed, in the order of their keys; empty without a key.'),
    fired: z.array(SimulatedFire).max(LIMITS.contracts.draft.listed),
    refused: z
      .array(
        z.strictObject({
          instance: Instance.optional(),
          transition: z.string().nullable().describe('Null if none was tried, as for UNKNOWN_KEY.'),
          code: z.string(),
          reason: z.string(),
        }),
      )
      .max(LIMITS.contracts.draft.listed),
    next_svcond: Tick.nullable().describe('Tick of the next timer.'),
    waiting: z
      .array(
        z.strictObject({
          instance: Instance.optional(),
          call: z.string(),
          into: z.string().describe('The event that tells the result.'),
          on_error: z.string(),
          is_computed: z.boolean().describe('Whether the simulation computes it, if the scenario gives no value.'),
          fields: z.array(z.string()).describe('What else the scenario has to say of the result.'),
        }),
      )
      .max(LIMITS.contracts.draft.listed)
      .describe('Activities without an answer, the oldest first. A step with "by": "engine" answers one.'),
    mismatches: z.array(z.string()).describe('A sentence for each expectation that was not met.'),
  })
  .meta({ id: 'SimulatedStep', description: 'What one step of a scenario did.' });

const Share = z.strictObject({ covered: z.int(), total: z.int() });

const Coverage = z
  .strictObject({
    transitions: Share.describe('Pairs of a transition and a state that it leaves.'),
    guards: Share.describe('Outcomes of guards: true and false each count.'),
    rows: z.array(
      z.strictObject({
        transition: z.string(),
        fired_from: z.array(z.string()),
        missed_from: z.array(z.string()),
        guard: z.strictObject({ seen_true: z.boolean(), seen_false: z.boolean() }).nullable(),
      }),
    ),
  })
  .meta({ id: 'ScenarioCoverage', description: 'What the scenarios have tried.' });

const DOOR_SCENARIO = {
  name: 'opens and shuts',
  steps: [
    { at: 1, send: 'push', expect: { state: 'open' } },
    { at: 11, expect: { state: 'closed' } },
  ],
};

export const simulateContract = defineOperation({
  name: 'contract.simulate',
  summary: 'Run scenarios of a definition on a simulated clock. Nothing is deployed.',
  description: `A scenario is {name, parameters?, bound?, start?, steps: [{at | after | to | outage_to, send?, payload?, by?, times?, expect?}]}, as docs/adding-a-template.md describes. Without storage, network and solvers; at most ${LIMITS.contracts.draft.stimuli} events and timers.`,
  route: 'POST /api/contracts/simulate',
  tier: 'key',
  effect: 'read',
  input: z.strictObject({
    definition: DraftDefinition,
    parameters: Parameters.optional(),
    scenarios: z.array(JsonObject).min(1).max(LIMITS.contracts.draft.scenarios),
  }),
  example: { definition: EXAMPLE_DEFINITION, scenarios: [DOOR_SCENARIO] },
  output: success({
    ...CHECKED,
    met: z.boolean().describe('Whether every scenario ran and met its expectations.'),
    scenarios: z.array(
      z.strictObject({
        name: z.string(),
        met: z.boolean(),
        faults: z.array(Finding).describe('Why it did not run; pointers are into the scenario.'),
        steps: z.array(SimulatedStep),
      }),
    ),
    coverage: Coverage.nullable().describe('Null if the definition has faults.'),
  }),
  errors: ['BUDGET_EXCEEDED', 'OUT_OF_TIME', 'QUEUE_FULL', 'RATE_LIMITED'],
  handle: async ({ definition, parameters, scenarios }, { services, tenant, signal }) => {
    const answer = await services.drafts.simulate({ definition, parameters, scenarios }, { tenant, signal });
    const results = answer.trial?.results ?? [];
    return {
      ...checkedRecord(answer),
      met: answer.isSound && results.every(({ isMet }) => isMet),
      scenarios: results.map(({ name, isMet, faults, steps }) => ({
        name,
        met: isMet,
        faults,
        steps: steps.map(stepRecord),
      })),
      coverage: answer.trial?.coverage ?? null,
    };
  },
});

type Step = NonNullable<DraftAnswer['trial']>['results'][number]['steps'][number];

type State = Pick<Step, 'state' | 'lifecycle' | 'context' | 'collections'>;

const stateRecord = ({ state, lifecycle, context, collections }: State) => ({
  state,
  status: lifecycle,
  context,
  collections,
});

const ofInstance = (instance: string | undefined) => (instance === undefined ? {} : { instance });

function stepRecord(step: Step) {
  const { tick, instance, instances = [], fired, refusals, due, waiting, mismatches } = step;
  return {
    svcond: tick,
    at: isoFromNs(startOfTick(tick)),
    instance: instance ?? null,
    ...stateRecord(step),
    instances: instances.map((one) => ({
      instance: one.instance,
      ...stateRecord(one),
      next_svcond: one.due ?? null,
    })),
    fired: fired.map((fire) => ({
      ...ofInstance(fire.instance),
      svcond: fire.tick,
      at: isoFromNs(startOfTick(fire.tick)),
      transition: fire.transition,
      from: fire.from,
      to: fire.to,
      cause: fire.cause,
      emitted: fire.emitted,
      tokens: fire.tokens,
      webhooks: fire.webhooks.map(({ url }) => url),
      ...sendsOf(fire),
      ...callsOf(fire),
      computed: fire.computed.map(({ operator = '', into, value }) => ({ operator, into, value })),
      logs: fire.logs,
    })),
    refused: refusals.map(({ instance, transition, code, reason }) => ({
      ...ofInstance(instance),
      transition,
      code,
      reason,
    })),
    next_svcond: due ?? null,
    waiting: waiting.map(({ call, instance: key }) => ({
      ...(key === undefined ? {} : { instance: key }),
      call: nameOfCall(call),
      into: call.into,
      on_error: call.on_error,
      is_computed: call.operator !== undefined,
      fields:
        call.http === undefined ? (call.operator === undefined ? ['value'] : []) : Object.keys(call.http.fields ?? {}),
    })),
    mismatches,
  };
}
