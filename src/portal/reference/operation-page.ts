// Files of the API reference, which the build derives from the operations (scripts/portal/reference) and the page loads.

import { loadJson } from '../kit/load-json.ts';
import type { OperationCall } from './operation-call.ts';

/** Entry of the list of operations. */
export interface OperationLink {
  /** `noun.verb`. */
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly summary: string;
  readonly access: Access;
}

/** `key` needs a key; `public` accepts one, which may change the answer. */
export type Access = 'public' | 'key' | 'admin';

export interface ReferenceGroup {
  /** Of its heading. */
  readonly id: string;
  readonly title: string;
  /** First parts of the names of its operations, which are tags of the OpenAPI document. */
  readonly tags: readonly string[];
  readonly operations: readonly OperationLink[];
}

export interface ReferenceIndex {
  readonly groups: readonly ReferenceGroup[];
}

/** A field of a request or an answer, in words. */
export interface FieldRow {
  readonly name: string;
  readonly type: string;
  readonly isRequired?: true;
  /** `1 – 80 characters`. */
  readonly limits?: string;
  readonly pattern?: string;
  readonly unit?: string;
  readonly defaultValue?: string;
  readonly meaning?: string;
  /** Of the object, or of each object of the list. */
  readonly fields?: readonly FieldRow[];
}

/** Type of a row that is one of several objects. */
export const VARIANT = 'one form of it';

export interface FieldSection {
  readonly place: 'path' | 'query' | 'body' | 'header';
  readonly rows: readonly FieldRow[];
}

export const PLACE_WORDS: Readonly<Record<FieldSection['place'], string>> = {
  path: 'Path parameters',
  query: 'Query parameters',
  body: 'Body',
  header: 'Headers',
};

export interface ErrorRow {
  readonly code: string;
  readonly status: number;
  readonly meaning: string;
  /** Given by nearly every operation. */
  readonly isCommon?: true;
}

export interface OperationPage {
  readonly link: OperationLink;
  readonly group: string;
  /** Undefined if the summary says it all. */
  readonly description?: string;
  readonly call: OperationCall;
  /** Complete input: the example of the operation, with what it leaves out. */
  readonly input: Readonly<Record<string, unknown>>;
  /** Required fields without an example; their values come from the schema or a recorded call, and name nothing here. */
  readonly madeUp: readonly string[];
  /** Title of the preset of a solver that the input is. */
  readonly preset?: string;
  readonly sections: readonly FieldSection[];
  readonly answer: {
    readonly status: number;
    readonly mediaTypes: readonly string[];
    readonly rows: readonly FieldRow[];
    /** JSON text of what a node has answered to `input`; `…` stands for what is cut. */
    readonly recorded?: string;
    /** Made from the schema; undefined for text, bytes and streams, and beside a recorded answer. */
    readonly shape?: unknown;
  };
  readonly errors: readonly ErrorRow[];
}

declare const __REFERENCE_FOLDER__: string;

/** @throws Error if the list cannot be fetched */
export const loadReferenceIndex = () => loadJson<ReferenceIndex>(`${__REFERENCE_FOLDER__}index.json`);

/** @throws Error if the page cannot be fetched */
export const loadOperationPage = (name: string) => loadJson<OperationPage>(`${__REFERENCE_FOLDER__}${name}.json`);

export const pathOfOperation = (name: string) => `/reference/${name}`;
