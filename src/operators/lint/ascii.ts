// ASCII only, so that a diff shows every character.

import { type Diagnostic, error } from './diagnostic.ts';

export function checkAscii(text: string): Diagnostic[] {
  const diagnostics: Diagnostic[] = [];
  for (const [i, line] of text.split('\n').entries()) {
    const match = /[^\x20-\x7e]/u.exec(line);
    if (match === null) continue;
    const code = (match[0].codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
    const where = `line ${i + 1}, column ${match.index + 1}`;
    diagnostics.push(
      error(`${where}: the character U+${code} is not ASCII`, 'Write it in ASCII: hbar, Schroedinger, -, 10^-3.'),
    );
  }
  return diagnostics;
}
