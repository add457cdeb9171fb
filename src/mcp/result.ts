// Formats the result of a tool: sentences as text, the record as structured content, and a link to what it leaves out.
//
// docs/decisions/0016-summaries-for-models.md says why text and structure differ.

import type { CallToolResult } from '@modelcontextprotocol/server';
import { LIMITS } from '../core/limits.ts';
import { isRecord } from '../core/record.ts';
import { type ErrorResponse, errorResponseOf } from '../operations/error-response.ts';
import type { Brief, Context } from '../operations/operation.ts';
import { sentencesOf, summaryText } from './summary.ts';
import type { ToolResult } from './tool.ts';
import { truncate } from './truncate.ts';

type Json = Readonly<Record<string, unknown>>;

/** Where the full answer is. */
type Complete = Json & { readonly href: string };

/** Bytes reserved in a truncated answer for the `complete` field, beside its URL. */
const LINK_BYTES = 1_000;

export function callResult(result: ToolResult, context: Context): Promise<CallToolResult> {
  return result.detail === 'full' ? fullResult(result, context) : summaryResult(result, context);
}

/** Text and structure are the answer itself, unless it is too long. */
async function fullResult({ answer, wrap, overflow }: ToolResult, context: Context): Promise<CallToolResult> {
  const whole = wrap(answer);
  const text = JSON.stringify(whole);
  const bytes = Buffer.byteLength(text);
  const isInline = bytes <= LIMITS.toolResultBytes || overflow === 'inline';
  const complete = isInline ? undefined : overflow === 'store' ? await store(answer, context) : { ...overflow, bytes };
  if (complete === undefined) return { content: [{ type: 'text', text }], structuredContent: whole };
  const structuredContent = truncated(whole, complete);
  const content = [{ type: 'text' as const, text: JSON.stringify(structuredContent) }];
  return { content: overflow === 'store' ? [...content, linkTo(complete)] : content, structuredContent };
}

async function summaryResult(result: ToolResult, context: Context): Promise<CallToolResult> {
  const { answer, operation, wrap, overflow } = result;
  const sentences = sentencesOf(operation, answer);
  const short = isRecord(answer) ? shortened(answer, operation.brief) : answer;
  if (overflow !== 'store') return readResult(wrap(short), sentences, overflow);
  // Without a key nothing is stored, so nothing is left out.
  const isWhole = context.principal === undefined || JSON.stringify(short) === JSON.stringify(answer);
  const complete = isWhole ? undefined : await store(answer, context);
  if (complete === undefined)
    return { content: [{ type: 'text', text: summaryText(sentences) }], structuredContent: wrap(answer) };
  const whole = linked(wrap(short), complete);
  const isLong = Buffer.byteLength(JSON.stringify(whole)) > LIMITS.toolResultBytes;
  return {
    content: [{ type: 'text', text: summaryText(sentences, `Receipt: ${complete.href}`) }, linkTo(complete)],
    structuredContent: isLong ? truncated(wrap(short), complete) : whole,
  };
}

/** The record without fields that only the full answer has, the others as the operation shortens them. */
function shortened(answer: Json, { omitted = [], shorten }: Pick<Brief, 'omitted' | 'shorten'> = {}): Json {
  const isKept = ([name]: readonly [string, unknown]) => !omitted.includes(name);
  const kept = omitted.length === 0 ? answer : Object.fromEntries(Object.entries(answer).filter(isKept));
  return shorten === undefined ? kept : shorten(kept);
}

/** A read or a write, which is not stored. */
function readResult(
  whole: Record<string, unknown>,
  sentences: readonly string[],
  overflow: ToolResult['overflow'],
): CallToolResult {
  const bytes = Buffer.byteLength(JSON.stringify(whole));
  if (bytes <= LIMITS.toolResultBytes || typeof overflow === 'string')
    return { content: [{ type: 'text', text: summaryText(sentences) }], structuredContent: whole };
  const complete = { ...overflow, bytes };
  const text = summaryText(sentences, `Full answer: ${complete.href}`);
  return { content: [{ type: 'text', text }], structuredContent: truncated(whole, complete) };
}

/** Stores a computation under its hash; undefined if there is no room, so that nothing may be left out. */
async function store(answer: unknown, { services, tenant, baseUrl }: Context): Promise<Complete | undefined> {
  const stored = await services.results.store(JSON.stringify(answer), tenant);
  if (stored === undefined) return undefined;
  const { path, bytes, expires_at } = stored;
  return { href: `${baseUrl}${path}`, bytes, expires_at };
}

const linkTo = ({ href, bytes }: Complete) => ({
  type: 'resource_link' as const,
  uri: href,
  name: 'receipt',
  mimeType: 'application/json',
  size: bytes as number,
});

function truncated(result: unknown, complete: Complete): Record<string, unknown> {
  const maxBytes = LIMITS.toolResultBytes - LINK_BYTES - complete.href.length;
  return linked(truncate(result, maxBytes), complete);
}

/** With the link at `complete`; a receipt that has a field of that name, whether all roots are known, keeps it beside it. */
function linked(structure: Record<string, unknown>, complete: Complete): Record<string, unknown> {
  const { complete: allRoots } = structure;
  return { ...structure, ...(typeof allRoots === 'boolean' ? { all_roots: allRoots } : {}), complete };
}

/** Formats an error so that a model can correct the call: every invalid field by name, with the allowed values. */
export function errorResult(error: unknown, requestId: string): CallToolResult {
  const response = errorResponseOf(error, requestId);
  return { isError: true, content: [{ type: 'text', text: errorText(response) }], structuredContent: { ...response } };
}

function errorText({ code, error, details = [] }: ErrorResponse): string {
  const more = details.map(({ message }) => message).filter((message) => message !== error);
  return [`${code}: ${error}`, ...more].join('\n');
}
