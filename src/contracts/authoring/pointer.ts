// Turns the path of a fault, in which transitions have their ids, into a JSON Pointer (RFC 6901) of the definition.

import { printPointer } from '../../core/json-pointer.ts';

/** A value longer than this, as JSON, is not repeated in a fault. */
const MAX_GOT_CHARACTERS = 200;

export interface Place {
  /** JSON Pointer; it may lead to a part that is missing. */
  readonly pointer: string;
  /** What stands there: null if nothing does, undefined if it is long. */
  readonly got: unknown;
}

/** @param path  of a fault, such as `transitions.pay.post.0.set.paid` or, from the schema, `transitions.2.from` */
export function placeOf(document: unknown, path: string): Place {
  const tokens: string[] = [];
  const parts = path === '' ? [] : path.split('.');
  let at: unknown = document;
  while (parts.length > 0) {
    const token = Array.isArray(at) ? indexIn(at, parts) : keyIn(at, parts);
    tokens.push(token);
    at = valueIn(at, token);
  }
  const text = JSON.stringify(at) ?? 'null';
  return { pointer: printPointer(tokens), got: text.length > MAX_GOT_CHARACTERS ? undefined : (at ?? null) };
}

/** The index of an element, given as such or by the id of the element. */
function indexIn(list: readonly unknown[], parts: string[]): string {
  const [name = ''] = parts.splice(0, 1);
  const index = list.findIndex((element) => valueIn(element, 'id') === name);
  return index === -1 ? name : String(index);
}

/** A key of an object, which may contain dots. */
function keyIn(parent: unknown, parts: string[]): string {
  for (let length = 1; length <= parts.length; length++) {
    const key = parts.slice(0, length).join('.');
    if (valueIn(parent, key) === undefined) continue;
    parts.splice(0, length);
    return key;
  }
  return parts.shift() ?? '';
}

function valueIn(parent: unknown, key: string): unknown {
  if (typeof parent !== 'object' || parent === null || !Object.hasOwn(parent, key)) return undefined;
  return (parent as Readonly<Record<string, unknown>>)[key];
}
