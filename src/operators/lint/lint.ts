// The operator checker: every rule of the registry over every file. Rules are the other files of this room, one each.

import type { KernelModule } from '../../kernels/instance.ts';
import type { OperatorFile, OperatorRecord } from '../operator.ts';
import { checkAscii } from './ascii.ts';
import { checkBudget, checkListed } from './closed-list.ts';
import { Evaluator } from './evaluator.ts';
import { type Complaint, error, type Finding } from './finding.ts';
import { checkLikeness } from './likeness.ts';
import { checkNames } from './names.ts';
import { checkKeyOrder, checkSchema, type Validate } from './schema.ts';
import { checkSource, checkWorks } from './sources.ts';
import { checkMissing, statedIds } from './stated-laws.ts';
import { judgeShare } from './strength.ts';
import { parseOperator } from './subject.ts';
import { checkSymbols } from './symbols.ts';
import { checkTiers } from './tiers.ts';
import { checkAssembly, prepareTrial, type Trial } from './trial.ts';
import { checkTrial } from './trial-checks.ts';
import type { Worklist, WorklistDomain } from './worklist.ts';

export interface Registry {
  /** Text of each domain file by its prefix. */
  readonly files: ReadonlyMap<string, string>;
  readonly worklist: Worklist;
  /** Of a whole file, and the order of an operator's keys. */
  readonly schema: { readonly validate: Validate; readonly keys: readonly string[] };
  /** The compiled expression kernel. */
  readonly kernel: KernelModule;
}

export interface LintOptions {
  /** Prefixes of the domains to report on; all unless given. Comparisons are with the whole registry in any case. */
  readonly only?: readonly string[];
  /** Prefixes that must be complete, beside those that the worklist names. */
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

export interface Counts {
  operators: number;
  examples: number;
  mutants: number;
  alive: number;
}

export function lintRegistry(registry: Registry, options: LintOptions = {}): Report {
  return new Lint(registry, options).run();
}

interface ReadFile {
  readonly prefix: string;
  readonly domain: WorklistDomain;
  /** Those that follow the schema. */
  readonly records: readonly OperatorRecord[];
  /** How many stand in the file. */
  readonly count: number;
}

class Lint {
  readonly #registry: Registry;
  readonly #options: LintOptions;
  readonly #evaluator: Evaluator;
  readonly #findings: Finding[] = [];
  readonly #domains: DomainReport[] = [];
  readonly #trials: Trial[] = [];

  constructor(registry: Registry, options: LintOptions) {
    this.#registry = registry;
    this.#options = options;
    this.#evaluator = new Evaluator(registry.kernel);
  }

  run(): Report {
    const files = this.#readAll();
    const seen = new Set<string>();
    for (const file of files) this.#checkFile(file, seen);
    this.#compare(files);
    const total = (key: keyof Counts) => this.#domains.reduce((sum, domain) => sum + domain[key], 0);
    this.#say({ prefix: 'all', check: 'example strength' }, judgeShare(total('mutants'), total('alive')));
    return { findings: this.#findings, domains: this.#domains };
  }

  #isAsked(prefix: string): boolean {
    return this.#options.only === undefined || this.#options.only.includes(prefix);
  }

  #say(place: Pick<Finding, 'prefix' | 'id' | 'check'>, complaints: readonly Complaint[]): void {
    for (const complaint of complaints) this.#findings.push({ ...place, ...complaint });
  }

