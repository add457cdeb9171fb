// Reads the JSON files of a folder synchronously, so that a registry is complete once its module is loaded. Imported as
// `#json-files`; browsers get json-files-browser.ts.

import { readdirSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { JsonFile } from './json-file.ts';

/**
 * Every `*.json` below a folder, in code-unit order of their names; a file system has an order of its own.
 *
 * @throws Error naming the folder that has no such file, or the file that is not JSON
 */
export function readJsonFiles(folder: string | URL): JsonFile[] {
  const root = typeof folder === 'string' ? folder : fileURLToPath(folder);
  const names = readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.json'))
    .map((name) => name.slice(0, -'.json'.length).split(sep).join('/'))
    .sort();
  if (names.length === 0) throw new Error(`${root} has no *.json file; at least one is expected.`);
  return names.map((name) => {
    const path = join(root, `${name}.json`);
    return { path, name, content: parse(readFileSync(path, 'utf8'), path) };
  });
}

function parse(text: string, path: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Error(`${path} is not JSON: ${(error as SyntaxError).message}.`, { cause: error });
  }
}
