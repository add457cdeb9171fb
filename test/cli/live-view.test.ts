// Frames in the terminal: drawn in place, or said.

import { expect, test } from 'vitest';
import { liveView } from '../../src/cli/live-view.ts';
import type { Terminal } from '../../src/cli/terminal.ts';
import type { Drawing } from '../../src/solvers/plot.ts';

const DRAWING: Drawing = {
  plot: { kind: 'line', title: 'Temperature\u001b[2J', x: 'x', y: ['T'] },
  arrays: [
    { name: 'x', unit: 'm', shape: [3], data: Float64Array.of(0, 1, 2) },
    { name: 'T', unit: 'K', shape: [3], data: Float64Array.of(3, 5, 4) },
  ],
};

function terminalWith(isTTY: boolean): { readonly terminal: Terminal; readonly written: string[] } {
  const written: string[] = [];
  const stderr = { isTTY, write: (text: string) => written.push(text) } as unknown as NodeJS.WriteStream;
  return { terminal: { stdout: stderr, stderr, isColoured: { stdout: false, stderr: false } }, written };
}

test('on a terminal, each frame replaces the one before, and the last one is erased', () => {
  const { terminal, written } = terminalWith(true);
  const view = liveView(terminal);
  view.show(0.25, DRAWING);
  const lines = written.length;
  expect(lines).toBeGreaterThan(8);
  expect(written.at(-1)).toBe('25 %\n');
  view.show(0.5, DRAWING);
  expect(written[lines]).toBe(`\u001b[${lines}A\u001b[0J`);
  view.clear();
  expect(written.at(-1)).toBe(`\u001b[${lines}A\u001b[0J`);
  expect(written.join('')).not.toContain('Temperature\u001b');
});

test('elsewhere it says what is to be seen, at most twice a second', () => {
  const { terminal, written } = terminalWith(false);
  let ms = 0;
  const view = liveView(terminal, () => ms);
  for (let i = 0; i <= 100; i++) {
    view.show(i / 100, i < 50 ? undefined : DRAWING);
    ms += 20;
  }
  view.clear();
  expect(written).toEqual([
    '0 % done.\n',
    '25 % done.\n',
    ...[50, 75, 100].map((percent) => `${percent} % done. Temperature\\u{1b}[2J: T from 3 to 5 K.\n`),
  ]);
});
