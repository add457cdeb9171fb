// Calls of every operation on a machine, with the role that each needs.
//
// The table follows the design (semantics.md, 10 and 12), not the code.

import { png } from '../services/machines/tally/image-fixtures.ts';
import { ECHO } from './machine-fixture.ts';
import type { Json } from './service-fixture.ts';

export const ROLES = ['viewer', 'operator', 'admin', 'owner'] as const;
export type Role = (typeof ROLES)[number];
/** Accounts with an identity: the members of a target, one that is none, and one that calls add and remove. */
export const ACCOUNTS = [...ROLES, 'stranger', 'guest'] as const;
export type Account = (typeof ACCOUNTS)[number];

/** A machine with a member of every role and a contract. */
export interface Target {
  readonly slug: string;
  readonly contract: string;
  /** A request of the owner. */
  readonly request: (route: string, json?: Json, status?: number) => Promise<Json>;
  readonly zids: Readonly<Record<Account, string>>;
  /** Of the owner. */
  readonly equation: string;
  readonly genesisTick: number;
  /** Ids of what `before` has made. */
  readonly made: { meter?: string; key?: string };
}

export interface MachineCall {
  /** Minimum role; `none` if membership does not matter. */
  readonly needs: Role | 'none';
  /** Distinguishes several entries of one operation. */
  readonly when?: string;
  /** Input besides the machine and its contract. */
  readonly input?: Json | ((target: Target) => Json);
  /** Setup by the owner. */
  readonly before?: (target: Target) => Promise<unknown>;
  /** Status for the minimum role, unless successful. */
  readonly status?: number;
  /** Payloads are sealed to the owner's equation. */
  readonly isSealed?: boolean;
}

const SHA256 = '0'.repeat(64);
const UUID = '00000000-0000-7000-8000-000000000000';
const TALLY = { name: 'Heat', symbol: 'HEAT', max_supply: 100, mint: { unit: 'row', every: 1, amount: 1 } };
export const AVATAR = { data: png(6, 4).toString('base64') };
export const withTally = ({ slug, request }: Target) =>
  request(`POST /api/chain/${slug}/tally/token/genesis`, TALLY, 201);
const pause = ({ slug, contract, request }: Target) =>
  request(`POST /api/chain/${slug}/contracts/${contract}/pause`, {});
const archive = ({ slug, request }: Target) => request(`POST /api/chain/${slug}/status`, { status: 'archived' });
const EXPORT = {
  format: 'svc-contract/1',
  name: 'echo',
  definition: ECHO,
  // The hash is validated after the role.
  definition_hash: SHA256,
  parameters: {},
  template_id: null,
  current_version_no: 1,
};
const METER = { ...ECHO, oracle: { kind: 'push', event: 'ping', field: 'n', fn: 'last' } };
/** What is shown of a machine is for all its members. */
const SEEN: MachineCall = { needs: 'viewer' };

