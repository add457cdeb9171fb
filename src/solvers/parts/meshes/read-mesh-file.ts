// Finds the format of a mesh file and reads it.

import { validationError } from '../errors.ts';
import { parseAbaqus } from './abaqus.ts';
import { parseGmsh } from './gmsh.ts';
import type { MeshFile } from './mesh-file.ts';

/** Gmsh begins with a section, Abaqus with a keyword. @throws DomainError VALIDATION_FAILED, which names the line */
export function parseMeshFile(text: string, path: string): MeshFile {
  const first = text.trimStart();
  if (first.startsWith('$')) return parseGmsh(text, path);
  if (first.startsWith('*')) return parseAbaqus(text, path);
  const got = first === '' ? 'an empty text' : JSON.stringify(first.slice(0, 40));
  const message = `${path}, line 1: got ${got}; expected a Gmsh file ($MeshFormat) or an Abaqus file (*HEADING, *NODE).`;
  throw validationError(path, message, 'MALFORMED_MESH', { line: 1 });
}
