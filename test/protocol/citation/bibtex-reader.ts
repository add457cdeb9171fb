// Reads one entry as BibTeX does: a field ends where its braces balance, and a backslash does not hide a brace.

/** Commands that print one character, by name. */
const PRINTED: Readonly<Record<string, string>> = {
  textbackslash: '\\',
  textbraceleft: '{',
  textbraceright: '}',
  textasciitilde: '~',
  textasciicircum: '^',
  textless: '<',
  textgreater: '>',
  textbar: '|',
};

interface Entry {
  readonly type: string;
  readonly key: string;
  readonly fields: Readonly<Record<string, string>>;
}

/** @throws Error where BibTeX or TeX would stop or print something else */
export function readBibtex(source: string): Entry {
  const head = /^@(\w+)\{([^\s,{}]+),\n/.exec(source);
  if (head === null) throw new Error('No entry starts here.');
  const fields: Record<string, string> = {};
  let at = head[0].length;
  for (;;) {
    const start = /^ *(\w+) = /.exec(source.slice(at));
    if (start === null) break;
    at += start[0].length;
    const end = source[at] === '{' ? closingBrace(source, at) + 1 : source.indexOf(',', at);
    const name = start[1] ?? '';
    if (fields[name] !== undefined) throw new Error(`Two fields ${name}.`);
    const text = source.slice(at, end);
    fields[name] = name === 'url' ? text.slice(1, -1) : printed(text);
    if (source.slice(end, end + 2) !== ',\n') throw new Error(`Field ${name} does not end with a comma.`);
    at = end + 2;
  }
  if (source.slice(at) !== '}\n') throw new Error(`The entry goes on with ${source.slice(at)}.`);
  return { type: head[1] ?? '', key: head[2] ?? '', fields };
}

function closingBrace(source: string, from: number): number {
  let depth = 0;
  for (let at = from; at < source.length; at++) {
    if (source[at] === '{') depth++;
    if (source[at] === '}' && --depth === 0) return at;
  }
  throw new Error('A brace is never closed.');
}

/** What TeX prints for a field. */
function printed(text: string): string {
  return text.replace(/\{\\([a-z]+)\}|\\([%&#_$])|[{}]|[\\%&#_$~^]/g, (all, command, character) => {
    if (command !== undefined) {
      const known = PRINTED[command];
      if (known === undefined) throw new Error(`TeX would run \\${command}.`);
      return known;
    }
    if (character !== undefined) return character;
    if (all === '{' || all === '}') return '';
    throw new Error(`TeX would obey ${all}.`);
  });
}
