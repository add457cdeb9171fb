// Lists the activities of a machine that wait: for a try, or for their contract.

import { nameOfCall } from '../../contracts/calls/compile.ts';
import type { StartedCall } from '../../contracts/contract-state.ts';
import type { ActivityRepository, PendingActivity } from '../../storage/contracts/activities.ts';
import type { Machine } from '../../storage/machines/machines.ts';

/** The most that are listed: beyond their limit activities have failed, and are told soon. */
const MAX_LISTED = 200;

export class ActivityService {
  readonly #activities: Pick<ActivityRepository, 'pendingOf'>;

  constructor(activities: Pick<ActivityRepository, 'pendingOf'>) {
    this.#activities = activities;
  }

  /** In the order in which they are due. */
  async list({ id }: Machine) {
    return (await this.#activities.pendingOf(id, MAX_LISTED)).map(recordOf);
  }
}

function recordOf(activity: PendingActivity & { readonly nextTick: number }) {
  const call = JSON.parse(activity.call) as StartedCall;
  return {
    contract: activity.contractId,
    instance: activity.instance,
    transition: activity.transition,
    seq: activity.seq,
    no: activity.no,
    call: nameOfCall(call),
    on_error: call.on_error,
    tries: activity.attempts,
    tries_max: call.tries,
    next_svcond: activity.nextTick,
    has_result: activity.outcome !== null,
    created_svcond: activity.svcond,
  };
}
