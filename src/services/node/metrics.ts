// Measurements of this node for monitoring, in the text format of Prometheus (version 0.0.4). Each is read when it is
// asked for. https://prometheus.io/docs/instrumenting/exposition_formats/

import { performance } from 'node:perf_hooks';
import { DomainError } from '../../core/errors.ts';
import type { NodeRepository } from '../../storage/node/node.ts';
import type { Metric, Sample } from './metric.ts';
import { ownerOf } from './owner.ts';
import { RequestTimes } from './request-times.ts';

export class Metrics {
  readonly requests = new RequestTimes();
  readonly #node: Pick<NodeRepository, 'get'>;
  readonly #metrics: Metric[] = [];

  constructor(node: Pick<NodeRepository, 'get'>) {
    this.#node = node;
    this.add(...processMetrics(), ...requestMetrics(this.requests));
  }

  add(...metrics: readonly Metric[]): void {
    this.#metrics.push(...metrics);
  }

  /** @throws DomainError FORBIDDEN unless the account owns the node */
  async assertReadableBy(accountId: string | undefined): Promise<void> {
    if (accountId !== undefined && accountId === (await ownerOf(this.#node))) return;
    const text = 'Metrics are for callers on this computer, without a proxy between, and for the owner of the node.';
    throw new DomainError('FORBIDDEN', text);
  }

  text(): string {
    return this.#metrics.map(textOf).join('');
  }
}

function textOf({ name, type, help, read }: Metric): string {
  const found = read();
  const samples: readonly Sample[] = typeof found === 'number' ? [{ value: found }] : found;
  const lines = samples.map(
    ({ suffix = '', labels = {}, value }) => `${name}${suffix}${labelsText(labels)} ${numberText(value)}\n`,
  );
  return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${lines.join('')}`;
}

function labelsText(labels: Readonly<Record<string, string>>): string {
  const parts = Object.entries(labels).map(([name, value]) => `${name}="${value.replace(/[\\"\n]/g, escaped)}"`);
  return parts.length === 0 ? '' : `{${parts.join(',')}}`;
}

const escaped = (character: string) => (character === '\n' ? '\\n' : `\\${character}`);

const numberText = (value: number): string =>
  Number.isFinite(value) ? String(value) : Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf';

const requestMetrics = (requests: RequestTimes): Metric[] => [
  {
    name: 'svc_http_requests_total',
    type: 'counter',
    help: 'Answered requests by operation and family of the status.',
    read: () => requests.readCounts(),
  },
  {
    name: 'svc_http_request_duration_seconds',
    type: 'histogram',
    help: 'Time until the answer begins, by effect of the operation.',
    read: () => requests.readTimes(),
  },
];

const processMetrics = (): Metric[] => [
  {
    name: 'process_cpu_seconds_total',
    type: 'counter',
    help: 'Processor time of all threads of the process.',
    read: () => {
      const { user, system } = process.cpuUsage();
      return (user + system) / 1e6;
    },
  },
  {
    name: 'process_resident_memory_bytes',
    type: 'gauge',
    help: 'Memory of the process.',
    read: () => process.memoryUsage.rss(),
  },
  {
    name: 'process_start_time_seconds',
    type: 'gauge',
    help: 'Unix time at which the process started, by the clock of the host.',
    read: () => performance.timeOrigin / 1e3,
  },
  {
    name: 'svc_heap_used_bytes',
    type: 'gauge',
    help: 'Memory of JavaScript objects.',
    read: () => process.memoryUsage().heapUsed,
  },
  {
    name: 'svc_event_loop_busy_seconds_total',
    type: 'counter',
    help: 'Time in which the event loop had work; its rate is the utilization.',
    read: () => performance.eventLoopUtilization().active / 1e3,
  },
];
