// The operator checker for authors: prints every fault with its place and the way to fix it.
//
//   npm run check:operators [-- --domain QM[,CM]] [--complete QM[,CM]] [--quiet] [--root FOLDER]
//
// --domain reports on these domains only (duplicates are still searched in the whole registry), --complete requires
// that their budgets are met, --quiet omits warnings and open work, --root checks a copy of the project.

import { parseArgs } from 'node:util';
import { didYouMean } from '../src/core/nearest.ts';
import { compileKernel } from '../src/kernels/instance.ts';
import type { Finding } from '../src/operators/lint/diagnostic.ts';
import { lintRegistry } from '../src/operators/lint/lint.ts';
import { addCounts, NO_COUNTS, type OperatorCounts } from '../src/operators/lint/operator-checks.ts';
import { ROOT } from './compile-kernel.ts';
import { expressionKernel, readRegistry } from './gates/operators.ts';

const { values } = parseArgs({
  options: {
    domain: { type: 'string' },
    complete: { type: 'string' },
    quiet: { type: 'boolean', default: false },
    root: { type: 'string', default: ROOT },
  },
});
const listed = (text: string | undefined) => text?.split(',').map((prefix) => prefix.trim().toUpperCase());

const before = performance.now();
const registry = readRegistry(values.root, await compileKernel(await expressionKernel()));
const prefixes = registry.worklist.domains.map(({ prefix }) => prefix);
const asked = [...(listed(values.domain) ?? []), ...(listed(values.complete) ?? [])];
const unknown = asked.find((prefix) => !prefixes.includes(prefix));
if (unknown !== undefined) {
  console.error(
    `No domain has the prefix ${unknown}.${didYouMean(unknown, prefixes)} The prefixes are ${prefixes.join(', ')}.`,
  );
  process.exit(2);
}

const only = listed(values.domain);
const complete = listed(values.complete);
const { findings, domains } = lintRegistry(registry, { ...(only && { only }), ...(complete && { complete }) });

// Domains without operators are listed in one line.
const empty = new Set(domains.filter(({ operators }) => operators === 0).map(({ prefix }) => prefix));
const isShown = ({ prefix, severity }: Finding) =>
  severity === 'error' || (!values.quiet && !(severity === 'open' && empty.has(prefix) && only === undefined));
for (const [prefix, own] of Map.groupBy(findings.filter(isShown), (finding) => finding.prefix)) {
  console.log(prefix === 'all' ? 'all domains' : `src/operators/domains/${prefix}.json`);
  for (const finding of own) print(finding);
}
if (empty.size > 0) console.log(`no operators yet: ${[...empty].join(', ')}`);
for (const { prefix, budget, ...counts } of domains) {
  if (counts.operators > 0)
    console.log(`${prefix.padEnd(11)} ${counts.operators} of ${budget} operators, ${summary(counts)}`);
}
const total = domains.reduce(addCounts, NO_COUNTS);
const count = domains.reduce((sum, { operators }) => sum + operators, 0);
const number = (severity: Finding['severity']) => findings.filter((finding) => finding.severity === severity).length;
const seconds = ((performance.now() - before) / 1000).toFixed(1);
console.log(
  `${count} operators, ${summary(total)}: ${number('error')} errors, ${number('warning')} warnings, ${number('open')} open; ${seconds} s`,
);
process.exitCode = number('error') === 0 ? 0 : 1;

function print({ id, check, severity, text, fix }: Finding): void {
  console.log(`  ${severity.padEnd(7)} ${id === undefined ? '' : `${id} `}[${check}] ${text}`);
  console.log(`          ${fix}`);
}

function summary({
  examples,
  published,
  mutants,
  survived,
  mutantsOfPublished,
  killedByPublished,
}: OperatorCounts): string {
  const share = (part: number, of: number) => `${of === 0 ? '-' : ((100 * part) / of).toFixed(1)} %`;
  const printed =
    published === 0
      ? ''
      : `; ${published} published values kill ${share(killedByPublished, mutantsOfPublished)} of the ${mutantsOfPublished} of their laws`;
  return `${examples} examples, ${mutants} mutants (${share(mutants - survived, mutants)} killed)${printed}`;
}
