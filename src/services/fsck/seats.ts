// Compares the seats of accounts with the states of the contracts and instances of one machine, which others check.

import type { ContractState } from '../../contracts/contract-state.ts';
import type { Definition } from '../../contracts/definition.ts';
import { accountSeats } from '../../contracts/parties/seats.ts';
import type { ContractInspection, InspectedInstance } from '../../storage/fsck/contracts.ts';
import type { InspectedSeat, SeatedPlace, SeatInspection } from '../../storage/fsck/seats.ts';
import type { ReportFault } from './faults.ts';
import { tryParseJson } from './rows.ts';

interface Place extends SeatedPlace {
  readonly definition: Pick<Definition, 'parties'>;
  readonly state: string;
  readonly status: string;
}

export class SeatsCheck {
  readonly #machineId: string;
  readonly #contracts: Pick<ContractInspection, 'contracts' | 'keyedDefinitions' | 'instances'>;
  readonly #seats: SeatInspection;
  readonly #report: ReportFault;

  constructor(machineId: string, contracts: ContractInspection, seats: SeatInspection, report: ReportFault) {
    this.#machineId = machineId;
    this.#contracts = contracts;
    this.#seats = seats;
    this.#report = report;
  }

  visit(): void {}

  async finish(): Promise<void> {
    const contracts = await this.#contracts.contracts(this.#machineId);
    await this.#compare(
      contracts.map(({ id, definition, state, status }) => ({
        contract_id: id,
        instance: '',
        definition: definitionOf(definition),
        state,
        status,
      })),
    );
    await this.#compareInstances();
    for (const seat of await this.#seats.strays(this.#machineId))
      this.#fault(seat, 'STRAY', `There is no instance ${JSON.stringify(seat.instance)}.`, 'instance');
  }

  async #compareInstances(): Promise<void> {
    const versions = await this.#contracts.keyedDefinitions(this.#machineId);
    const definitions = new Map(
      versions.map(({ contract_id, no, definition }) => [`${contract_id} ${no}`, definitionOf(definition)]),
    );
    for (let after: InspectedInstance | undefined; ; ) {
      const page = await this.#contracts.instances(this.#machineId, after);
      await this.#compare(
        page.map(({ contract_id, key, version_no, state, status }) => {
          const definition = definitions.get(`${contract_id} ${version_no}`) ?? {};
          return { contract_id, instance: key, definition, state, status };
        }),
      );
      after = page.at(-1);
      if (after === undefined) return;
    }
  }

  async #compare(places: readonly Place[]): Promise<void> {
    if (places.length === 0) return;
    const stored = new Map((await this.#seats.in(this.#machineId, places)).map((seat) => [nameOf(seat), seat]));
    for (const { contract_id, instance, definition, state, status } of places) {
      const parsed = tryParseJson(state) as ContractState | null | undefined;
      // What is no state, or has no bindings, is reported by its own check.
      const bound = isBound(parsed?.parties?.bindings) ? accountSeats(definition, parsed ?? {}, instance !== '') : [];
      for (const { zid, keyId: key_id, party } of bound) {
        const expected = { contract_id, instance, zid, key_id, party, status };
        const seat = stored.get(nameOf(expected));
        stored.delete(nameOf(expected));
        if (seat === undefined) this.#fault(expected, 'SAID', `The seat of ${party} is missing.`);
        else if (seat.party !== party)
          this.#fault(seat, 'SAID', `party is ${seat.party}; the state says ${party}.`, 'party');
        else if (seat.status !== status)
          this.#fault(seat, 'SAID', `status is ${seat.status}; expected ${status}.`, 'status');
      }
    }
    for (const seat of stored.values())
      this.#fault(seat, 'SAID', `The state binds ${seat.zid} to no party by this key.`, 'zid');
  }

  #fault(
    { contract_id, instance, zid, key_id }: InspectedSeat,
    code: 'SAID' | 'STRAY',
    message: string,
    column?: string,
  ) {
    this.#report('contract_seat', { contract_id, instance, zid, key_id }, code, message, column);
  }
}

const definitionOf = (text: string) => (tryParseJson(text) ?? {}) as Pick<Definition, 'parties'>;

/** Whether these have the form of bindings: whoever damaged the state may have written anything. */
const isBound = (bindings: unknown): boolean =>
  Object.values(bindings ?? {}).every(
    (bound) => Array.isArray(bound) && bound.every((one) => typeof one === 'object' && one !== null),
  );

const nameOf = ({ contract_id, instance, zid, key_id }: Omit<InspectedSeat, 'party' | 'status'>): string =>
  JSON.stringify([contract_id, instance, zid, key_id]);
