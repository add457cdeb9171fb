// Measurements of the messages of a broker.

import type { Metric } from '../services/node/metric.ts';
import type { EventSubjects } from './event-subjects.ts';

const NO_BROKER = { counts: { taken: 0, refused: 0 }, waiting: 0 };

export const brokerMetrics = (subjects: Pick<EventSubjects, 'counts' | 'waiting'> = NO_BROKER): Metric[] => [
  {
    name: 'svc_broker_messages_total',
    type: 'counter',
    help: 'Messages of the NATS broker, by what became of them.',
    read: () => Object.entries(subjects.counts).map(([outcome, value]) => ({ labels: { outcome }, value })),
  },
  {
    name: 'svc_broker_waiting',
    type: 'gauge',
    help: 'Messages of the NATS broker that wait for their commit.',
    read: () => subjects.waiting,
  },
];
