// The equations that a solver solves, as mathematics.

import { h } from 'preact';
import '../style/formula.css';
import { type MathNode, toView } from './math-node.ts';
import { ScrollRegion } from './scroll-region.ts';

export function ModelEquations({ equations }: { readonly equations: readonly MathNode[] }) {
  return h(ScrollRegion, { label: 'Equations', class: 'formula-frame model-equations' }, equations.map(toView));
}
