// JSON values as literals of programming languages, on one line where they fit.

import { isRecord } from '../../core/record.ts';

interface Language {
  readonly word: (value: null | boolean) => string;
  readonly text: (value: string) => string;
  readonly key: (name: string) => string;
  /** Between the braces and the members of an object on one line. */
  readonly space: string;
}

/** Longest line of a list or an object. */
const MAX_WIDTH = 52;

const IDENTIFIER = /^[A-Za-z_$][\w$]*$/;

const quoted = (text: string) => JSON.stringify(text);

/** JSON escapes each quote by one backslash before it. */
const inSingleQuotes = (text: string) => `'${quoted(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;

const JSON_TEXT: Language = { word: String, text: quoted, key: quoted, space: ' ' };

const SCRIPT: Language = {
  word: String,
  text: inSingleQuotes,
  // The key __proto__ would set the prototype, with quotes too.
  key: (name) => (name === '__proto__' ? "['__proto__']" : IDENTIFIER.test(name) ? name : inSingleQuotes(name)),
  space: ' ',
};

/** The escapes of JSON texts mean the same in Python. */
const PYTHON: Language = {
  word: (value) => (value === null ? 'None' : value ? 'True' : 'False'),
  text: quoted,
  key: quoted,
  space: '',
};

export const toJson = (value: unknown, indent = '') => write(value, JSON_TEXT, indent);
export const toScript = (value: unknown, indent = '') => write(value, SCRIPT, indent);
export const toPython = (value: unknown, indent = '') => write(value, PYTHON, indent);

function write(value: unknown, language: Language, indent: string): string {
  const inner = `${indent}  `;
  if (Array.isArray(value)) {
    const parts = value.map((one) => write(one, language, inner));
    return enclosed('[', ']', parts, indent);
  }
  if (isRecord(value)) {
    const parts = Object.entries(value)
      .filter(([, one]) => one !== undefined)
      .map(([name, one]) => `${language.key(name)}: ${write(one, language, inner)}`);
    return enclosed(`{${language.space}`, `${language.space}}`, parts, indent);
  }
  if (value === null || typeof value === 'boolean') return language.word(value);
  return typeof value === 'string' ? language.text(value) : (JSON.stringify(value) ?? language.word(null));
}

/** @param open  and close: with the space that one line has beside them */
function enclosed(open: string, close: string, parts: readonly string[], indent: string): string {
  if (parts.length === 0) return `${open.trim()}${close.trim()}`;
  const line = `${open}${parts.join(', ')}${close}`;
  if (!line.includes('\n') && indent.length + line.length <= MAX_WIDTH) return line;
  return `${open.trim()}\n${parts.map((part) => `${indent}  ${part}`).join(',\n')}\n${indent}${close.trim()}`;
}
