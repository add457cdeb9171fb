// The part of ± that each uncertain input makes up: the law computed again with each alone, and their squares compared.
// The receipt has them together.

import { useEffect, useState } from 'preact/hooks';
import type { Quantities } from '../../protocol/chain-request.ts';
import type { UncertaintyPart } from '../../protocol/pure-fields.ts';
import { workerClient } from '../worker/worker-client.ts';
import type { FullOperator } from './registry.ts';

/** By symbol, adding up to 1. */
export type InputShares = Readonly<Record<string, number>>;

/** @param key  changes with the computation; undefined shares until they are there, and for a single input */
export function useInputShares(operator: FullOperator, quantities: Quantities, key: string): InputShares | undefined {
  const [found, setFound] = useState<{ readonly key: string; readonly shares: InputShares } | undefined>(undefined);
  useEffect(() => {
    const given = Object.entries(quantities.uncertainties ?? {}).filter(([, sigma]) => sigma > 0);
    if (given.length < 2) return undefined;
    const controller = new AbortController();
    const { signal } = controller;
    const alone = given.map(async ([symbol, sigma]) => {
      const request = {
        operator,
        domain: operator.domain,
        quantities: { ...quantities, uncertainties: { [symbol]: sigma } },
      };
      const { pure } = await workerClient.request('compute', request, { signal });
      return [symbol, widthOfInputs(pure.uncertainty_budget)] as const;
    });
    Promise.all(alone).then(
      (widths) => signal.aborted || setFound({ key, shares: sharesOfSquares(widths) }),
      // Without them the bar has the inputs together.
      () => {},
    );
    return () => controller.abort();
  }, [key]);
  return found?.key === key ? found.shares : undefined;
}

/** Of one uncertain input, to the first order or by samples. */
const widthOfInputs = (budget: readonly UncertaintyPart[]) =>
  budget.reduce((sum, { source, value }) => (source === 'inputs' || source === 'propagation' ? sum + value : sum), 0);

function sharesOfSquares(widths: readonly (readonly [symbol: string, width: number])[]): InputShares {
  const largest = Math.max(...widths.map(([, width]) => width));
  if (!(largest > 0)) return {};
  const squares = widths.map(([symbol, width]) => [symbol, (width / largest) ** 2] as const);
  const sum = squares.reduce((total, [, square]) => total + square, 0);
  return Object.fromEntries(squares.map(([symbol, square]) => [symbol, square / sum]));
}
