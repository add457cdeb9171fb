// Moves the focus between the links of a list with the arrow keys, Home and End.

type Step = 'first' | 'previous' | 'next' | 'last';

const STEPS: ReadonlyMap<string, Step> = new Map([
  ['ArrowDown', 'next'],
  ['ArrowUp', 'previous'],
  ['Home', 'first'],
  ['End', 'last'],
]);

export const stepOfKey = (key: string): Step | undefined => STEPS.get(key);

/** @param selector  of the links. @returns false if no link follows in that direction */
export function moveFocus(container: HTMLElement | null, selector: string, step: Step): boolean {
  const links = [...(container?.querySelectorAll<HTMLElement>(selector) ?? [])];
  const at = links.indexOf(document.activeElement as HTMLElement);
  const next = { first: 0, last: links.length - 1, next: at + 1, previous: at - 1 }[step];
  links[next]?.focus();
  return links[next] !== undefined;
}
