// Which actions are on collections, what they name and what they read. No compiler is needed for it.

import type { Action } from '../definition.ts';

export type DataAction = Extract<
  Action,
  | { put: unknown }
  | { append: unknown }
  | { add: unknown }
  | { remove: unknown }
  | { take: unknown }
  | { clear: unknown }
  | { distribute: unknown }
>;

const NAMES = ['put', 'append', 'add', 'remove', 'take', 'clear', 'distribute'];

export const isDataAction = (action: Action): action is DataAction => NAMES.some((name) => name in action);

/** The collection that an action reads or writes. */
export function collectionOf(action: DataAction): string {
  if ('put' in action) return action.put.into;
  if ('append' in action) return action.append.to;
  if ('add' in action) return action.add.to;
  if ('remove' in action) return action.remove.from;
  if ('take' in action) return action.take.from;
  return 'clear' in action ? action.clear : action.distribute.by;
}

/** The expressions of an action. */
export function textsOfDataAction(action: DataAction): string[] {
  if ('put' in action) return [action.put.key, action.put.value];
  if ('append' in action) return [action.append.value];
  if ('add' in action) return [action.add.value];
  if ('remove' in action) return [action.remove.entry];
  return 'distribute' in action ? [action.distribute.amount, action.distribute.from] : [];
}
