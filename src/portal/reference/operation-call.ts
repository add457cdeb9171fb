// Facts of an operation that its snippets and its form need, and the request that they send.

import { requestUrl } from '../../client/request-url.ts';

export interface OperationCall {
  readonly name: string;
  /** `METHOD /path/{parameter}`. */
  readonly route: `${'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'} /${string}`;
  readonly needsKey: boolean;
  readonly answers: 'json' | 'text' | 'bytes' | 'events';
  /** Id of the solver that it runs. */
  readonly solver?: string;
  /** Field that is the whole body, as text. */
  readonly textBody?: string;
  /** Tool for agents, with the names of its arguments. */
  readonly tool?: { readonly name: string; readonly fields: readonly string[] };
  /** Why agents cannot call it, if they cannot. */
  readonly closedToTools?: string;
}

export type CallInput = Readonly<Record<string, unknown>>;

export interface CallRequest {
  readonly method: string;
  readonly url: string;
  /** Object for JSON, text for a body of text; undefined for none. */
  readonly body: CallInput | string | undefined;
}

/** The HTTP request of a call. */
export function requestOf(call: OperationCall, input: CallInput, origin: string): CallRequest {
  const method = call.route.slice(0, call.route.indexOf(' '));
  const { url, rest } = requestUrl(call, input, origin);
  if (method === 'GET') return { method, url: url.href, body: undefined };
  if (call.textBody !== undefined) return { method, url: url.href, body: String(rest[call.textBody] ?? '') };
  const isEmpty = Object.keys(rest).length === 0;
  return { method, url: url.href, body: isEmpty ? undefined : rest };
}
