// Loads a contract, and reloads it whenever the chain of its machine grows.

import { h } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { DomainError } from '../../core/errors.ts';
import { errorNotice } from '../kit/error-notice.ts';
import { Notice } from '../kit/notice.ts';
import { Breadcrumbs, machinePath } from '../machines/breadcrumbs.ts';
import { useLiveMachine } from '../machines/live-machine.ts';
import { getContract } from '../machines/machine-api.ts';
import type { ContractRecord, ContractView } from '../machines/records.ts';
import { ContractDetails } from './contract-view.ts';

interface Props {
  readonly slug: string;
  readonly id: string;
}

export function ContractLoader({ slug, id }: Props) {
  const { machine, error: liveError, source, retry } = useLiveMachine(slug);
  const [view, setView] = useState<ContractView | undefined>(undefined);
  const [loadError, setLoadError] = useState<unknown>(undefined);
  const seq = machine?.head.seq;
  useEffect(() => {
    if (seq === undefined) return undefined;
    const controller = new AbortController();
    const { signal } = controller;
    getContract(slug, id, signal).then(
      (next) => {
        if (signal.aborted) return;
        setView(next);
        setLoadError(undefined);
      },
      (error: unknown) => signal.aborted || setLoadError(error),
    );
    return () => controller.abort();
  }, [slug, id, seq]);
  const name = view?.contract.name;
  useEffect(() => {
    document.title = `${name ?? 'Contract'} · svc`;
  }, [name]);
  const error = liveError ?? loadError;
  const onContract = (contract: ContractRecord) => setView((before) => before && { ...before, contract });
  return h(
    'div',
    { class: 'page contract', 'aria-busy': view === undefined && error === undefined },
    h(Breadcrumbs, {
      levels: [
        { name: 'Machines', href: '/machines' },
        { name: slug, href: machinePath(slug) },
        { name: name ?? 'contract' },
      ],
    }),
    error === undefined || (machine !== undefined && view !== undefined) ? null : h(Failure, { slug, error, retry }),
    machine === undefined || view === undefined ? null : h(ContractDetails, { machine, view, source, onContract }),
  );
}

interface FailureProps {
  readonly slug: string;
  readonly error: unknown;
  readonly retry: () => void;
}

function Failure({ slug, error, retry }: FailureProps) {
  const isUnknown = error instanceof DomainError && ['NOT_FOUND', 'VALIDATION_FAILED'].includes(error.code);
  return [
    h('h1', null, 'Contract'),
    isUnknown
      ? h(Notice, {
          kind: 'empty',
          title: 'Contract not found.',
          text: `Machine ${slug} has no contract with this id, or it is private and your key is not a member.`,
        })
      : h(Notice, { ...errorNotice(error), action: { label: 'Try again', run: retry } }),
  ];
}
