// Sources: a domain cites several works, none of them for most of its operators, and each locator is specific.
//
// Whether a locator is correct cannot be checked here; a reader with the work must.

import { groupBy } from '../../core/group-by.ts';
import type { OperatorRecord } from '../operator.ts';
import { type Diagnostic, error, open, warning } from './diagnostic.ts';

const MIN_WORKS = 5;
const MAX_SHARE = 0.4;
const DOI = /^10\.\d{4,9}\/\S+$/;

export function checkSource({ source }: OperatorRecord): Diagnostic[] {
  const { doi } = source;
  if (doi === undefined || DOI.test(doi)) return [];
  return [
    error(
      `the doi "${doi}" is not a DOI`,
      'A DOI begins with 10. and not with an address; leave it out if you cannot look it up.',
    ),
  ];
}

/** @param isComplete  otherwise too few works are reported as open */
export function checkWorks(records: readonly OperatorRecord[], isComplete: boolean): Diagnostic[] {
  const works = worksOf(records);
  const report = isComplete ? error : open;
  const diagnostics: Diagnostic[] = [];
  if (works.length < MIN_WORKS) {
    const text = `${works.length} different works are cited, at least ${MIN_WORKS} are expected`;
    diagnostics.push(report(text, 'Cite the work where each law is derived or was first stated.'));
  }
  const [largest] = [...works].sort((a, b) => b.length - a.length);
  if (largest !== undefined && largest.length > MAX_SHARE * records.length) {
    const share = Math.round((100 * largest.length) / records.length);
    const text = `"${largest[0]?.source.cite}" is cited by ${share} % of the operators, at most ${100 * MAX_SHARE} % are allowed`;
    diagnostics.push(report(text, 'Find other works for some of them.'));
  }
  return [...diagnostics, ...works.flatMap(repeatedLocators)];
}

function repeatedLocators(work: readonly OperatorRecord[]): Diagnostic[] {
  const byLocator = groupBy(work, ({ source }) => plain(source.locator));
  return [...byLocator.values()]
    .filter((same) => same.length > 1)
    .map((same) => {
      const ids = same.map(({ id }) => id).join(', ');
      return warning(`${ids} have one locator: ${same[0]?.source.locator}`, 'Name the section or topic of each law.');
    });
}

/**
 * Operators by the work they cite. A work is the first word and the last year of its citation, so that two spellings of
 * one book are one work; two different DOIs are two works.
 */
function worksOf(records: readonly OperatorRecord[]): OperatorRecord[][] {
  const byTitle = groupBy(records, ({ source }) => {
    const [author = ''] = plain(source.cite).split(' ');
    const year = source.cite.match(/\b(1[5-9]|20)\d\d\b/g)?.at(-1) ?? plain(source.cite);
    return `${author} ${year}`;
  });
  return [...byTitle.values()].flatMap((same) => {
    const [first] = [...new Set(same.flatMap(({ source }) => source.doi ?? []))];
    return [...groupBy(same, ({ source }) => source.doi ?? first).values()];
  });
}

const plain = (text: string) => (text.toLowerCase().match(/[a-z0-9]+/g) ?? []).join(' ');
