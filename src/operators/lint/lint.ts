// The operator checker: applies every rule to every file of the registry. Each other file of this folder is one rule.

import type { KernelModule } from '../../kernels/instance.ts';
import type { OperatorFile, OperatorRecord } from '../operator.ts';
import type { Worklist, WorklistDomain } from '../worklist.ts';
import { checkAccuracy } from './accuracy.ts';
import { checkAscii } from './ascii.ts';
import { checkBudget, checkListed } from './closed-list.ts';
import { type Diagnostic, error, type Finding } from './diagnostic.ts';
import { checkDuplicates } from './duplicates.ts';
import { Evaluator } from './evaluator.ts';
import { checkSurvivedShare } from './example-strength.ts';
import { checkNames } from './names.ts';
import { addCounts, checkOperator, NO_COUNTS, type OperatorCounts } from './operator-checks.ts';
import { parseOperator } from './parsed-operator.ts';
import { checkAssembly, type PreparedOperator, prepareOperator } from './prepared-operator.ts';
import { checkKeyOrder, checkSchema, type Validate } from './schema.ts';
import { checkSource, checkWorks } from './sources.ts';
import { checkMissing, statedIds } from './stated-laws.ts';
import { checkSymbols } from './symbols.ts';
import { checkTiers } from './tiers.ts';

export interface Registry {
  /** Text of each domain file by its prefix. */
  readonly files: ReadonlyMap<string, string>;
  readonly worklist: Worklist;
  /** Validator of a file, and the order of the keys of an operator. */
  readonly schema: { readonly validate: Validate; readonly keys: readonly string[] };
  /** The compiled expression kernel. */
  readonly kernel: KernelModule;
}

export interface LintOptions {
  /**
   * Prefixes of the domains to report on, all by default. Duplicates are searched in the whole registry in any case.
   */
  readonly only?: readonly string[];
  /** Prefixes that must be complete in addition to those of the worklist. */
  readonly complete?: readonly string[];
}

export interface Report {
  readonly findings: readonly Finding[];
  readonly domains: readonly DomainReport[];
}

export interface DomainReport extends Counts {
  readonly prefix: string;
  readonly budget: number;
}

export interface Counts extends OperatorCounts {
  readonly operators: number;
}

export function lintRegistry(registry: Registry, options: LintOptions = {}): Report {
  return new Lint(registry, options).run();
}

interface ReadFile {
  readonly prefix: string;
  readonly domain: WorklistDomain;
  /** The operators that follow the schema. */
  readonly records: readonly OperatorRecord[];
  /** Number of operators in the file. */
  readonly count: number;
}

class Lint {
  readonly #registry: Registry;
  readonly #options: LintOptions;
  readonly #evaluator: Evaluator;
  readonly #findings: Finding[] = [];
  readonly #domains: DomainReport[] = [];
  readonly #operators: PreparedOperator[] = [];

  constructor(registry: Registry, options: LintOptions) {
    this.#registry = registry;
    this.#options = options;
    this.#evaluator = new Evaluator(registry.kernel);
  }

  run(): Report {
    const files = this.#readAll();
    const seen = new Set<string>();
    for (const file of files) this.#checkFile(file, seen);
    this.#checkRegistry(files);
    const total = (key: keyof Counts) => this.#domains.reduce((sum, domain) => sum + domain[key], 0);
    this.#report({ prefix: 'all', check: 'example strength' }, checkSurvivedShare(total('mutants'), total('survived')));
    return { findings: this.#findings, domains: this.#domains };
  }

  #isSelected(prefix: string): boolean {
    return this.#options.only === undefined || this.#options.only.includes(prefix);
  }

