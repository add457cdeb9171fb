// svc operators: finds, shows and lists the operators of this version, offline.

import type { Command } from 'commander';
import { LIMITS } from '../core/limits.ts';
import { parseOrThrow } from '../core/validation.ts';
import { FindInput, operatorList, operatorRecord, searchResults } from '../operations/compute/operators.ts';
import { accuracyText, describeInput } from '../operators/range.ts';
import type { OperatorSummary } from '../operators/summary.ts';
import type { CliContext } from './context.ts';
import { paint, print, printJson, printStatus, type Terminal } from './terminal.ts';

interface OutputOptions {
  readonly json?: boolean;
}

interface FindOptions extends OutputOptions {
  readonly domain?: string;
  readonly limit: string;
}

export function addOperatorCommands(operators: Command, { terminal }: CliContext): void {
  const { hits } = LIMITS.search;
  operators
    .command('find <term...>')
    .description('find operators by words, symbol, part of an equation, or id')
    .option('--domain <name>', 'only this domain: name, prefix or alias')
    .option('--limit <count>', `maximum results, at most ${hits.max}`, String(hits.default))
    .option('--json', 'print the response of GET /api/svc/operators/search')
    .action((term: string[], options: FindOptions) => runFind(terminal, term.join(' '), options));
  operators
    .command('show <id>')
    .description('print the complete definition of an operator: svc operators show QM5')
    .option('--json', 'print the response of GET /api/svc/operators/{id}')
    .action((id: string, options: OutputOptions) => runShow(terminal, id, options));
  operators
    .command('list [domain...]')
    .description('list the operators of a domain (default: list all domains)')
    .option('--json', 'print the response of GET /api/svc/operators')
    .action((domain: string[], options: OutputOptions) => runList(terminal, domain.join(' '), options));
}

function runFind(terminal: Terminal, term: string, { json, ...filter }: FindOptions): void {
  const result = searchResults(parseOrThrow(FindInput, { term, ...filter }));
  if (json) {
    printJson(terminal, { ok: true, ...result });
    return;
  }
  const { rows, count, total } = result;
  for (const [word, readings] of Object.entries(result.read_as ?? {}))
    printStatus(terminal, paint(terminal, 'dim', `searching for ${readings.join(', ')} instead of ${word}`));
  for (const row of rows) printSummary(terminal, row);
  if (total === 0) printStatus(terminal, `no operators found for ${term}; list the domains with svc operators list`);
  else if (count < total) printStatus(terminal, paint(terminal, 'dim', `${count} of ${total}; show more with --limit`));
}

function printSummary(terminal: Terminal, row: OperatorSummary): void {
  const { id, name, domain, equation, accepted, defaults = {}, output } = row;
  const defaultOf = (key: string) => (Object.hasOwn(defaults, key) ? `=${defaults[key]}` : '');
  const inputs = Object.entries(accepted).map(([key, unit]) => `${key}${defaultOf(key)} [${unit}]`);
  print(terminal, `${paint(terminal, 'bold', id)}  ${name}  ${paint(terminal, 'dim', domain)}`);
  print(terminal, `    ${equation}  [${output.unit}]`);
  print(terminal, `    inputs: ${inputs.join(', ')}`);
}

function runShow(terminal: Terminal, operatorId: string, { json }: OutputOptions): void {
  const operator = operatorRecord(operatorId.toUpperCase());
  if (json) {
    printJson(terminal, { ok: true, operator });
    return;
  }
  const {
    id,
    name,
    domain,
    tier,
    equation,
    where = {},
    output,
    inputs,
    constants,
    requires = [],
    validity,
    accuracy,
    source,
  } = operator;
  const printSection = (title: string, texts: readonly string[]) => {
    if (texts.length > 0) print(terminal, title);
    for (const text of texts) print(terminal, `  ${text}`);
  };
  print(terminal, `${paint(terminal, 'bold', id)}  ${name}  ${paint(terminal, 'dim', `${domain}, tier ${tier}`)}`);
  print(terminal, `  ${equation}`);
  for (const [symbol, text] of Object.entries(where)) print(terminal, `  where ${symbol} = ${text}`);
  printSection('output', [`${output.symbol} [${output.unit}]${output.description ? `  ${output.description}` : ''}`]);
  printSection(
    'inputs',
    Object.entries(inputs).map(([key, input]) => {
      const fallback = input.default === undefined ? '' : `, default ${input.default}`;
      return `${key}  ${input.description}: ${describeInput(input)}${fallback}`;
    }),
  );
  printSection(
    'constants',
    Object.entries(constants).map(
      ([key, { value, unit, note, uncertainty }]) =>
        `${key} = ${value}${uncertainty === undefined ? '' : ` ± ${uncertainty}`} [${unit}]  ${note}`,
    ),
  );
  printSection('requires', requires);
  printSection('validity', [validity]);
  if (accuracy !== undefined) printSection('accuracy', [accuracyText(accuracy, output.unit)]);
  printSection('source', [`${source.cite}, ${source.locator}${source.doi ? `, doi:${source.doi}` : ''}`]);
  printSection(
    'examples',
    operator.examples.map(({ inputs: example, expected }) => {
      const quantities = Object.entries(example).map(([key, value]) => `${key}=${value}`);
      return `svc compute ${operator.prefix} --operators ${id} ${quantities.join(' ')}   → ${expected} ${output.unit}`;
    }),
  );
  printSection(
    'published',
    (operator.published ?? []).map(({ inputs: given, value, tolerance, source: { cite, locator, url } }) => {
      const quantities = Object.entries(given).map(([key, number]) => `${key}=${number}`);
      return `${quantities.join(' ')}   → ${value} ± ${tolerance} ${output.unit}  ${cite}, ${locator}, ${url}`;
    }),
  );
}

function runList(terminal: Terminal, domain: string, { json }: OutputOptions): void {
  const result = operatorList(domain === '' ? {} : { domain });
  if (json) {
    printJson(terminal, { ok: true, ...result });
    return;
  }
  if ('prefix' in result) {
    const { name, prefix, description, operators, budget, complete } = result;
    const target = complete ? '' : ` of ${budget}`;
    print(terminal, `${paint(terminal, 'bold', name)} (${prefix}), ${operators}${target} operators: ${description}`);
    for (const { id, name: title, equation } of result.rows) print(terminal, `  ${id}  ${title}: ${equation}`);
    return;
  }
  for (const { prefix, name, operators, budget, complete } of result.rows)
    print(terminal, `${prefix.padEnd(12)} ${String(operators).padStart(3)}${complete ? '' : ` of ${budget}`}  ${name}`);
  printStatus(
    terminal,
    paint(terminal, 'dim', `${result.operators} of ${result.budget} operators in ${result.count} domains`),
  );
}
