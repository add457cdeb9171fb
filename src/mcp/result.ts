// Formats the result of a tool: structured content, the same as text, and a link to the full result if it is too long.

import type { CallToolResult } from '@modelcontextprotocol/server';
import { LIMITS } from '../core/limits.ts';
import { type ErrorResponse, errorResponseOf } from '../operations/error-response.ts';
import type { Context } from '../operations/operation.ts';
import type { ToolResult } from './tool.ts';
import { truncate } from './truncate.ts';

/** Bytes reserved in a truncated answer for the `complete` field, beside its URL. */
const LINK_BYTES = 1_000;

export async function callResult(
  { result, overflow }: ToolResult,
  { services, tenant, baseUrl }: Context,
): Promise<CallToolResult> {
  const text = JSON.stringify(result);
  const bytes = Buffer.byteLength(text);
  if (bytes <= LIMITS.toolResultBytes || overflow === 'inline') {
    return { content: [{ type: 'text', text }], structuredContent: result as Record<string, unknown> };
  }
  if (overflow !== 'store') return truncatedResult(result, { ...overflow, bytes });
  const stored = await services.results.store(text, tenant);
  const uri = `${baseUrl}${stored.path}`;
  const { content, structuredContent } = truncatedResult(result, {
    href: uri,
    sha256: stored.sha256,
    bytes,
    expires_at: stored.expires_at,
  });
  const link = {
    type: 'resource_link' as const,
    uri,
    name: `${stored.sha256}.json`,
    title: 'Full result',
    description: `Complete and unchanged, stored until ${stored.expires_at}.`,
    mimeType: 'application/json',
    size: bytes,
  };
  return { content: [...content, link], structuredContent };
}

function truncatedResult(result: unknown, complete: Readonly<Record<string, unknown>> & { readonly href: string }) {
  const maxBytes = LIMITS.toolResultBytes - LINK_BYTES - complete.href.length;
  const structuredContent = { ...truncate(result, maxBytes), complete };
  return { content: [{ type: 'text' as const, text: JSON.stringify(structuredContent) }], structuredContent };
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
