// Response types of the machine, contract and template routes.

import type { Definition, Scalars } from '../../contracts/definition.ts';

export interface Head {
  readonly seq: number;
  readonly svcond: number;
  readonly row_hash: string;
}

export type Role = 'viewer' | 'operator' | 'admin' | 'owner';

export interface MachineRecord {
  readonly slug: string;
  readonly name: string;
  readonly description: string;
  readonly status: 'active' | 'paused' | 'archived';
  readonly is_public: boolean;
  /** New rows are sealed: only the owner can open them. */
  readonly is_sealed: boolean;
  readonly genesis_tick: number;
  readonly genesis_hash: string;
  readonly id_hash: string;
  readonly address: string;
  readonly head: Head;
  /** Role of the visitor's key; set in lists only. */
  readonly role?: Role | null;
}

export interface RowRecord {
  readonly seq: number;
  readonly svcond: number;
  readonly at: string;
  readonly type: string;
  readonly source: string;
  readonly actor: string;
  readonly commit: string;
  readonly prev: string;
  readonly row_hash: string;
  readonly salt: string | null;
  readonly payload: unknown;
  /** Only the owner can open salt and payload. */
  readonly sealed?: true | undefined;
}

export interface Page<Row> {
  readonly rows: readonly Row[];
  readonly next_cursor: string | null;
}

export interface ContractRecord {
  readonly id: string;
  readonly name: string;
  readonly currentState: string;
  readonly status: 'active' | 'paused' | 'frozen' | 'completed' | 'failed';
  readonly fire_count: number;
  readonly next_fire: number | null;
  readonly current_version_no: number;
  readonly definition_hash: string;
  readonly template_id: string | null;
  readonly parameters: Scalars;
  readonly context: Scalars;
  readonly missed: number;
  readonly created_svcond: number;
}

/** Contract of the visitor, with the machine on which it runs. */
export interface OwnContractRecord extends ContractRecord {
  readonly slug: string;
}

export interface FireRow {
  readonly transition: string;
  readonly from: string;
  readonly to: string;
  readonly version: number;
  readonly entry: number;
  readonly occurrence: string;
  readonly seq: number;
  readonly svcond: number;
}

export interface ContractView {
  readonly contract: ContractRecord;
  readonly definition: Definition;
  /** First page, newest first. */
  readonly transitions: readonly FireRow[];
}

export interface VersionRow {
  readonly no: number;
  readonly definition_hash: string;
  readonly parameters: Scalars;
  readonly svcond: number;
  readonly actor: string;
  readonly reason: string;
}

export interface NextFire {
  readonly svcond: number;
  readonly transition: string;
}

export interface TemplateSummary {
  readonly id: string;
  readonly title: string;
  readonly category: string;
  readonly description: string;
  readonly states: number;
  readonly transitions: number;
}

export interface Template {
  readonly id: string;
  readonly title: string;
  readonly category: string;
  readonly definition: Definition;
}
