// To the first field of a form that is marked as wrong, whatever it is folded into.

export function showFault(form: HTMLFormElement): void {
  const wrong = form.querySelector<HTMLElement>('[aria-invalid]');
  for (let fold = wrong?.closest('details'); fold; fold = fold.parentElement?.closest('details')) fold.open = true;
  wrong?.focus();
}
