// The answer of a tool: structured content, the same as text, and where the whole is if it is too long.

import type { CallToolResult } from '@modelcontextprotocol/server';
import { LIMITS } from '../core/limits.ts';
import type { Context } from '../operations/operation.ts';
import { type Refusal, refusalOf } from '../operations/refusal.ts';
import { outline } from './outline.ts';
import type { ToolAnswer } from './tool.ts';

/** Room in an outlined answer for what is said of the whole, beside its address. */
const LINK_BYTES = 1_000;

export async function answerOf({ result, whole }: ToolAnswer, { services, baseUrl }: Context): Promise<CallToolResult> {
  const text = JSON.stringify(result);
  const bytes = Buffer.byteLength(text);
  if (bytes <= LIMITS.toolResultBytes || whole === 'here') {
    return { content: [{ type: 'text', text }], structuredContent: result as Record<string, unknown> };
  }
  if (whole !== 'kept') return outlined(result, { ...whole, bytes });
  const kept = await services.results.keep(text);
  const uri = `${baseUrl}${kept.path}`;
  const { content, structuredContent } = outlined(result, {
    href: uri,
    sha256: kept.sha256,
    bytes,
    expires_at: kept.expires_at,
  });
  const link = {
    type: 'resource_link' as const,
    uri,
    name: `${kept.sha256}.json`,
    title: 'The whole answer',
    description: `Complete and unchanged, kept until ${kept.expires_at}.`,
    mimeType: 'application/json',
    size: bytes,
  };
  return { content: [...content, link], structuredContent };
}

function outlined(result: unknown, complete: Readonly<Record<string, unknown>> & { readonly href: string }) {
  const room = LIMITS.toolResultBytes - LINK_BYTES - complete.href.length;
  const structuredContent = { ...outline(result, room), complete };
  return { content: [{ type: 'text' as const, text: JSON.stringify(structuredContent) }], structuredContent };
}

/** A refusal is an answer that a model can act on: every fault by name, and what is allowed. */
export function refusalResult(error: unknown, requestId: string): CallToolResult {
  const refusal = refusalOf(error, requestId);
  return { isError: true, content: [{ type: 'text', text: inWords(refusal) }], structuredContent: { ...refusal } };
}

function inWords({ code, error, details = [] }: Refusal): string {
  const more = details.map(({ message }) => message).filter((message) => message !== error);
  return [`${code}: ${error}`, ...more].join('\n');
}
