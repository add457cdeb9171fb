// A page with the pictures of the made-up solver, for a browser.

import { h, render } from 'preact';
import { Live, Picture } from '../../../src/portal/pictures/index.ts';
import '../../../src/portal/style/base.css';
import '../../../src/portal/style/controls.css';
import '../../../src/portal/style/solve.css';
import { watchTheme } from '../../../src/portal/theme.ts';
import type { Plot } from '../../../src/solvers/plot.ts';
import { ARRAYS, PLOTS } from './every-kind.ts';

/** A live frame as JSON. */
export interface PlainFrame {
  readonly plot: Plot;
  readonly arrays: readonly {
    readonly name: string;
    readonly unit: string;
    readonly shape: readonly number[];
    readonly data: readonly number[];
  }[];
  readonly fraction: number;
}

declare global {
  interface Window {
    showPlots: (plots?: readonly Plot[]) => void;
    showFrame: (frame: PlainFrame) => void;
  }
}

watchTheme();
const main = document.querySelector('main') as HTMLElement;
let shown = 0;
window.showPlots = (plots = PLOTS) => {
  shown++;
  render(h(Picture, { key: shown, solution: { plots, series: [], fields: ARRAYS } }), main);
};
window.showFrame = ({ plot, arrays, fraction }) => {
  const live = arrays.map((one) => ({ ...one, data: Float64Array.from(one.data) }));
  render(h(Live, { frame: { plot, arrays: live, fraction } }), main);
};