/** Every operation on a machine: the role it needs, and a call that succeeds. */
export const MACHINE_CALLS: Readonly<Record<string, MachineCall | readonly MachineCall[]>> = {
  // Reading.
  'machine.get': SEEN,
  'chain.explore': SEEN,
  'explorer.stream': SEEN,
  'chain.state': SEEN,
  'chain.stats': SEEN,
  'chain.at': { needs: 'viewer', input: firstTick },
  'chain.block': { needs: 'viewer', input: firstTick },
  'chain.analytics': SEEN,
  'chain.sources': SEEN,
  'chain.events': SEEN,
  'chain.awareness': SEEN,
  'chain.validate': SEEN,
  'chain.checkpoint': SEEN,
  'chain.inclusion': { needs: 'viewer', input: { seq: 0 } },
  'chain.consistency': { needs: 'viewer', input: { from: 1 } },
  'chain.bundle': SEEN,
  'chain.bundle-page': SEEN,
  'member.list': SEEN,
  'anchor.list': SEEN,
  'anchor.overview': SEEN,
  'anchor-config.get': SEEN,
  'oracle.list': SEEN,
  'contract.list': SEEN,
  'contract.get': SEEN,
  'contract.audit': SEEN,
  'contract.balances': SEEN,
  // The contract of the calls has no instances.
  'contract.instances': { needs: 'viewer', status: 409 },
  'contract.instance': { needs: 'viewer', input: { key: 'x' }, status: 409 },
  'contract.instance-audit': { needs: 'viewer', input: { key: 'x' }, status: 409 },
  'contract.instance-parties': { needs: 'viewer', input: { key: 'x' }, status: 404 },
  'machine.balances': SEEN,
  'transitions.stream': SEEN,
  'contract.parties': SEEN,
  'contract.versions': SEEN,
  'contract.version': { needs: 'viewer', input: { n: 1 } },
  'contract.integrity': SEEN,
  'contract.verify': SEEN,
  'tally.get': SEEN,
  'tally.supply': SEEN,
  'tally.rate': SEEN,
  'tally.tokens': SEEN,
  'tally.verify': SEEN,
  'tally.token': { needs: 'viewer', input: { tokenId: '0'.repeat(32) }, status: 404 },
  'tally.avatar': SEEN,

  // operator: log rows, fire, pause, resume, skip, transition.
  'machine.event': { needs: 'operator', input: { name: 'ping', payload: { n: 1 } } },
  'machine.event-batch': {
    needs: 'operator',
    input: { events: [{ name: 'ping', payload: { n: 1 } }, { name: 'ping' }] },
  },
  'machine.connection': { needs: 'operator', input: { peer: 'plc-7' } },
  'machine.file': { needs: 'operator', input: { name: 'report.pdf', sha256: SHA256 } },
  'machine.snapshot': { needs: 'operator', input: { state: { valve: 'open' } } },
  'oracle.push': {
    needs: 'operator',
    before: async ({ slug, request, made }) => {
      const created = await request(`POST /api/chain/${slug}/contracts/custom`, { definition: METER }, 201);
      made.meter = String((created.contract as Json).id);
    },
    input: ({ made }) => ({ id: made.meter ?? UUID, value: 3 }),
  },
  'contract.fire': { needs: 'operator' },
  'contract.transition': { needs: 'operator', input: { transition: 'answer', payload: { n: 1 } } },
  'transaction.submit': {
    needs: 'operator',
    input: ({ contract }) => ({ contract_id: contract, transition: 'answer', payload: { n: 1 } }),
  },
  'contract.dry-run': { needs: 'operator', input: { event: 'ping', payload: { n: 1 } } },
  'contract.event': { needs: 'operator', input: { name: 'ping', payload: { n: 1 } } },
  // ECHO has no parties, so that nothing is proposed.
  'contract.accept': { needs: 'viewer', input: { no: 1, terms_hash: SHA256 }, status: 409 },
  'contract.accept-version': {
    needs: 'viewer',
    input: { key: 'x', version_no: 1, terms_hash: SHA256 },
    status: 409,
  },
  'contract.withdraw': { needs: 'viewer', input: { no: 1, terms_hash: SHA256 }, status: 409 },
  'contract.pause': { needs: 'operator' },
  'contract.resume': { needs: 'operator', before: pause },
  'contract.skip': { needs: 'operator' },

  // admin: create, patch, rollback, freeze, status, settings, admins, api-keys, mint-rate, share, anchors.
  'contract.create': { needs: 'admin', input: { template_id: 'rate-limiter' } },
  'contract.custom': { needs: 'admin', input: { definition: ECHO } },
  'contract.import': { needs: 'admin', input: { export: EXPORT }, status: 422 },
  'contract.patch': { needs: 'admin', input: { name: 'renamed' } },
  'contract.rollback': { needs: 'admin', input: { to_version: 1 } },
  'contract.rebind': { needs: 'admin', input: { party: 'guest', bindings: { ed25519: SHA256 } }, status: 409 },
  'contract.freeze': { needs: 'admin' },
  'machine.settings': [
    { needs: 'admin', input: { description: 'Boiler house 3' } },
    { needs: 'owner', when: 'making it public', input: { is_public: true } },
  ],
  'machine.status': [
    { needs: 'admin', input: { status: 'paused' } },
    { needs: 'admin', when: 'archiving it', input: { status: 'archived' } },
    { needs: 'owner', when: 'bringing it back', input: { status: 'paused' }, before: archive },
  ],
  'member.add': { needs: 'admin', input: ({ zids }) => ({ zid: zids.stranger, role: 'viewer' }) },
  'member.change': [
    { needs: 'admin', input: ({ zids }) => ({ zid: zids.viewer, role: 'viewer' }) },
    { needs: 'owner', when: 'transferring it', input: ({ zids }) => ({ zid: zids.owner, role: 'owner' }) },
  ],
  // Removing others; every member may leave.
  'member.remove': {
    needs: 'admin',
    before: ({ slug, request, zids }) =>
      request(`POST /api/chain/${slug}/admins`, { zid: zids.guest, role: 'viewer' }, 201),
    input: ({ zids }) => ({ zid: zids.guest }),
  },
  'developer-key.list': { needs: 'admin' },
  'developer-key.create': { needs: 'admin', input: { name: 'plc', scope: 'read' } },
  'developer-key.revoke': {
    needs: 'admin',
    before: async ({ slug, request, made }) => {
      const created = await request(`POST /api/chain/${slug}/api-keys`, { name: 'plc', scope: 'read' }, 201);
      made.key = String((created.record as Json).id);
    },
    input: ({ made }) => ({ id: made.key ?? UUID }),
  },
  'tally.genesis': { needs: 'admin', input: TALLY },
  'tally.set-rate': { needs: 'admin', input: { unit: 'row', every: 2, amount: 1 }, before: withTally },
  'tally.set-avatar': { needs: 'admin', input: AVATAR, before: withTally },
  'share.set': { needs: 'admin', input: { label: 'the auditor' } },
  'share.disable': { needs: 'admin' },
  // A machine cannot anchor itself: validated after the role.
  'anchor.add': { needs: 'admin', input: ({ slug }) => ({ child_slug: slug }), status: 422 },
  'anchor-config.set': { needs: 'admin', input: { mothers: [] } },
  'anchor-key.rotate': { needs: 'admin' },
  'activity.list': { needs: 'operator' },
  // Bodies contain contract data, and the secret signs for the machine.
  'webhook.list': { needs: 'admin' },
  'webhook.redeliver': { needs: 'admin', input: { id: UUID }, status: 404 },
  'webhook.secret': { needs: 'admin' },
  'webhook.rotate': { needs: 'admin' },

  // owner: decrypt, export, preview, next-fires, events/stream, transfer, unarchive.
  'machine.decrypt': { needs: 'owner', input: ({ equation }) => ({ equation }), isSealed: true },
  'contract.export': { needs: 'owner' },
  'contract.preview': { needs: 'owner' },
  'contract.next-fires': { needs: 'owner' },
  'events.stream': { needs: 'owner' },
  // Erasure is irreversible.
  'machine.erase': { needs: 'owner', input: { seq: 1, reason: 'requested' } },

  // Needs a token or an equation; keys are ignored.
  'machine.unlock': { needs: 'none', input: { share: 'svc_sh_0' } },
};

/** The tick of the first row. */
function firstTick({ genesisTick }: Target): Json {
  return { svcond: genesisTick };
}
