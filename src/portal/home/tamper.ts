// A forger's smallest change: one digit of a number.

/** The number with the last digit that can be changed changed by one, and where that digit stands in its text. */
export function withChangedDigit(value: number): { readonly value: number; readonly at: number } {
  const text = String(value);
  const end = /e/.exec(text)?.index ?? text.length;
  for (let at = end - 1; at >= 0; at--) {
    const digit = text.charCodeAt(at) - ZERO;
    if (!(digit >= 0 && digit <= 9)) continue;
    for (const other of [digit + 1, digit - 1].filter((one) => one >= 0 && one <= 9)) {
      const changed = `${text.slice(0, at)}${other}${text.slice(at + 1)}`;
      // Not every decimal is how a double is written: a last 0 is left out, and the nearest double may end otherwise.
      if (String(Number(changed)) === changed) return { value: Number(changed), at };
    }
  }
  return { value: value + 1, at: 0 };
}

const ZERO = 48;
