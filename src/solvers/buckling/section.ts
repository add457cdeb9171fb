// Sections by their dimensions: area, and the second moment of area about the weak axis, about which a column buckles.

import { malformed, numberOf } from './entries.ts';

export interface Section {
  /** m² */
  readonly area: number;
  /** m⁴ */
  readonly inertia: number;
}

const EXPECTED = '"circle d", "tube d t", "rectangle b h" or "i h b tf tw", in m';
const MAX_SIZE = 1e3;

/** @throws DomainError VALIDATION_FAILED */
export function sectionOf(text: string): Section {
  const words = text.split(/[\s,;]+/).filter((word) => word !== '');
  const [name = '', ...rest] = words;
  const numbers = rest.map(numberOf);
  const [a = 0, b = 0, c = 0, d = 0] = numbers;
  const isSized = numbers.every((one) => one > 0 && one <= MAX_SIZE);
  if (isSized && name === 'circle' && numbers.length === 1)
    return { area: (Math.PI * a * a) / 4, inertia: (Math.PI * a * a * a * a) / 64 };
  if (isSized && name === 'tube' && numbers.length === 2 && 2 * b < a) {
    const inner = a - 2 * b;
    // Without cancellation for thin walls: a² − i² = (a − i)(a + i).
    const squares = 2 * b * (a + inner);
    return { area: (Math.PI * squares) / 4, inertia: (Math.PI * squares * (a * a + inner * inner)) / 64 };
  }
  if (isSized && name === 'rectangle' && numbers.length === 2) {
    const thin = Math.min(a, b);
    return { area: a * b, inertia: (Math.max(a, b) * thin * thin * thin) / 12 };
  }
  if (isSized && name === 'i' && numbers.length === 4 && 2 * c < a && d <= b) {
    const web = a - 2 * c;
    const weak = (2 * c * b * b * b + web * d * d * d) / 12;
    const strong = (b * a * a * a - (b - d) * web * web * web) / 12;
    return { area: 2 * b * c + web * d, inertia: Math.min(weak, strong) };
  }
  throw malformed('section', words, EXPECTED);
}
