// The registries are not for browsers: a page carries the definitions that it needs. Imported as `#json-files`.

import type { JsonFile } from './json-file.ts';

export function readJsonFiles(folder: string | URL): JsonFile[] {
  throw new Error(`The files of ${folder} can only be read in Node.`);
}
