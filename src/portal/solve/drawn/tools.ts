// Buttons and numbers below a drawing, and its history.

import { type ComponentChildren, h } from 'preact';
import { useState } from 'preact/hooks';
import type { DrawnForm } from '../../../solvers/solver-form.ts';

/** Of each kind of drawing. */
export interface DrawingProps {
  readonly form: DrawnForm;
  /** Of the field. */
  readonly label: string;
  readonly unit: string;
  readonly text: string;
  readonly lengths: readonly number[];
  readonly onChange: (text: string) => void;
}

const MAX_HISTORY = 50;

/** Texts that a drawing has replaced. What is typed in between is one of them. */
export function useHistory(text: string, onChange: (text: string) => void) {
  const [past, setPast] = useState<readonly string[]>([]);
  const commit = (next: string) => {
    if (next === text) return;
    setPast([...past, text].slice(-MAX_HISTORY));
    onChange(next);
  };
  const last = past.at(-1);
  const undo =
    last === undefined
      ? undefined
      : () => {
          setPast(past.slice(0, -1));
          onChange(last);
        };
  return { commit, undo };
}

interface ToolsProps {
  /** Undefined where there is nothing to undo or to clear. */
  readonly undo: (() => void) | undefined;
  readonly clear: (() => void) | undefined;
  /** Smooths what is drawn. */
  readonly smooth?: () => void;
  /** Numbers and choices. */
  readonly children?: ComponentChildren;
}

export function DrawingTools({ undo, clear, smooth, children }: ToolsProps) {
  const button = (label: string, action: (() => void) | undefined) =>
    h('button', { type: 'button', class: 'quiet', disabled: action === undefined, onClick: action }, label);
  return [
    h('div', { key: 'numbers', class: 'drawing-numbers' }, children),
    h(
      'div',
      { key: 'buttons', class: 'drawing-tools' },
      button('Undo', undo),
      button('Clear', clear),
      smooth === undefined ? null : button('Smooth', smooth),
    ),
  ];
}

interface NumberProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (text: string) => void;
}

export function DrawingNumber({ label, value, onChange }: NumberProps) {
  return h(
    'label',
    { class: 'drawing-number' },
    label,
    h('input', {
      type: 'text',
      inputMode: 'decimal',
      autocomplete: 'off',
      value,
      onInput: (event: Event) => onChange((event.target as HTMLInputElement).value),
    }),
  );
}

interface ChoiceProps<Value extends string> {
  readonly label: string;
  readonly value: Value;
  readonly options: readonly Value[];
  readonly onChange: (value: Value) => void;
}

export function DrawingChoice<Value extends string>({ label, value, options, onChange }: ChoiceProps<Value>) {
  return h(
    'label',
    { class: 'drawing-number' },
    label,
    h(
      'select',
      { value, onInput: (event: Event) => onChange((event.target as HTMLSelectElement).value as Value) },
      options.map((option) => h('option', { key: option, value: option }, option)),
    ),
  );
}
