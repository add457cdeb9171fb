// The answer of a tool: structured content, the same as text, and a link where the whole is too long.

import type { CallToolResult } from '@modelcontextprotocol/server';
import { LIMITS } from '../core/limits.ts';
import type { Context } from '../operations/operation.ts';
import { type Refusal, refusalOf } from '../operations/refusal.ts';
import { outline } from './outline.ts';

/** Room for the link in an outlined answer. */
const LINK_BYTES = 1_000;

export async function answerOf(result: unknown, { services, baseUrl }: Context): Promise<CallToolResult> {
  const text = JSON.stringify(result);
  const bytes = Buffer.byteLength(text);
  if (bytes <= LIMITS.toolResultBytes) {
    return { content: [{ type: 'text', text }], structuredContent: result as Record<string, unknown> };
  }
  const kept = await services.results.keep(text);
  const uri = `${baseUrl}${kept.path}`;
  const complete = { href: uri, sha256: kept.sha256, bytes, expires_at: kept.expires_at };
  const structuredContent = { ...outline(result, LIMITS.toolResultBytes - LINK_BYTES), complete };
  return {
    content: [
      { type: 'text', text: JSON.stringify(structuredContent) },
      {
        type: 'resource_link',
        uri,
        name: `${kept.sha256}.json`,
        title: 'The whole answer',
        description: `Complete and unchanged, kept until ${kept.expires_at}.`,
        mimeType: 'application/json',
        size: bytes,
      },
    ],
    structuredContent,
  };
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
