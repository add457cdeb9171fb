// The effects of a transition, in words.

import { LIMITS } from '../../core/limits.ts';
import type { Action, Definition } from '../definition.ts';
import { counted, listed, spoken, type Words } from './words.ts';

/** One action as part of a sentence: "held becomes held + the amount sent". */
export function actionWords(action: Action, { parameters = {} }: Definition, words: Words): string {
  const say = (text: string) => words.expression(text);
  const values = (bindings: Readonly<Record<string, string>> = {}) =>
    listed(Object.entries(bindings).map(([name, text]) => `${spoken(name)} = ${say(text)}`));
  if ('emit' in action) {
    const { event, payload } = typeof action.emit === 'string' ? { event: action.emit, payload: {} } : action.emit;
    const carried = values(payload);
    return `“${event}” is announced${carried === '' ? '' : ` with ${carried}`}`;
  }
  if ('set' in action)
    return listed(Object.entries(action.set).map(([name, text]) => `${spoken(name)} becomes ${say(text)}`));
  if ('compute' in action) {
    const { operator, solver, inputs, into } = action.compute;
    return `${spoken(into)} is computed by ${solver === undefined ? 'operator' : 'solver'} ${operator ?? solver} from ${values(inputs)}`;
  }
  if ('webhook' in action) {
    const { url, payload } = action.webhook;
    const carried = values(payload);
    return `${url} is called${carried === '' ? '' : ` with ${carried}`}`;
  }
  if ('send' in action) {
    const { event, to, payload, on_refused: outcome } = action.send;
    const carried = values(payload);
    const machine = Object.hasOwn(parameters, to) ? spoken(to) : to;
    const told = outcome === undefined ? '' : `; if it is not taken there, “${outcome}” tells so`;
    return `“${event}” is sent to the machine ${machine}${carried === '' ? '' : ` with ${carried}`}${told}`;
  }
  if ('call' in action) return callWords(action.call, values);
  if ('token' in action) {
    const { op, token, amount, from, to } = action.token;
    const what = `an amount of ${say(amount)}${token === undefined ? '' : ` ${token}`}`;
    const payer = from === undefined ? '' : ` from ${say(from)}`;
    const payee = to === undefined ? '' : ` to ${say(to)}`;
    return `${what} ${{ mint: 'is created', spend: 'is destroyed', transfer: 'goes' }[op]}${payer}${payee}`;
  }
  if ('log' in action)
    return `“${action.log.replaceAll(/\{([^{}]*)\}/g, (_, text: string) => `{${say(text)}}`)}” is noted`;
  if ('rearm' in action) return `the deadline of ${action.rearm} is set anew`;
  if ('put' in action) {
    const { into, key, value } = action.put;
    return `${spoken(into)} gets ${say(value)} for ${say(key)}`;
  }
  if ('append' in action) return `${say(action.append.value)} is put at the end of ${spoken(action.append.to)}`;
  if ('add' in action) return `${say(action.add.value)} is added to ${spoken(action.add.to)}, unless it is there`;
  if ('remove' in action) return `${say(action.remove.entry)} is removed from ${spoken(action.remove.from)}`;
  if ('take' in action) return `the first of ${spoken(action.take.from)} is taken out as ${spoken(action.take.into)}`;
  if ('clear' in action) return `${spoken(action.clear)} is emptied`;
  const { amount, by, from, token } = action.distribute;
  const what = `an amount of ${say(amount)}${token === undefined ? '' : ` ${token}`}`;
  const weights = Object.hasOwn(parameters, by) ? by : spoken(by);
  return `${what} from ${say(from)} is divided among the holders in ${weights} by their weights`;
}

type CallAction = Extract<Action, { call: unknown }>['call'];

function callWords(
  { operator, solver, http, inputs, unit, into, on_error: failed, retry = {} }: CallAction,
  values: (bindings: Readonly<Record<string, string>> | undefined) => string,
): string {
  const { tries = LIMITS.contracts.calls.tries } = retry;
  const told = `; “${into}” tells the result, or “${failed}” after ${counted(tries, 'try').replace('trys', 'tries')} that there is none`;
  if (http !== undefined) {
    const carried = values(http.payload);
    const read = Object.keys(http.fields ?? {}).map(spoken);
    const fields = read.length === 0 ? '' : `, and ${listed(read)} read from the response`;
    return `${http.url} is ${http.method === 'GET' ? 'read' : 'called'}${carried === '' ? '' : ` with ${carried}`}${fields}${told}`;
  }
  const what = operator === undefined ? `solver ${solver}` : `operator ${operator}`;
  return `a value in ${unit} is computed by ${what} from ${values(inputs)}${told}`;
}
