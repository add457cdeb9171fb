// Accessibility of a page by axe-core, for the success criteria of WCAG 2.2 AA.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Page } from 'puppeteer-core';

const WCAG = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

export interface Accessibility {
  /** Rule and first element of each violation. */
  readonly violations: readonly string[];
  /** Number of rules that hold. */
  readonly passes: number;
}

export async function accessibilityOf(page: Page): Promise<Accessibility> {
  await page.evaluate(AXE);
  // Only the elements of violations are described; describing all others is most of the work.
  const options = JSON.stringify({ runOnly: WCAG, resultTypes: ['violations'] });
  const { violations, passes } = (await page.evaluate(`axe.run(document, ${options})`)) as AxeResults;
  return { violations: violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`), passes: passes.length };
}
