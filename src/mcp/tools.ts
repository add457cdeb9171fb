// Registry of all tools, in the order in which a model reads them, with shorter lists (profiles) for small contexts.

import { type Operation, PROFILES } from '../operations/operation.ts';
import { httpTool } from './http-tool.ts';
import { type Tool, type ToolListing, toolOf } from './tool.ts';

export const TOOL_PROFILES = ['all', ...PROFILES] as const;
export type ToolProfile = (typeof TOOL_PROFILES)[number];

export interface ToolRegistry {
  readonly names: readonly string[];
  find(name: string): Tool | undefined;
  /** The tools of a profile as `tools/list` returns them; built once. */
  list(profile: ToolProfile): readonly ToolListing[];
}

/** Deriving the schemas takes a third of a second; the tools depend on the operations alone. */
const registries = new WeakMap<readonly Operation[], ToolRegistry>();

/** The tools of operations, derived once for each list. */
export function createToolRegistry(operations: readonly Operation[]): ToolRegistry {
  const registry = registries.get(operations) ?? deriveTools(operations);
  registries.set(operations, registry);
  return registry;
}

function deriveTools(operations: readonly Operation[]): ToolRegistry {
  const derived = operations.flatMap((operation) => toolOf(operation) ?? []);
  const isCore = (tool: Tool) => tool.profile === 'core';
  // Core tools come first: many clients truncate a long list.
  const tools = [...derived.filter(isCore), httpTool(operations), ...derived.filter((tool) => !isCore(tool))];
  const byName = new Map(tools.map((tool) => [tool.listing.name, tool]));
  const lists = new Map<ToolProfile, readonly ToolListing[]>();
  for (const profile of TOOL_PROFILES) {
    const members = tools.filter((tool) => profile === 'all' || isCore(tool) || tool.profile === profile);
    lists.set(profile, Object.freeze(members.map(({ listing }) => listing)));
  }
  return {
    names: [...byName.keys()],
    find: (name) => byName.get(name),
    list: (profile) => lists.get(profile) ?? [],
  };
}
