// Solve page: the list of solvers beside the workbench of one of them, whose description and code are loaded with it.

import { h } from 'preact';
import { useEffect } from 'preact/hooks';
import { NotLoaded } from '../kit/lazy-page.ts';
import { Notice } from '../kit/notice.ts';
import { usePageFocus } from '../kit/use-page-focus.ts';
import { useQuery } from '../kit/use-query.ts';
import { currentRoute } from '../router.ts';
import { workerClient } from '../worker/worker-client.ts';
import { AskBox } from './ask.ts';
import { loadUnits } from './reading.ts';
import { loadDescription, loadSummaries, type SolverDescription, START_SOLVER } from './solver-description.ts';
import { SolverList } from './solver-list.ts';
import { Workbench } from './workbench.ts';

/** Without the name of a solver, the page takes a question in words. */
const START_PATH = '/solve';

/** Without the units only typed units are refused. */
async function loadForm(id: string): Promise<SolverDescription> {
  const [description] = await Promise.all([loadDescription(id), loadUnits().catch(() => undefined)]);
  return description;
}

export function SolvePage({ id }: { readonly id: string }) {
  usePageFocus(id);
  const solvers = useQuery('all', loadSummaries);
  // The description of any other name is requested once the list has it; that of the start page, together with the list.
  const isKnown = id === START_SOLVER || solvers.data?.some((solver) => solver.id === id) === true;
  const description = useQuery(isKnown ? id : undefined, loadForm);
  // The worker loads its code meanwhile.
  useEffect(() => void workerClient.request('prepare', { solver: id }).catch(() => undefined), [id]);
  if (solvers.error !== undefined || description.error !== undefined)
    return h(NotLoaded, { what: 'The description of this solver' });
  const solver = description.data?.id === id ? description.data : undefined;
  const isStart = currentRoute.value.path === START_PATH;
  const isBusy = solvers.data === undefined || (isKnown && solver === undefined);
  return h(
    'div',
    { class: isStart ? 'page solve has-ask' : 'page solve', 'aria-busy': isBusy },
    isStart ? h(AskBox, null) : null,
    solvers.data === undefined ? null : h(SolverList, { solvers: solvers.data, current: id }),
    isBusy ? null : solver === undefined ? h(NotFound, { id }) : h(Workbench, { key: id, solver }),
  );
}

function NotFound({ id }: { readonly id: string }) {
  return h(
    'header',
    { class: 'page-head' },
    h('h1', null, 'Solver not found'),
    h(Notice, { kind: 'empty', title: `No solver has the name ${id}.`, text: 'Choose one from the list.' }),
  );
}
