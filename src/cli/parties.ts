// svc contract parties, send, accept, withdraw, rebind, key: what the parties of a contract do.

import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { ed25519 } from '@noble/curves/ed25519.js';
import type { Command } from 'commander';
import { actMessage, nameOfAct } from '../chain/signed-act.ts';
import { type ApiInput, createClient } from '../client/client.ts';
import { BINDING_EXPECTED, parseBinding } from '../core/binding-text.ts';
import { fromHex, toHex } from '../core/bits.ts';
import { DomainError } from '../core/errors.ts';
import { parseStrictJson } from '../core/strict-json.ts';
import type { CliContext, ServiceOptions } from './context.ts';
import { withServiceOptions } from './machines.ts';
import { paint, print, printJson, type Terminal } from './terminal.ts';

interface InstanceOption {
  /** Key of an instance. */
  readonly instance?: string;
}
type SignOptions = ServiceOptions & { readonly sign?: string };
type Signature = NonNullable<ApiInput<'contract.event'>['signature']>;
type Bindings = NonNullable<ApiInput<'contract.create'>['bindings']>;

const INSTANCE = 'the instance with this key, of a contract with instances';

export function addPartyCommands(contract: Command, { terminal }: CliContext): void {
  withServiceOptions(contract.command('parties <slug> <id>'))
    .description('print who is bound to the parties of a contract, its quorums and proposals')
    .option('--instance <key>', INSTANCE)
    .action((slug: string, id: string, options: ServiceOptions & InstanceOption) =>
      printParties(terminal, slug, id, options),
    );
  withServiceOptions(contract.command('send <slug> <id> <event>'))
    .description('send an event to one contract, as one of its parties or as an operator')
    .option('--payload <json>', 'payload of the event')
    .option('--sign <file>', 'sign with the Ed25519 key in this file')
    .action((slug: string, id: string, event: string, options: SignOptions & { readonly payload?: string }) =>
      sendEvent(terminal, { slug, id, name: event }, options),
    );
  for (const act of ['accept', 'withdraw'] as const) {
    withServiceOptions(contract.command(`${act} <slug> <id> <no> <terms-hash>`))
      .description(`${act} a proposed change; its number and hash are printed by parties`)
      .option('--instance <key>', INSTANCE)
      .option('--sign <file>', 'sign with the Ed25519 key in this file')
      .action(
        async (slug: string, id: string, no: string, termsHash: string, options: SignOptions & InstanceOption) => {
          const { url, key, json, sign, instance } = options;
          const name = nameOfAct(act === 'accept' ? 'accepted' : 'withdrawn');
          const payload = { terms_hash: termsHash };
          const signature =
            sign === undefined ? undefined : signAct(sign, { machine: slug, contract: id, name, payload });
          const request = { slug, id, no: Number(no), terms_hash: termsHash, signature, instance };
          const answer = await createClient({ url, key }).call(`contract.${act}`, request);
          if (json) return printJson(terminal, answer);
          print(terminal, `version ${answer.contract.current_version_no}, ${answer.contract.currentState}`);
        },
      );
  }
  withServiceOptions(contract.command('accept-version <slug> <id> <instance> <no> <terms-hash>'))
    .description('accept a newer version for an instance, as one of its parties; its hash is printed by parties')
    .option('--sign <file>', 'sign with the Ed25519 key in this file')
    .action(async (slug: string, id: string, instance: string, no: string, termsHash: string, options: SignOptions) => {
      const { url, key, json, sign } = options;
      const act = { machine: slug, contract: id, name: nameOfAct('accepted'), payload: { terms_hash: termsHash } };
      const signature = sign === undefined ? undefined : signAct(sign, act);
      const request = { slug, id, key: instance, version_no: Number(no), terms_hash: termsHash, signature };
      const answer = await createClient({ url, key }).call('contract.accept-version', request);
      if (json) return printJson(terminal, answer);
      print(terminal, `${answer.version?.missing.length ?? 0} more needed`);
    });
  withServiceOptions(contract.command('rebind <slug> <id> <party> <who...>'))
    .description('propose who acts for a party from then on')
    .option('--instance <key>', INSTANCE)
    .action(
      async (
        slug: string,
        id: string,
        party: string,
        who: readonly string[],
        { url, key, json, instance }: ServiceOptions & InstanceOption,
      ) => {
        const request = { slug, id, party, bindings: who.map(bindingOf), instance };
        const answer = await createClient({ url, key }).call('contract.rebind', request);
        if (json) return printJson(terminal, answer);
        const { proposal, contract: after } = answer;
        const facts = proposal === null ? '' : `proposal ${proposal.no}, terms ${proposal.terms_hash}; `;
        print(terminal, `${facts}version ${after.current_version_no}`);
      },
    );
  contract
    .command('key <file>')
    .description('make an Ed25519 key that signs for a party; the file is for you alone')
    .action((file: string) => {
      const secret = randomBytes(32);
      writeFileSync(file, `${toHex(secret)}\n`, { mode: 0o600, flag: 'wx' });
      print(terminal, `ed25519:${toHex(ed25519.getPublicKey(secret))}`);
    });
}

