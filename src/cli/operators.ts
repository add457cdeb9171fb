// svc operators find TERM, show ID, list [DOMAIN]: the registry of this version, offline.

import type { Command } from 'commander';
import { LIMITS } from '../core/limits.ts';
import { parseOrRefuse } from '../core/validation.ts';
import { FindInput, operatorList, operatorRecord, operatorsFound } from '../operations/compute/operators.ts';
import { describeInput } from '../operators/range.ts';
import type { OperatorSummary } from '../operators/summary.ts';
import type { CliContext } from './context.ts';
import { paint, print, printJson, say, type Terminal } from './terminal.ts';

interface Format {
  readonly json?: boolean;
}

export function operatorsCommands(operators: Command, { terminal }: CliContext): void {
  const { hits } = LIMITS.search;
  operators
    .command('find <term...>')
    .description('find operators by words, symbol, part of an equation, or id')
    .option('--limit <count>', `at most so many, up to ${hits.max}`, String(hits.default))
    .option('--json', 'print what GET /api/svc/operators/search answers')
    .action((term: string[], options: Format & { readonly limit: string }) =>
      runFind(terminal, term.join(' '), options),
    );
  operators
    .command('show <id>')
    .description('print all that stands of an operator: svc operators show QM5')
    .option('--json', 'print what GET /api/svc/operators/{id} answers')
    .action((id: string, options: Format) => runShow(terminal, id, options));
  operators
    .command('list [domain...]')
    .description('list the operators of a domain; without one, all domains')
    .option('--json', 'print what GET /api/svc/operators answers')
    .action((domain: string[], options: Format) => runList(terminal, domain.join(' '), options));
}

function runFind(terminal: Terminal, term: string, { json, limit }: Format & { readonly limit: string }): void {
  const answer = operatorsFound(parseOrRefuse(FindInput, { term, limit }));
  if (json) {
    printJson(terminal, answer);
    return;
  }
  const { rows, count, total } = answer;
  for (const [word, readings] of Object.entries(answer.read_as ?? {}))
    say(terminal, paint(terminal, 'dim', `${word} is read as ${readings.join(', ')}`));
  for (const row of rows) printSummary(terminal, row);
  if (total === 0) say(terminal, `nothing is said of ${term} in any operator; svc operators list shows the domains`);
  else if (count < total) say(terminal, paint(terminal, 'dim', `${count} of ${total}; --limit shows more`));
}

function printSummary(terminal: Terminal, row: OperatorSummary): void {
  const { id, name, domain, equation, accepted, defaults = {}, output } = row;
  const standard = (key: string) => (Object.hasOwn(defaults, key) ? `=${defaults[key]}` : '');
  const keys = Object.entries(accepted).map(([key, unit]) => `${key}${standard(key)} [${unit}]`);
  print(terminal, `${paint(terminal, 'bold', id)}  ${name}  ${paint(terminal, 'dim', domain)}`);
  print(terminal, `    ${equation}  [${output.unit}]`);
  print(terminal, `    takes ${keys.join(', ')}`);
}

function runShow(terminal: Terminal, given: string, { json }: Format): void {
  const operator = operatorRecord(given.toUpperCase());
  if (json) {
    printJson(terminal, { ok: true, operator });
    return;
  }
  const { id, name, domain, tier, equation, where = {}, output, inputs, constants, validity, source } = operator;
  const lines = (title: string, texts: readonly string[]) => {
    if (texts.length > 0) print(terminal, `${title}\n${texts.map((text) => `  ${text}`).join('\n')}`);
  };
  print(terminal, `${paint(terminal, 'bold', id)}  ${name}  ${paint(terminal, 'dim', `${domain}, tier ${tier}`)}`);
  print(terminal, `  ${equation}`);
  for (const [symbol, text] of Object.entries(where)) print(terminal, `  where ${symbol} = ${text}`);
  lines('gives', [`${output.symbol} [${output.unit}]${output.description ? `  ${output.description}` : ''}`]);
  lines(
    'takes',
    Object.entries(inputs).map(([key, input]) => {
      const standard = input.default === undefined ? '' : `, ${input.default} if left out`;
      return `${key}  ${input.description}: ${describeInput(input)}${standard}`;
    }),
  );
  lines(
    'constants',
    Object.entries(constants).map(([key, { value, unit, note }]) => `${key} = ${value} [${unit}]  ${note}`),
  );
  lines('holds for', [validity]);
  lines('source', [`${source.cite}, ${source.locator}${source.doi ? `, doi:${source.doi}` : ''}`]);
  lines(
    'examples',
    operator.examples.map(({ inputs: given, expected }) => {
      const quantities = Object.entries(given).map(([key, value]) => `${key}=${value}`);
      return `svc compute ${operator.prefix} --operators ${id} ${quantities.join(' ')}   gives ${expected} ${output.unit}`;
    }),
  );
}

function runList(terminal: Terminal, domain: string, { json }: Format): void {
  const answer = operatorList(domain === '' ? {} : { domain });
  if (json) {
    printJson(terminal, answer);
    return;
  }
  if ('prefix' in answer) {
    const { name, prefix, description, operators, budget, complete } = answer;
    const open = complete ? '' : ` of ${budget}`;
    print(terminal, `${paint(terminal, 'bold', name)} (${prefix}), ${operators}${open} operators: ${description}`);
    for (const { id, name: title, equation } of answer.rows) print(terminal, `  ${id}  ${title}: ${equation}`);
    return;
  }
  for (const { prefix, name, operators, budget, complete } of answer.rows)
    print(terminal, `${prefix.padEnd(12)} ${String(operators).padStart(3)}${complete ? '' : ` of ${budget}`}  ${name}`);
  say(terminal, paint(terminal, 'dim', `${answer.operators} of ${answer.budget} operators in ${answer.count} domains`));
}
