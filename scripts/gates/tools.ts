// Gates that run a tool: tsc, Biome, dependency-cruiser, knip.

import { writeApiTypes } from './api-types.ts';
import { type Gate, type GateResult, runTool } from './gate.ts';
import type { UnusedReport } from './knip-reporter.ts';

/** All files, then browser rooms without Node's types and server rooms without those of the DOM. */
const TYPE_CONFIGURATIONS = ['tsconfig.json', 'tsconfig.browser.json', 'tsconfig.server.json'];

export const types: Gate = {
  name: 'types',
  async run(root) {
    await writeApiTypes(root);
    const checks = await Promise.all(TYPE_CONFIGURATIONS.map((configuration) => typeCheck(root, configuration)));
    const counts = checks.map(({ counted }) => counted);
    return {
      counted: counts.includes(0) ? 0 : counts.reduce((sum, counted) => sum + counted, 0),
      unit: `files of ${checks.length} configurations (${counts.join(', ')})`,
      faults: [...new Set(checks.flatMap(({ faults }) => faults))],
    };
  },
};

async function typeCheck(root: string, configuration: string): Promise<Omit<GateResult, 'unit'>> {
  const { code, stdout } = await runTool(root, 'tsc', ['--noEmit', '--listFiles', '-p', configuration]);
  const lines = stdout.split('\n');
  const own = lines.filter((line) => /^(\/|[A-Za-z]:).*\.(ts|tsx|json)$/.test(line) && !line.includes('node_modules'));
  const faults = lines.filter((line) => /error TS\d+/.test(line));
  return { counted: own.length, faults: reported(code, faults) };
}

interface LintResult {
  readonly summary: { readonly changed: number; readonly unchanged: number };
  readonly diagnostics: readonly {
    readonly category: string;
    readonly message: string;
    readonly location: { readonly path: string; readonly start: { readonly line: number } };
  }[];
}

export const lint: Gate = {
  name: 'lint and format',
  async run(root) {
    const { code, stdout, stderr } = await runTool(root, 'biome', [
      'check',
      '--reporter=json',
      '--max-diagnostics=none',
    ]);
    if (stdout === '') return toolFailure(`biome ended with ${code}: ${stderr.trim()}`);
    const { summary, diagnostics } = JSON.parse(stdout) as LintResult;
    const faults = diagnostics.map(
      ({ category, message, location: { path, start } }) => `${path}:${start.line} ${category}: ${message}`,
    );
    return { counted: summary.changed + summary.unchanged, unit: 'files', faults: reported(code, faults) };
  },
};

interface CruiseResult {
  readonly summary: {
    readonly totalCruised: number;
    readonly totalDependenciesCruised: number;
    readonly violations: readonly {
      readonly from: string;
      readonly to: string;
      readonly rule: { readonly name: string };
    }[];
  };
}

export const directions: Gate = {
  name: 'directions',
  async run(root) {
    const args = ['--config', '.dependency-cruiser.cjs', '--output-type', 'json', 'src'];
    const { code, stdout, stderr } = await runTool(root, 'depcruise', args);
    if (stdout === '') return toolFailure(`depcruise ended with ${code}: ${stderr.trim()}`);
    const { summary } = JSON.parse(stdout) as CruiseResult;
    const faults = summary.violations.map(({ from, to, rule }) => `${rule.name}: ${from} → ${to}`);
    const counted = summary.totalDependenciesCruised === 0 ? 0 : summary.totalCruised;
    return { counted, unit: `modules with ${summary.totalDependenciesCruised} imports`, faults };
  },
};

export const unused: Gate = {
  name: 'unused',
  async run(root) {
    const reporter = new URL('./knip-reporter.ts', import.meta.url).pathname;
    const { code, stdout, stderr } = await runTool(root, 'knip', ['--no-exit-code', '--reporter', reporter]);
    if (stdout === '') return toolFailure(`knip ended with ${code}: ${stderr.trim()}`);
    const { processed, unused: faults } = JSON.parse(stdout) as UnusedReport;
    return { counted: processed, unit: 'files', faults };
  },
};

const toolFailure = (fault: string): GateResult => ({ counted: 0, unit: 'files', faults: [fault] });

/** A tool may fail without a message. */
function reported(code: number | null, faults: readonly string[]): readonly string[] {
  return code === 0 || faults.length > 0 ? faults : [`the tool ended with ${code}`];
}
