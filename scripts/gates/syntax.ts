// Syntax trees of the sources, for gates that no tool has.

import { parseSync } from '@swc/core';

export interface Node {
  readonly type: string;
  readonly span?: { readonly start: number };
  readonly [key: string]: unknown;
}

export function parse(file: string, source: string): Node {
  return parseSync(source, { syntax: 'typescript', tsx: file.endsWith('x'), target: 'es2024' }) as unknown as Node;
}

/** Line of a span: the parser counts bytes of UTF-8 from 1. */
export function linesOf(source: string): (start: number) => number {
  const bytes = Buffer.from(source);
  return (start) =>
    bytes
      .subarray(0, start - 1)
      .toString()
      .split('\n').length;
}
