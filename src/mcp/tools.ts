// All tools, in the order in which a model reads them, and the shorter lists for those who have little room.

import { type Operation, PROFILES } from '../operations/operation.ts';
import { httpTool } from './http-tool.ts';
import { type Tool, type ToolRow, toolOf } from './tool.ts';

export const TOOL_PROFILES = ['all', ...PROFILES] as const;
export type ToolProfile = (typeof TOOL_PROFILES)[number];

export interface ToolBox {
  readonly names: readonly string[];
  find(name: string): Tool | undefined;
  /** The rows of a profile, made once. */
  rows(profile: ToolProfile): readonly ToolRow[];
}

export function openToolBox(operations: readonly Operation[]): ToolBox {
  const derived = operations.flatMap((operation) => toolOf(operation) ?? []);
  const isCore = (tool: Tool) => tool.profile === 'core';
  // The entry tools stand first: many clients cut a long list.
  const tools = [...derived.filter(isCore), httpTool(operations), ...derived.filter((tool) => !isCore(tool))];
  const byName = new Map(tools.map((tool) => [tool.row.name, tool]));
  const lists = new Map<ToolProfile, readonly ToolRow[]>();
  for (const profile of TOOL_PROFILES) {
    const members = tools.filter((tool) => profile === 'all' || isCore(tool) || tool.profile === profile);
    lists.set(profile, Object.freeze(members.map(({ row }) => row)));
  }
  return {
    names: [...byName.keys()],
    find: (name) => byName.get(name),
    rows: (profile) => lists.get(profile) ?? [],
  };
}
