// Draws the frames of a run while it computes: in place on a terminal, as sentences elsewhere.

import { LIMITS } from '../core/limits.ts';
import { visibleControls } from '../core/plain-text.ts';
import { frameSentence } from '../solvers/live-frame.ts';
import type { Drawing } from '../solvers/plot.ts';
import { plotLines } from './plot.ts';
import { columnsOf, printStatus, type Terminal } from './terminal.ts';

export interface LiveView {
  /** @param drawing  undefined if there is nothing to be seen */
  show(fraction: number, drawing: Drawing | undefined): void;
  /** Erases the picture. */
  clear(): void;
}

export function liveView(terminal: Terminal, nowMs: () => number = () => performance.now()): LiveView {
  return terminal.stderr.isTTY ? drawnView(terminal) : spokenView(terminal, nowMs);
}

function drawnView(terminal: Terminal): LiveView {
  let lines = 0;
  const clear = () => {
    if (lines > 0) terminal.stderr.write(`\u001b[${lines}A\u001b[0J`);
    lines = 0;
  };
  return {
    show(fraction, drawing) {
      const columns = columnsOf(terminal.stderr);
      const picture = drawing === undefined ? [] : plotLines(drawing.plot, drawing.arrays, columns);
      clear();
      // A line that wraps would be two to erase.
      const shown = [
        ...picture.map((line) => visibleControls(line).slice(0, columns)),
        `${Math.floor(100 * fraction)} %`,
      ];
      for (const line of shown) printStatus(terminal, line);
      lines = shown.length;
    },
    clear,
  };
}

function spokenView(terminal: Terminal, nowMs: () => number): LiveView {
  let last = Number.NEGATIVE_INFINITY;
  return {
    show(fraction, drawing) {
      const now = nowMs();
      if (now - last < LIMITS.live.messageMs) return;
      last = now;
      printStatus(terminal, frameSentence(fraction, drawing));
    },
    clear() {},
  };
}
