// Focuses the first invalid field of a form and opens the details that contain it.

export function focusInvalidField(form: HTMLFormElement): void {
  const field = form.querySelector<HTMLElement>('[aria-invalid]');
  for (let details = field?.closest('details'); details; details = details.parentElement?.closest('details'))
    details.open = true;
  // A group of radio buttons takes the focus in one of them.
  const control = field?.matches('fieldset') ? field.querySelector<HTMLElement>('input') : field;
  control?.focus();
}
