// Equations of the solvers as MathML: what is not LaTeX stops the build, and nothing needs a style of temml's.

import { expect, test } from 'vitest';
import { latexNode } from '../../scripts/portal/docs/latex.ts';
import { toMarkup } from '../../src/portal/kit/math-node.ts';
import { SOLVERS } from '../../src/solvers/index.ts';

test('an equation becomes MathML without classes and styles', () => {
  const markup = toMarkup(latexNode(String.raw`\frac{\partial T}{\partial t} = \alpha \nabla^2 T`));
  expect(markup).toBe(
    '<p class="formula"><math display="block"><mrow><mfrac><mrow><mi>∂</mi><mi>T</mi></mrow><mrow><mi>∂</mi><mi>t</mi>' +
      '</mrow></mfrac><mo>=</mo><mi>α</mi><msup><mo form="prefix" stretchy="false">∇</mo><mn>2</mn></msup><mi>T</mi>' +
      '</mrow></math></p>',
  );
});

test.each([String.raw`\frac{1}`, String.raw`\unknown x`, 'x_', '{'])('%j is refused', (latex) => {
  expect(() => latexNode(latex)).toThrow();
});

test.each(SOLVERS.map((solver) => [solver.id, solver] as const))('the equations of %s', (_, { equations }) => {
  expect(equations.length).toBeGreaterThan(0);
  for (const latex of equations) {
    const markup = toMarkup(latexNode(latex));
    expect(markup).toMatch(/<m(o|i)\b/);
    expect(markup).not.toMatch(/ (style|class)="(?!formula)|\\|merror/);
  }
});
