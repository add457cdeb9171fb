// Schemas of contracts, fires and versions. Field names follow the specification.

import { z } from 'zod';
import { Definition } from '../../contracts/definition.ts';
import { Migration } from '../../contracts/migration/schema.ts';
import { multiLine, singleLine } from '../../core/text-schema.ts';
import { Slug } from '../machines/schemas.ts';
import { PAGE, QueryInt, Sha256, success, Tick, Timestamp } from '../schemas.ts';

export const ContractId = z.uuid().describe('Id of the contract.');

/** Path parameters of a contract route. */
export const CONTRACT_PATH = { slug: Slug, id: ContractId };

export const TemplateId = singleLine(64, 0).describe('Id of the template.');

export const ContractName = singleLine(120);

export const TransitionId = singleLine(48, 0).describe('Its id in the definition.');

export const ContractStatus = z.enum(['active', 'paused', 'frozen', 'completed', 'failed']);

/** Values of a contract's parameters or context, by name. */
export const Scalars = z.record(z.string().max(48), z.union([z.number(), z.boolean(), z.string()]));

const Value = z.union([z.number(), z.boolean(), z.string()]);

/** Collections of a contract, by name: pairs of a map, values of a list or set, in their order. */
export const Collections = z
  .record(z.string().max(48), z.array(z.union([Value, z.array(Value).length(2)])))
  .describe('Pairs of key and value of a map, values of a list or set, in their order.');

/** Parameters of a request; the definition declares their types. */
export const Parameters = z.record(singleLine(48, 0), z.union([z.number(), z.boolean(), multiLine(500)]));

export const Contract = z
  .strictObject({
    id: z.string(),
    name: z.string(),
    currentState: z.string(),
    status: ContractStatus,
    fire_count: z.int(),
    next_fire: Tick.nullable(),
    current_version_no: z.int(),
    definition_hash: Sha256,
    template_id: z.string().nullable(),
    parameters: Scalars,
    context: Scalars,
    collections: Collections.optional(),
    instances: z
      .strictObject({ active: z.int(), finished: z.int() })
      .optional()
      .describe('Of a contract with a key, which has no state of its own.'),
    missed: z.int().describe('Missed timer occurrences.'),
    created_svcond: Tick,
    updated_svcond: Tick.describe('Tick of its last change.'),
  })
  .meta({ id: 'Contract' });

/** Query parameters of a list of contracts. */
export const CONTRACT_PAGE = {
  ...PAGE,
  status: ContractStatus.optional().describe('Only this status.'),
  state: singleLine(48, 0).optional().describe('Only this current state.'),
  template_id: TemplateId.optional().describe('Only contracts of this template.'),
  due_before: QueryInt.optional().describe('Only contracts whose next timer is due before this tick.'),
  updated_since: QueryInt.optional().describe('Only contracts that changed at this tick or later.'),
};

/** Converts the query of a list of contracts to the options of services. */
export const contractFilter = (query: ContractQuery) => ({
  limit: query.limit,
  cursor: query.cursor,
  status: query.status,
  state: query.state,
  templateId: query.template_id,
  dueBefore: query.due_before,
  updatedSince: query.updated_since,
});

type ContractQuery = z.output<z.ZodObject<typeof CONTRACT_PAGE>>;

export const ContractAnswer = success({ contract: Contract });

/** Remarks on a definition that is legal; `path` leads to the part of it. */
export const Warnings = z
  .array(z.strictObject({ path: z.string(), code: z.string(), message: z.string() }))
  .describe('Guards that are never true, always true, or true together with another one of the same event.');

export const DeployedContract = ContractAnswer.extend({ template_id: z.string().optional(), warnings: Warnings });

const Voter = z.string().describe('zid:<ZID> or ed25519:<public key>.');

/** Who is bound to a party, as rows state it. */
const Bound = z.union([
  z.strictObject({ zid: z.string(), key: z.string().optional() }),
  z.strictObject({ ed25519: z.string() }),
]);

const Proposal = z
  .strictObject({
    no: z.int().describe('Number of its row.'),
    kind: z.enum(['version', 'binding']),
    base_version_no: z.int(),
    terms_hash: Sha256.describe('What is accepted: the hash of all that the change sets.'),
    definition_hash: Sha256,
    definition: Definition.nullable().describe('Null if it stays.'),
    parameters: Scalars,
    name: z.string(),
    reset: z.boolean(),
    bindings: z.record(z.string(), z.array(Bound)).nullable().describe('Null if everybody stays bound.'),
    migrate: Migration.nullable().describe('What becomes of the state; null if that is left to names.'),
    proposed_by: Voter,
    accepted_by: z.array(Voter),
    svcond: Tick,
  })
  .meta({ id: 'ContractProposal', description: 'A change of a contract that its parties have to accept.' });

export const PatchedContract = ContractAnswer.extend({
  proposal: Proposal.nullable().describe('With parties: the change waits for their acceptance.'),
});

export const Signature = z
  .strictObject({
    public_key: z.string().regex(/^[0-9a-f]{64}$/),
    nonce: z
      .int()
      .min(1)
      .describe('Larger than all that this key has signed for the contract: the time in milliseconds.'),
    signature: z.string().regex(/^[0-9a-f]{128}$/),
  })
  .describe('Ed25519 over "svc-act\\n" and the canonical JSON of contract, machine, name, nonce and payload.');

