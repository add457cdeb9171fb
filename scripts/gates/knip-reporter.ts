// Knip's findings as a JSON object with the number of files, which its own JSON reporter leaves out.

import type { ReporterOptions } from 'knip';

export interface UnusedReport {
  readonly processed: number;
  readonly unused: readonly string[];
}

export default function report({ issues, counters }: ReporterOptions): void {
  const unused = Object.entries(issues).flatMap(([kind, byFile]) =>
    Object.entries(byFile).flatMap(([file, bySymbol]) =>
      Object.keys(bySymbol).map((name) => `${kind}: ${file}: ${name}`),
    ),
  );
  const answer: UnusedReport = { processed: counters.processed, unused };
  process.stdout.write(JSON.stringify(answer));
}
