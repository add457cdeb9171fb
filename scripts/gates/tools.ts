// Gates that are tools of others: the compiler, the linter, the cruiser of imports, the finder of unused things.

import { type Finding, type Gate, runTool } from './gate.ts';
import type { UnusedReport } from './knip-reporter.ts';

export const types: Gate = {
  name: 'types',
  async look(root) {
    const { code, stdout } = await runTool(root, 'tsc', ['--noEmit', '--listFiles', '-p', 'tsconfig.json']);
    const lines = stdout.split('\n');
    const own = lines.filter(
      (line) => /^(\/|[A-Za-z]:).*\.(ts|tsx|json)$/.test(line) && !line.includes('node_modules'),
    );
    return {
      counted: own.length,
      of: 'files',
      faults: reported(
        code,
        lines.filter((line) => /error TS\d+/.test(line)),
      ),
    };
  },
};

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
  async look(root) {
    const { code, stdout, stderr } = await runTool(root, 'biome', [
      'check',
      '--reporter=json',
      '--max-diagnostics=none',
    ]);
    if (stdout === '') return broken(`biome ended with ${code}: ${stderr.trim()}`);
    const { summary, diagnostics } = JSON.parse(stdout) as LintResult;
    const faults = diagnostics.map(
      ({ category, message, location: { path, start } }) => `${path}:${start.line} ${category}: ${message}`,
    );
    return { counted: summary.changed + summary.unchanged, of: 'files', faults: reported(code, faults) };
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
  async look(root) {
    const args = ['--config', '.dependency-cruiser.cjs', '--output-type', 'json', 'src'];
    const { code, stdout, stderr } = await runTool(root, 'depcruise', args);
    if (stdout === '') return broken(`depcruise ended with ${code}: ${stderr.trim()}`);
    const { summary } = JSON.parse(stdout) as CruiseResult;
    const faults = summary.violations.map(({ from, to, rule }) => `${rule.name}: ${from} → ${to}`);
    const counted = summary.totalDependenciesCruised === 0 ? 0 : summary.totalCruised;
    return { counted, of: `modules with ${summary.totalDependenciesCruised} imports`, faults };
  },
};

export const unused: Gate = {
  name: 'unused',
  async look(root) {
    const reporter = new URL('./knip-reporter.ts', import.meta.url).pathname;
    const { code, stdout, stderr } = await runTool(root, 'knip', ['--no-exit-code', '--reporter', reporter]);
    if (stdout === '') return broken(`knip ended with ${code}: ${stderr.trim()}`);
    const { processed, unused: faults } = JSON.parse(stdout) as UnusedReport;
    return { counted: processed, of: 'files', faults };
  },
};

const broken = (fault: string): Finding => ({ counted: 0, of: 'files', faults: [fault] });

/** A tool that fails without saying why has failed all the same. */
function reported(code: number | null, faults: readonly string[]): readonly string[] {
  return code === 0 || faults.length > 0 ? faults : [`the tool ended with ${code}`];
}