export const PartiesView = success({
  you: z.string().nullable().describe('The party that your key acts for.'),
  parties: z.array(
    z.strictObject({
      name: z.string(),
      description: z.string().nullable(),
      min: z.int(),
      max: z.int(),
      bind: z
        .string()
        .nullable()
        .describe('The field of the spawn event that binds it in each instance; null for a party of the contract.'),
      bound: z.array(
        z.union([
          z.strictObject({ zid: z.string(), key: z.string().optional(), voter: Voter }),
          z.strictObject({ ed25519: z.string(), voter: Voter }),
        ]),
      ),
    }),
  ),
  quorums: z
    .array(
      z.strictObject({
        transition: z.string(),
        event: z.string(),
        of: z.array(z.string()),
        count: z.int(),
        needed: z.number(),
        vetoes: z.int(),
        votes: z.array(
          z.strictObject({ voter: Voter, party: z.string(), svcond: Tick, counts: z.boolean(), veto: z.boolean() }),
        ),
      }),
    )
    .describe('Of the transitions out of the present state.'),
  proposals: z.array(
    Proposal.extend({
      missing: z
        .array(z.strictObject({ of: z.array(Voter), needed: z.int() }))
        .describe('Ways to take effect: so many of these voters have yet to accept.'),
    }),
  ),
  version: z
    .strictObject({
      no: z.int(),
      terms_hash: Sha256,
      definition_hash: Sha256,
      definition: z.record(z.string(), z.unknown()),
      parameters: Scalars,
      missing: z.array(Voter),
    })
    .nullable()
    .describe('Of an instance: the newer version that it takes once these of its own parties have accepted it.'),
});

/** How far a quorum is. */
export const QuorumCount = z
  .strictObject({ transition: z.string(), count: z.int(), needed: z.number(), vetoes: z.int() })
  .meta({ id: 'QuorumCount' });

const InstanceKey = z.string().describe('Key of the instance, of a contract that has them.');

export const Fire = z
  .strictObject({
    contract: z.string(),
    instance: InstanceKey.optional(),
    transition: z.string(),
    from: z.string(),
    to: z.string(),
    seq: z.int(),
    svcond: Tick,
    emitted: z.array(z.string()),
    computed: z.array(
      z.strictObject({
        operator: z.string().optional(),
        solver: z.string().optional(),
        inputs: z.record(z.string(), z.number()),
        into: z.string(),
        value: z.number(),
      }),
    ),
    receipt: z.unknown().describe('Receipt of this transition in its row, if it requires a proof.'),
  })
  .meta({ id: 'Fire', description: 'A transition that fired, and its row in the chain.' });

export const RefusedEvent = z
  .strictObject({
    contract: z.string(),
    instance: InstanceKey.optional(),
    transition: z.string().nullable().describe('Null if the contract could not use the event at all.'),
    code: z
      .string()
      .describe(
        'PAYLOAD, CONDITION, TOO_FEW_SAMPLES, NO_VALUE, ACTION_FAILED or SKIPPED; of instances BAD_KEY, UNKNOWN_KEY, KEY_EXISTS, KEY_FINISHED, NOT_SPAWNED or INSTANCES_FULL.',
      ),
    reason: z.string(),
    fault: z.string().optional().describe('What was wrong with money, a collection or a hash: COLLECTION_FULL.'),
    path: z.string().optional().describe('The field that caused it: payload.amount.'),
    got: z.unknown().optional().describe('Its value; null if it is missing.'),
    expected: z.string().optional(),
  })
  .meta({ id: 'RefusedEvent', description: 'A transition that did not fire, and why.' });

export const IgnoredEvent = z
  .strictObject({
    contract: z.string().nullable().describe('Null if no contract listens to the event.'),
    instance: InstanceKey.optional(),
    code: z.enum(['NO_LISTENER', 'NOT_ACTIVE', 'RESERVED_NAME', 'NO_TRANSITION', 'UNKNOWN_FIELD']),
    reason: z.string(),
    path: z.string().optional().describe('The field that was ignored.'),
  })
  .meta({ id: 'IgnoredEvent', description: 'An event, or a field of it, without an effect on a contract.' });

export const FireAnswer = success({
  fired: z.boolean(),
  fire: Fire.optional(),
  reason: z.string().optional().describe('Why nothing fired.'),
  contract: Contract,
});

export const TransitionRow = z
  .strictObject({
    instance: InstanceKey.optional(),
    transition: z.string(),
    from: z.string(),
    to: z.string(),
    version: z.int(),
    entry: z.int().describe('Number of the entry into the source state.'),
    occurrence: z.string(),
    seq: z.int(),
    svcond: Tick,
  })
  .meta({ id: 'TransitionRow' });

export const UpcomingFires = z.array(z.strictObject({ svcond: Tick, at: Timestamp, transition: z.string() }));

export const Version = z
  .strictObject({
    no: z.int(),
    definition_hash: Sha256,
    parameters: Scalars,
    svcond: Tick,
    actor: z.string(),
    reason: z.string(),
  })
  .meta({ id: 'ContractVersion' });

/** A door that opens on an event and closes on a timer. */
export const EXAMPLE_DEFINITION: Definition = {
  name: 'door',
  version: '1.0',
  operators: ['KO42'],
  initial: 'closed',
  events: { push: {} },
  states: { closed: { role: 'initial' }, open: { role: 'intermediate' } },
  transitions: [
    {
      id: 'push',
      from: 'closed',
      to: 'open',
      operator: 'KO42',
      proof: false,
      trigger: { kind: 'event', event: 'push' },
    },
    {
      id: 'shut',
      from: 'open',
      to: 'closed',
      operator: 'KO42',
      proof: false,
      trigger: { kind: 'one_shot', after: 10 },
    },
  ],
};
