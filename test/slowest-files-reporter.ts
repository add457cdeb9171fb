// Vitest reporter that lists the slowest test files of a run.

import type { Reporter, TestModule } from 'vitest/node';

const MAX_LISTED = 40;

export interface FileTime {
  readonly file: string;
  /** Time on the clock of imports, tests and hooks. */
  readonly wallMs: number;
  /** Processor time of the worker; undefined if the file failed before its hooks. */
  readonly cpuMs: number | undefined;
  readonly tests: number;
}

export default class SlowestFilesReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    console.log(slowestFiles(modules.map(timeOf)).join('\n'));
  }
}

function timeOf(module: TestModule): FileTime {
  const { setupDuration, collectDuration, duration } = module.diagnostic();
  return {
    file: module.relativeModuleId,
    wallMs: setupDuration + collectDuration + duration,
    cpuMs: module.meta().cpuMs,
    tests: [...module.children.allTests()].length,
  };
}

/** Lines of a table, the slowest file first. */
export function slowestFiles(files: readonly FileTime[]): string[] {
  const listed = files.toSorted((a, b) => b.wallMs - a.wallMs).slice(0, MAX_LISTED);
  const total = files.reduce((sum, { cpuMs = 0 }) => sum + cpuMs, 0);
  return [
    `slowest ${listed.length} of ${files.length} files; all took ${seconds(total).trim()} s of processor time`,
    '   wall s     CPU s  tests  file',
    ...listed.map(
      ({ wallMs, cpuMs, tests, file }) =>
        `${seconds(wallMs)}  ${seconds(cpuMs)}  ${String(tests).padStart(5)}  ${file}`,
    ),
  ];
}

function seconds(ms: number | undefined): string {
  return (ms === undefined ? '?' : (ms / 1000).toFixed(1)).padStart(9);
}
