// Summarizes a definition in one line per transition: from → to, trigger, condition, actions.

import type { Action, Definition, Transition, Trigger } from '../../../src/contracts/definition.ts';

export function summarizeTransitions({ transitions }: Definition): string[] {
  return transitions.map(({ from, to, trigger, fires_when, post = [] }: Transition) =>
    [`${from} → ${to}`, triggerOf(trigger), ...(fires_when ? [`if ${fires_when}`] : []), ...post.map(actionOf)].join(
      ' | ',
    ),
  );
}

function triggerOf(trigger: Trigger): string {
  switch (trigger.kind) {
    case 'event':
      return trigger.event;
    case 'on_aggregate': {
      const { event, fn, field, within, filter } = trigger;
      return `${fn} of ${event}${field ? `.${field}` : ''} in ${within}${filter ? ` where ${filter}` : ''}`;
    }
    case 'one_shot':
      return `after ${trigger.after}`;
    case 'recurring':
      return `every ${trigger.every}`;
    case 'cron':
      return `cron ${trigger.cron} ${trigger.tz}`;
    case 'quorum':
      return `${trigger.at_least} of ${trigger.event}`;
    case 'deadline':
    case 'schedule':
    case 'windows':
      return trigger.kind;
  }
}

function actionOf(action: Action): string {
  if ('emit' in action) return `emit ${typeof action.emit === 'string' ? action.emit : action.emit.event}`;
  if ('webhook' in action) return `call ${action.webhook.url}`;
  if ('log' in action) return `log ${action.log}`;
  if ('token' in action) {
    const { op, amount, token, to, from } = action.token;
    return [op, amount, token, ...(from ? ['from', from] : []), ...(to ? ['to', to] : [])].join(' ');
  }
  if ('set' in action)
    return Object.entries(action.set)
      .map(([name, value]) => `${name} := ${value}`)
      .join(', ');
  return 'compute';
}
