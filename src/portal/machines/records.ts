// Names for responses of the machine, contract and template routes.

import type { ApiInput, ApiOutput } from '../../client/client.ts';

type ListedMachine = ApiOutput<'machine.list'>['rows'][number];

/** `role` is the role of the visitor's key; set in lists only. */
export type MachineRecord = ApiOutput<'machine.get'>['machine'] & Partial<Pick<ListedMachine, 'role'>>;

export type RowRecord = ApiOutput<'chain.explore'>['rows'][number];

export interface Page<Row> {
  readonly rows: readonly Row[];
  readonly next_cursor: string | null;
}

export type ContractRecord = ApiOutput<'contract.list'>['rows'][number];

/** Contract of the visitor, with the machine on which it runs. */
export type OwnContractRecord = ApiOutput<'own-contract.list'>['rows'][number];

/** Transitions are the first page, newest first. */
export type ContractView = ApiOutput<'contract.get'>;

export type FireRow = ApiOutput<'contract.audit'>['rows'][number];

/** An instance of a contract by key. */
export type InstanceRecord = ApiOutput<'contract.instances'>['rows'][number];

export type TemplateSummary = ApiOutput<'template.list'>['rows'][number];

export type Template = ApiOutput<'template.get'>;

export type EventResult = ApiOutput<'machine.event'>;

export type RowQuery = Omit<ApiInput<'chain.explore'>, 'slug' | 'since' | 'version'> & { readonly limit: number };

export type ActiveMachine = ApiOutput<'chain.active'>['rows'][number];

export type Totals = ApiOutput<'chain.fleet'>['public'];

export type Stats = ApiOutput<'chain.stats'>;
