// Commands and examples of the README, as a reader copies them.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../../../scripts/compile-kernel.ts';

export const README = readFileSync(join(ROOT, 'README.md'), 'utf8');

export interface Command {
  readonly line: string;
  /** Start of its output, written after `# →`. */
  readonly prints: string | undefined;
}

/** The code blocks of a language; '' is a shell. */
function blocks(markdown: string, language: string): string[] {
  const all = markdown.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm);
  return [...all].flatMap(([, name, block = '']) => (name === language ? [block] : []));
}

/** The commands of the shell blocks, in order. */
export function shellCommands(markdown: string): Command[] {
  const lines = blocks(markdown, '').flatMap((block) => block.split('\n'));
  return lines.filter((line) => line.trim() !== '').map(parseCommand);
}

/** The commands that list items start with, as `- \`command\` explanation`. */
export function listedCommands(markdown: string): Command[] {
  return [...markdown.matchAll(/^- `((?:curl|svc) [^`]+)`/gm)].map(([, line = '']) => parseCommand(line));
}

function parseCommand(text: string): Command {
  const [line = '', comment = ''] = text.split(/\s+# /);
  return { line, prints: comment.startsWith('→ ') ? comment.slice('→ '.length) : undefined };
}

/** The first JavaScript example. */
export function firstExample(): string {
  const [code] = blocks(README, 'js');
  if (code === undefined) throw new Error('README.md has no example of the library.');
  return code;
}

export interface DesktopServer {
  readonly command: string;
  readonly args: readonly string[];
}

/** What the README tells a desktop client to start, with `<this folder>` replaced. */
export function desktopServer(folder: string): DesktopServer {
  const [, json] = /^Claude Desktop: `(.+)`$/m.exec(README) ?? [];
  if (json === undefined) throw new Error('README.md has no line for Claude Desktop.');
  const configuration = JSON.parse(json.replaceAll('<this folder>', folder)) as { mcpServers: { svc: DesktopServer } };
  return configuration.mcpServers.svc;
}