  #report(place: Pick<Finding, 'prefix' | 'id' | 'check'>, diagnostics: readonly Diagnostic[]): void {
    for (const diagnostic of diagnostics) this.#findings.push({ ...place, ...diagnostic });
  }

  /** The files that are JSON and belong to a domain of the worklist, in its order. */
  #readAll(): ReadFile[] {
    const { files, worklist } = this.#registry;
    const known = new Set(worklist.domains.map(({ prefix }) => prefix));
    for (const prefix of files.keys()) {
      if (known.has(prefix)) continue;
      const fix = 'Name the file by the prefix of a domain of src/operators/worklist.json.';
      this.#report({ prefix, check: 'closed list' }, [error(`${prefix} is not the prefix of a domain`, fix)]);
    }
    return worklist.domains.flatMap((domain) => {
      const text = files.get(domain.prefix) ?? `{"prefix": "${domain.prefix}", "operators": []}`;
      return this.#readFile(domain, text);
    });
  }

  #readFile(domain: WorklistDomain, text: string): ReadFile[] {
    const { prefix } = domain;
    const isSelected = this.#isSelected(prefix);
    if (isSelected) this.#report({ prefix, check: 'ascii' }, checkAscii(text));
    let file: unknown;
    try {
      file = JSON.parse(text);
    } catch (fault) {
      const diagnostic = error(`the file is not JSON: ${String(fault)}`, 'biome check shows the position.');
      if (isSelected) this.#report({ prefix, check: 'schema' }, [diagnostic]);
      return [];
    }
    const faults = checkSchema(file, this.#registry.schema.validate);
    const isList = faults.every(({ operator }) => operator !== undefined);
    const records = isList ? (file as OperatorFile).operators : [];
    for (const { operator, diagnostic } of isSelected ? faults : []) {
      const id = operator === undefined ? undefined : (records[operator]?.id ?? `operator ${operator + 1}`);
      this.#report({ prefix, ...(id === undefined ? {} : { id }), check: 'schema' }, [diagnostic]);
    }
    if (isList && isSelected && (file as OperatorFile).prefix !== prefix) {
      const diagnostic = error(
        `the prefix is "${(file as OperatorFile).prefix}"`,
        `Write "${prefix}", the name of the file.`,
      );
      this.#report({ prefix, check: 'schema' }, [diagnostic]);
    }
    const faulty = new Set(faults.map(({ operator }) => operator));
    return [{ prefix, domain, records: records.filter((_, i) => !faulty.has(i)), count: records.length }];
  }

  #checkFile({ prefix, domain, records, count }: ReadFile, seen: Set<string>): void {
    const isSelected = this.#isSelected(prefix);
    let counts = NO_COUNTS;
    for (const record of records) {
      if (isSelected) this.#checkRecord(record, domain, seen);
      seen.add(record.id);
      const prepared = this.#prepare(record, prefix, isSelected);
      if (prepared === undefined) continue;
      this.#operators.push(prepared);
      if (!isSelected) continue;
      const { counts: own, diagnostics } = checkOperator(prepared, this.#evaluator);
      counts = addCounts(counts, own);
      for (const [check, found] of diagnostics) this.#report({ prefix, id: record.id, check }, found);
    }
    if (!isSelected) return;
    this.#domains.push({ ...counts, prefix, budget: domain.budget, operators: count });
    const mustBeComplete = [...this.#registry.worklist.complete, ...(this.#options.complete ?? [])].includes(prefix);
    const isComplete = count >= domain.budget;
    this.#report({ prefix, check: 'closed list' }, checkBudget(records, count, domain, mustBeComplete));
    const missing = statedIds(Object.keys(domain.laws)).filter((id) => records.every((record) => record.id !== id));
    this.#report({ prefix, check: 'stated law' }, checkMissing(missing, isComplete || mustBeComplete));
    if (records.length === 0) return;
    this.#report({ prefix, check: 'sources' }, checkWorks(records, isComplete || mustBeComplete));
    if (isComplete) this.#report({ prefix, check: 'tiers' }, checkTiers(records));
  }

  #checkRecord(record: OperatorRecord, domain: WorklistDomain, seen: ReadonlySet<string>): void {
    const { prefix } = domain;
    const { id } = record;
    this.#report({ prefix, id, check: 'closed list' }, checkListed(record, domain, seen));
    this.#report({ prefix, id, check: 'schema' }, checkKeyOrder(record, this.#registry.schema.keys));
    this.#report({ prefix, id, check: 'sources' }, checkSource(record));
    this.#report({ prefix, id, check: 'accuracy' }, checkAccuracy(record));
  }

  /** @returns undefined if the operator does not parse, or its symbols or units are wrong */
  #prepare(record: OperatorRecord, prefix: string, isSelected: boolean): PreparedOperator | undefined {
    const { id } = record;
    const report = (check: string, diagnostics: readonly Diagnostic[]) => {
      if (isSelected) this.#report({ prefix, id, check }, diagnostics);
    };
    const parsed = parseOperator({ ...record, prefix });
    if (!('equation' in parsed)) {
      report('parse', parsed);
      return undefined;
    }
    const faults = checkSymbols(parsed);
    report('symbols', faults);
    if (faults.length > 0) return undefined;
    const unassembled = checkAssembly(parsed);
    report('parse', unassembled);
    if (unassembled.length > 0) return undefined;
    const prepared = prepareOperator(parsed);
    if ('program' in prepared) return prepared;
    report('units', prepared);
    return undefined;
  }

  #checkRegistry(files: readonly ReadFile[]): void {
    const prefixOf = new Map(files.flatMap(({ prefix, records }) => records.map(({ id }) => [id, prefix])));
    for (const [id, diagnostics] of checkNames(files.flatMap(({ records }) => records))) {
      const prefix = prefixOf.get(id) ?? '';
      if (this.#isSelected(prefix)) this.#report({ prefix, id, check: 'names' }, diagnostics);
    }
    for (const { prepared, base, check, diagnostic } of checkDuplicates(
      this.#operators,
      this.#registry.worklist,
      this.#evaluator,
    )) {
      // A fault of a pair is reported for the later operator, unless only the domain of the other is selected.
      const reported = !this.#isSelected(prepared.operator.prefix) && base !== undefined ? base : prepared;
      const { prefix, id } = reported.operator;
      const text =
        reported === prepared
          ? diagnostic.text
          : `${prepared.operator.id} of ${prepared.operator.prefix} ${diagnostic.text}`;
      if (this.#isSelected(prefix)) this.#report({ prefix, id, check }, [{ ...diagnostic, text }]);
    }
  }
}
