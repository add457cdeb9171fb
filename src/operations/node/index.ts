// The node itself: its clock, its WebSocket, its status, and the documents that describe it.

import type { Operation } from '../operation.ts';
import { catalogOperations } from './catalog.ts';
import { fieldStatus } from './field-status.ts';
import { describeKernel, kernelMarkdown, kernelPrompt } from './kernel.ts';
import { metrics } from './metrics.ts';
import { pulse, pulseStream } from './pulse.ts';
import { readiness } from './readiness.ts';
import { socketOperation } from './socket.ts';
import { mcpMetadata, readJwks } from './well-known.ts';

/** Returns the complete list of operations; called lazily by the operations that describe it. */
type AllOperations = () => readonly Operation[];

export const nodeOperations = (all: AllOperations) =>
  [pulse, pulseStream, readiness, metrics, socketOperation(all), fieldStatus] as const;

export const documentOperations = (all: AllOperations) =>
  [mcpMetadata, ...catalogOperations(all), describeKernel, kernelPrompt, kernelMarkdown, readJwks] as const;
