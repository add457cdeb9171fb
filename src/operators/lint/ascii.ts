// ASCII: a reader of a difference sees every character that there is.

import { type Complaint, error } from './finding.ts';

export function checkAscii(text: string): Complaint[] {
  const complaints: Complaint[] = [];
  for (const [i, line] of text.split('\n').entries()) {
    const strange = /[^\x20-\x7e]/u.exec(line);
    if (strange === null) continue;
    const code = (strange[0].codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
    const where = `line ${i + 1}, column ${strange.index + 1}`;
    complaints.push(error(`${where}: the character U+${code}`, 'Write it in ASCII: hbar, Schroedinger, -, 10^-3.'));
  }
  return complaints;
}
