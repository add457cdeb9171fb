// Drawing of a field's value, below the field: a curve, or a plane. What is drawn is written into the field.

import { h } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { parseNumber } from '../../kit/parse-number.ts';
import { CurvePainter } from './curve-painter.ts';
import { type CurveText, curveOfText, POINTS, textOfCurve } from './curve-text.ts';
import { CellsPainter, SpotsPainter } from './plane-painters.ts';
import { DrawingNumber, type DrawingProps, DrawingTools, useHistory } from './tools.ts';

export function DrawingPanel(props: DrawingProps) {
  const { as } = props.form;
  const drawing =
    as === 'spots' ? h(SpotsPainter, props) : as === 'marks' ? h(CellsPainter, props) : h(Curve, { ...props, as });
  return h('div', { class: 'drawing-panel', role: 'group', 'aria-label': `Drawing of ${props.label}` }, drawing);
}

function Curve({
  form,
  as,
  label,
  unit,
  text,
  lengths: [length = 1],
  onChange,
}: DrawingProps & { readonly as: CurveText }) {
  const count = POINTS[as];
  const [stroke, setStroke] = useState<readonly number[] | undefined>(undefined);
  const [low = 0, high = 1] = form.range ?? [];
  const read = useMemo(() => curveOfText(as, text, length, count), [as, text, length, count]);
  const [limits, setLimits] = useState(() => ({
    low: String(Math.min(low, ...(read ?? []))),
    high: String(Math.max(high, ...(read ?? []))),
  }));
  const { commit, undo } = useHistory(text, onChange);
  const values = stroke ?? read ?? Array.from({ length: count }, () => Math.max(low, 0));
  const range = rangeOf(limits);
  const draw = (next: readonly number[], isDone: boolean) => {
    setStroke(isDone ? undefined : next);
    if (isDone) commit(textOfCurve(as, next, length));
  };
  const smooth = () =>
    draw(
      values.map((value, i) => ((values[i - 1] ?? value) + 2 * value + (values[i + 1] ?? value)) / 4),
      true,
    );
  const limit = (name: 'low' | 'high', words: string) =>
    h(DrawingNumber, {
      label: words,
      value: limits[name],
      onChange: (one: string) => setLimits({ ...limits, [name]: one }),
    });
  return [
    'fault' in range
      ? h('p', { key: 'fault', class: 'field-fault', role: 'alert' }, range.fault)
      : h(CurvePainter, {
          key: 'curve',
          ...{ label, values, length },
          range: [Math.min(range.low, ...values), Math.max(range.high, ...values)],
          unit: form.unit ?? '1',
          valueUnit: unit,
          onDraw: draw,
        }),
    read === undefined && text.trim() !== ''
      ? h('p', { key: 'note', class: 'field-help' }, 'What the field says is no curve; a drawing replaces it.')
      : null,
    h(
      DrawingTools,
      { key: 'tools', undo, clear: text === '' ? undefined : () => commit(''), smooth },
      limit('low', 'lowest'),
      limit('high', 'highest'),
    ),
  ];
}

function rangeOf(limits: { readonly low: string; readonly high: string }) {
  const low = parseNumber(limits.low, { name: 'lowest', isWhole: false });
  const high = parseNumber(limits.high, { name: 'highest', isWhole: false });
  if ('fault' in low) return low;
  if ('fault' in high) return high;
  if (high.value > low.value && Number.isFinite(high.value - low.value)) return { low: low.value, high: high.value };
  return { fault: `highest is ${limits.high}; a number above ${limits.low} is expected.` };
}
