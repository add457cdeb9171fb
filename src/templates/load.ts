// The built-in templates by id. One line adds one.

import type { z } from 'zod';
import type { Definition } from '../contracts/definition.ts';
import type { Scenario } from '../contracts/simulate.ts';
import { DomainError } from '../core/errors.ts';
import { didYouMean, theNearest } from '../core/nearest.ts';
import rateLimiter from './api-and-traffic-control/rate-limiter.json' with { type: 'json' };
import twoPersonApproval from './approvals-and-governance/two-person-approval.json' with { type: 'json' };
import regulatoryReportFiling from './compliance-and-audit/regulatory-report-filing.json' with { type: 'json' };
import coldChainExcursion from './food-and-cold-chain/cold-chain-excursion.json' with { type: 'json' };
import circuitBreaker from './reliability-engineering/circuit-breaker.json' with { type: 'json' };
import escrowDisputeWindow from './supply-chain-and-trade/escrow-dispute-window.json' with { type: 'json' };

export interface Template {
  readonly id: string;
  readonly category: string;
  readonly title: string;
  readonly definition: z.output<typeof Definition>;
  readonly scenarios: readonly Scenario[];
}

export const TEMPLATES: ReadonlyMap<string, Template> = new Map(
  (
    [
      rateLimiter,
      twoPersonApproval,
      regulatoryReportFiling,
      coldChainExcursion,
      circuitBreaker,
      escrowDisputeWindow,
    ] as unknown as readonly Template[]
  ).map((template) => [template.id, template]),
);

/** @throws DomainError NOT_FOUND */
export function findTemplate(id: string): Template {
  const template = TEMPLATES.get(id);
  if (template) return template;
  const ids = [...TEMPLATES.keys()];
  throw new DomainError('NOT_FOUND', `There is no template ${id}.${didYouMean(id, ids) || theNearest(id, ids)}`);
}
