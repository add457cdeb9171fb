// A digit that differs from the given one, for tests that damage random hexadecimal text: a fixed digit would leave one
// text in sixteen as it is.
export const otherDigit = (digit: string): string => (digit === '0' ? '1' : '0');