  /** The files that are JSON and belong to a domain of the worklist, in its order. */
  #readAll(): ReadFile[] {
    const { files, worklist } = this.#registry;
    const known = new Set(worklist.domains.map(({ prefix }) => prefix));
    for (const prefix of files.keys()) {
      if (known.has(prefix)) continue;
      const mend = 'A file is named by the prefix of a domain of src/operators/worklist.json.';
      this.#say({ prefix, check: 'closed list' }, [error(`${prefix} is no prefix of a domain`, mend)]);
    }
    return worklist.domains.flatMap((domain) => {
      const text = files.get(domain.prefix) ?? `{"prefix": "${domain.prefix}", "operators": []}`;
      return this.#readFile(domain, text);
    });
  }

  #readFile(domain: WorklistDomain, text: string): ReadFile[] {
    const { prefix } = domain;
    const isAsked = this.#isAsked(prefix);
    if (isAsked) this.#say({ prefix, check: 'ascii' }, checkAscii(text));
    let file: unknown;
    try {
      file = JSON.parse(text);
    } catch (fault) {
      const complaint = error(`the file is no JSON: ${String(fault)}`, 'biome check names the place.');
      if (isAsked) this.#say({ prefix, check: 'schema' }, [complaint]);
      return [];
    }
    const faults = checkSchema(file, this.#registry.schema.validate);
    const isList = faults.every(({ operator }) => operator !== undefined);
    const records = isList ? (file as OperatorFile).operators : [];
    for (const { operator, complaint } of isAsked ? faults : []) {
      const id = operator === undefined ? undefined : (records[operator]?.id ?? `operator ${operator + 1}`);
      this.#say({ prefix, ...(id === undefined ? {} : { id }), check: 'schema' }, [complaint]);
    }
    if (isList && isAsked && (file as OperatorFile).prefix !== prefix) {
      const complaint = error(`the prefix is "${(file as OperatorFile).prefix}"`, `The file is named ${prefix}.json.`);
      this.#say({ prefix, check: 'schema' }, [complaint]);
    }
    const faulty = new Set(faults.map(({ operator }) => operator));
    return [{ prefix, domain, records: records.filter((_, i) => !faulty.has(i)), count: records.length }];
  }

  #checkFile({ prefix, domain, records, count }: ReadFile, seen: Set<string>): void {
    const isAsked = this.#isAsked(prefix);
    const report = { prefix, budget: domain.budget, operators: count, examples: 0, mutants: 0, alive: 0 };
    for (const record of records) {
      if (isAsked) this.#checkRecord(record, domain, seen);
      seen.add(record.id);
      const trial = this.#prepare(record, prefix, isAsked);
      if (trial === undefined) continue;
      this.#trials.push(trial);
      if (!isAsked) continue;
      const { examples, mutants, alive, complaints } = checkTrial(trial, this.#evaluator);
      report.examples += examples;
      report.mutants += mutants;
      report.alive += alive;
      for (const [check, own] of complaints) this.#say({ prefix, id: record.id, check }, own);
    }
    if (!isAsked) return;
    this.#domains.push(report);
    const mustBeComplete = [...this.#registry.worklist.complete, ...(this.#options.complete ?? [])].includes(prefix);
    const isComplete = count >= domain.budget;
    this.#say({ prefix, check: 'closed list' }, checkBudget(records, count, domain, mustBeComplete));
    const missing = statedIds(Object.keys(domain.laws)).filter((id) => records.every((record) => record.id !== id));
    this.#say({ prefix, check: 'stated law' }, checkMissing(missing, isComplete || mustBeComplete));
    if (records.length === 0) return;
    this.#say({ prefix, check: 'sources' }, checkWorks(records, isComplete || mustBeComplete));
    if (isComplete) this.#say({ prefix, check: 'tiers' }, checkTiers(records));
  }

  #checkRecord(record: OperatorRecord, domain: WorklistDomain, seen: ReadonlySet<string>): void {
    const { prefix } = domain;
    const { id } = record;
    this.#say({ prefix, id, check: 'closed list' }, checkListed(record, domain, seen));
    this.#say({ prefix, id, check: 'schema' }, checkKeyOrder(record, this.#registry.schema.keys));
    this.#say({ prefix, id, check: 'sources' }, checkSource(record));
  }

  /** Ready to be evaluated; undefined if text, symbols or units forbid it. */
  #prepare(record: OperatorRecord, prefix: string, isAsked: boolean): Trial | undefined {
    const { id } = record;
    const say = (check: string, complaints: readonly Complaint[]) => {
      if (isAsked) this.#say({ prefix, id, check }, complaints);
    };
    const subject = parseOperator({ ...record, prefix });
    if (!('equation' in subject)) {
      say('parse', subject);
      return undefined;
    }
    const faults = checkSymbols(subject);
    say('symbols', faults);
    if (faults.length > 0) return undefined;
    const unfit = checkAssembly(subject);
    say('parse', unfit);
    if (unfit.length > 0) return undefined;
    const trial = prepareTrial(subject);
    if ('program' in trial) return trial;
    say('units', trial);
    return undefined;
  }

  #compare(files: readonly ReadFile[]): void {
    const prefixOf = new Map(files.flatMap(({ prefix, records }) => records.map(({ id }) => [id, prefix])));
    for (const [id, complaints] of checkNames(files.flatMap(({ records }) => records))) {
      const prefix = prefixOf.get(id) ?? '';
      if (this.#isAsked(prefix)) this.#say({ prefix, id, check: 'names' }, complaints);
    }
    for (const { trial, base, check, complaint } of checkLikeness(
      this.#trials,
      this.#registry.worklist,
      this.#evaluator,
    )) {
      // What is wrong between two operators is said of the later one, unless only the other was asked for.
      const told = !this.#isAsked(trial.operator.prefix) && base !== undefined ? base : trial;
      const { prefix, id } = told.operator;
      const text =
        told === trial ? complaint.text : `${trial.operator.id} of ${trial.operator.prefix} ${complaint.text}`;
      if (this.#isAsked(prefix)) this.#say({ prefix, id, check }, [{ ...complaint, text }]);
    }
  }
}
