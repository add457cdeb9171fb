// Sources: a domain rests on several works, none of them carries most of it, and a locator points at one place.
//
// No check can tell a true locator from an invented one; that is for the reader with the book.

import type { OperatorRecord } from '../operator.ts';
import { type Complaint, error, open, warning } from './finding.ts';

const LEAST_WORKS = 5;
const LARGEST_SHARE = 0.4;
const DOI = /^10\.\d{4,9}\/\S+$/;

export function checkSource({ source }: OperatorRecord): Complaint[] {
  const { doi } = source;
  if (doi === undefined || DOI.test(doi)) return [];
  return [
    error(
      `the doi "${doi}" is none`,
      'A DOI begins with 10. and has no address before it; leave out what you cannot look up.',
    ),
  ];
}

/** @param isComplete  the number and the balance of works are judged when the domain has its budget */
export function checkWorks(records: readonly OperatorRecord[], isComplete: boolean): Complaint[] {
  const works = worksOf(records);
  const judge = isComplete ? error : open;
  const complaints: Complaint[] = [];
  if (works.length < LEAST_WORKS) {
    const text = `${works.length} different works are cited, at least ${LEAST_WORKS} are wanted`;
    complaints.push(judge(text, 'Cite the work where each law is derived or was first stated.'));
  }
  const [largest] = [...works].sort((a, b) => b.length - a.length);
  if (largest !== undefined && largest.length > LARGEST_SHARE * records.length) {
    const share = Math.round((100 * largest.length) / records.length);
    const text = `"${largest[0]?.source.cite}" is cited by ${share} % of the operators, at most ${100 * LARGEST_SHARE} % are allowed`;
    complaints.push(judge(text, 'Find other works for some of them.'));
  }
  return [...complaints, ...works.flatMap(repeatedLocators)];
}

function repeatedLocators(work: readonly OperatorRecord[]): Complaint[] {
  const byLocator = Map.groupBy(work, ({ source }) => plain(source.locator));
  return [...byLocator.values()]
    .filter((same) => same.length > 1)
    .map((same) => {
      const ids = same.map(({ id }) => id).join(', ');
      return warning(`${ids} point at one place: ${same[0]?.source.locator}`, 'Name the section or topic of each law.');
    });
}

/**
 * Operators by the work they cite. A work is the first word and the last year of its citation, so that two spellings of one
 * book are one work; two different DOIs are two works.
 */
function worksOf(records: readonly OperatorRecord[]): OperatorRecord[][] {
  const byTitle = Map.groupBy(records, ({ source }) => {
    const [author = ''] = plain(source.cite).split(' ');
    const year = source.cite.match(/\b(1[5-9]|20)\d\d\b/g)?.at(-1) ?? plain(source.cite);
    return `${author} ${year}`;
  });
  return [...byTitle.values()].flatMap((same) => {
    const [first] = [...new Set(same.flatMap(({ source }) => source.doi ?? []))];
    return [...Map.groupBy(same, ({ source }) => source.doi ?? first).values()];
  });
}

const plain = (text: string) => (text.toLowerCase().match(/[a-z0-9]+/g) ?? []).join(' ');
