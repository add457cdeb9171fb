// A contract read, and read again whenever the chain of its machine has grown.

import { h } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { DomainError } from '../../core/errors.ts';
import { noticeOf } from '../kit/errors.ts';
import { Notice } from '../kit/notice.ts';
import { useLiveMachine } from '../machines/live.ts';
import { readContract } from '../machines/node.ts';
import type { ContractRecord, ContractView } from '../machines/records.ts';
import { machinePath, Trail } from '../machines/trail.ts';
import { Whole } from './contract-view.ts';

interface Props {
  readonly slug: string;
  readonly id: string;
}

export function ContractLoader({ slug, id }: Props) {
  const { machine, error: gone, by, again } = useLiveMachine(slug);
  const [view, setView] = useState<ContractView | undefined>(undefined);
  const [failed, setFailed] = useState<unknown>(undefined);
  const seq = machine?.head.seq;
  useEffect(() => {
    if (seq === undefined) return undefined;
    const controller = new AbortController();
    const { signal } = controller;
    readContract(slug, id, signal).then(
      (next) => {
        if (signal.aborted) return;
        setView(next);
        setFailed(undefined);
      },
      (error: unknown) => signal.aborted || setFailed(error),
    );
    return () => controller.abort();
  }, [slug, id, seq]);
  const name = view?.contract.name;
  useEffect(() => {
    document.title = `${name ?? 'Contract'} · svc`;
  }, [name]);
  const error = gone ?? failed;
  const onContract = (contract: ContractRecord) => setView((before) => before && { ...before, contract });
  return h(
    'div',
    { class: 'page contract', 'aria-busy': view === undefined && error === undefined },
    h(Trail, {
      levels: [
        { name: 'Machines', href: '/machines' },
        { name: slug, href: machinePath(slug) },
        { name: name ?? 'contract' },
      ],
    }),
    error === undefined || (machine !== undefined && view !== undefined) ? null : h(Failure, { slug, error, again }),
    machine === undefined || view === undefined ? null : h(Whole, { machine, view, by, onContract }),
  );
}

interface FailureProps {
  readonly slug: string;
  readonly error: unknown;
  readonly again: () => void;
}

function Failure({ slug, error, again }: FailureProps) {
  const isUnknown = error instanceof DomainError && ['NOT_FOUND', 'VALIDATION_FAILED'].includes(error.code);
  return [
    h('h1', null, 'Contract'),
    isUnknown
      ? h(Notice, {
          kind: 'empty',
          title: 'There is no such contract for you to see.',
          text: `${slug} has none of this id, or is private and your key is not a member of it.`,
        })
      : h(Notice, { ...noticeOf(error), action: { label: 'Try again', run: again } }),
  ];
}
