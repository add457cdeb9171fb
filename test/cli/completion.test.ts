// svc completion: its scripts in bash, zsh and fish, as far as they are installed, and colours by stream.

import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SOLVERS } from '../../src/solvers/index.ts';
import { PRESETS } from '../../src/solvers/presets.ts';
import { svc } from './run-svc.ts';

const folder = mkdtempSync(join(tmpdir(), 'svc-completion-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const SHELLS = ['bash', 'zsh', 'fish'] as const;
type Shell = (typeof SHELLS)[number];

function hasShell(shell: Shell): boolean {
  const isThere = spawnSync(shell, ['--version']).status === 0;
  if (!isThere) console.log(`${shell} is not installed; its completions are not tested`);
  return isThere;
}

/** Prints what a shell offers for the last of some words, a line each. */
const ASK: Readonly<Record<Shell, string>> = {
  bash: `source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _svc; printf '%s\\n' "\${COMPREPLY[@]}"`,
  // The editor calls the function only while it edits; its own commands say here what they would offer.
  zsh: `compdef() { }; functions[compdef]=$functions[compdef]; source "$1"; shift; words=("$@"); CURRENT=$#
compadd() { shift; local one; for one in "$@"; do [[ $one == $words[CURRENT]* ]] && print -r -- $one; done }
_files() { }; _svc`,
  fish: `source $argv[1]; complete -C (string join ' ' -- $argv[2..-1]) | string split -f 1 \\t`,
};

function offered(shell: Shell, words: readonly string[]): readonly string[] {
  const script = join(folder, shell);
  const flags = {
    bash: ['--norc', '-c', ASK.bash, 'bash'],
    zsh: ['-fc', ASK.zsh, 'zsh'],
    fish: ['--no-config', '-c', ASK.fish],
  };
  const { stdout, stderr } = spawnSync(shell, [...flags[shell], script, ...words], { cwd: folder, encoding: 'utf8' });
  expect(stderr).toBe('');
  return stdout.split('\n').filter(Boolean).sort();
}

describe.each(SHELLS)('completions of %s', (shell) => {
  beforeAll(async () => {
    const { code, stdout } = await svc(['completion', shell]);
    expect(code).toBe(0);
    writeFileSync(join(folder, shell), stdout);
  });

  test.skipIf(!hasShell(shell))('offer commands, solvers, options and choices', () => {
    expect(offered(shell, ['svc', 'so'])).toEqual(['solve']);
    expect(offered(shell, ['svc', 'solve', ''])).toEqual(expect.arrayContaining(SOLVERS.map(({ id }) => id)));
    expect(offered(shell, ['svc', 'solve', 'heat', '--met'])).toEqual(['--method']);
    expect(offered(shell, ['svc', 'solve', 'heat', '--method', ''])).toEqual(['explicit', 'implicit']);
    expect(offered(shell, ['svc', 'solve', 'heat', '--nx', '64', '--mode', 's'])).toEqual(['sine', 'step']);
    expect(offered(shell, ['svc', 'verify', '--jw'])).toEqual(['--jwks']);
    expect(offered(shell, ['svc', 'completion', 'f'])).toEqual(['fish']);
    expect(offered(shell, ['svc', 'run', 'heat/'])).toEqual(
      PRESETS.filter(({ solver }) => solver === 'heat')
        .map(({ name }) => name)
        .toSorted(),
    );
    expect(offered(shell, ['svc', 'run', 'heat/a-brick'])).toEqual(['heat/a-brick-wall-in-winter']);
    // A file stands there.
    expect(offered(shell, ['svc', 'verify', '--jwks', 'no-such'])).toEqual([]);
  });
});

test('another shell is refused with those that are known', async () => {
  const { code, stderr } = await svc(['completion', 'tcsh']);
  expect(code).toBe(2);
  expect(stderr).toContain('bash, zsh, fish');
});
