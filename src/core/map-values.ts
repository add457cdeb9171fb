// A record with the same names and other values. Undefined values are left out.

export function mapValues<From, To>(
  record: Readonly<Partial<Record<string, From>>>,
  change: (value: From, name: string) => To,
): Record<string, To> {
  const mapped: Record<string, To> = {};
  for (const name of Object.keys(record)) {
    const value = record[name];
    if (value !== undefined) mapped[name] = change(value, name);
  }
  return mapped;
}