async function printParties(
  terminal: Terminal,
  slug: string,
  id: string,
  { url, key, json, instance }: ServiceOptions & InstanceOption,
): Promise<void> {
  const client = createClient({ url, key });
  const view =
    instance === undefined
      ? await client.call('contract.parties', { slug, id })
      : await client.call('contract.instance-parties', { slug, id, key: instance });
  if (json) return printJson(terminal, view);
  const { you, parties, quorums, proposals, version } = view;
  for (const { name, bound } of parties) {
    const mark = name === you ? ' (you)' : '';
    print(terminal, `${paint(terminal, 'bold', name)}${mark}  ${bound.map(({ voter }) => voter).join(' ')}`);
  }
  for (const { transition, count, needed, vetoes } of quorums)
    print(terminal, `${transition}: ${count} of ${needed} votes${vetoes === 0 ? '' : `, ${vetoes} vetoes`}`);
  for (const { no, kind, terms_hash, accepted_by, missing } of proposals) {
    const needed = Math.min(...missing.map((way) => way.needed));
    print(terminal, `proposal ${no} (${kind}) ${terms_hash}: accepted by ${accepted_by.length}, ${needed} more needed`);
  }
  if (version !== null)
    print(terminal, `version ${version.no} ${version.terms_hash}: ${version.missing.length} more needed to take it`);
}

async function sendEvent(
  terminal: Terminal,
  { slug, id, name }: { readonly slug: string; readonly id: string; readonly name: string },
  { url, key, json, payload: text, sign }: SignOptions & { readonly payload?: string },
): Promise<void> {
  const payload = text === undefined ? {} : (parseStrictJson(text) as Readonly<Record<string, unknown>>);
  const signature = sign === undefined ? undefined : signAct(sign, { machine: slug, contract: id, name, payload });
  const answer = await createClient({ url, key }).call('contract.event', { slug, id, name, payload, signature });
  if (json) return printJson(terminal, answer);
  print(terminal, `sent as ${answer.party ?? 'operator'}, row ${answer.seq}`);
  for (const { transition, from, to } of answer.fired) print(terminal, `${from} → ${to} by ${transition}`);
  for (const { transition, reason } of answer.refused) print(terminal, `${transition ?? name}: ${reason}`);
}

/** Signs an act with the time as its number, so that later ones have larger numbers. */
function signAct(
  file: string,
  act: { readonly machine: string; readonly contract: string; readonly name: string; readonly payload: object },
): Signature {
  const secret = fromHex(readFileSync(file, 'utf8').trim());
  if (secret?.length !== 32) {
    throw new DomainError(
      'VALIDATION_FAILED',
      `${file} holds no key; 64 hexadecimal digits are expected (svc contract key).`,
    );
  }
  const nonce = Date.now();
  const payload = act.payload as Readonly<Record<string, unknown>>;
  const signature = toHex(ed25519.sign(actMessage({ ...act, payload, nonce }), secret));
  return { public_key: toHex(ed25519.getPublicKey(secret)), nonce, signature };
}

/** Parses `party=who`; several of one party add up. */
export function parseBindOptions(given: readonly string[]): Bindings {
  const bindings: Record<string, ReturnType<typeof bindingOf>[]> = {};
  for (const text of given) {
    const separator = text.indexOf('=');
    if (separator < 1) throw new DomainError('VALIDATION_FAILED', `${text} is no binding. Use party=who.`);
    const party = text.slice(0, separator);
    bindings[party] = [...(bindings[party] ?? []), bindingOf(text.slice(separator + 1))];
  }
  return bindings;
}

function bindingOf(text: string) {
  const binding = parseBinding(text);
  if (binding) return binding;
  throw new DomainError('VALIDATION_FAILED', `${JSON.stringify(text)} is no binding; ${BINDING_EXPECTED}.`);
}
