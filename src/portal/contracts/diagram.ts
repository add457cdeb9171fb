// The states of a contract and the ways between them, with the present one marked. The table of transitions says the same
// in words, so the picture is one image to who reads the screen.

import { h } from 'preact';
import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { Definition } from '../../contracts/definition.ts';
import type { FireRow } from '../machines/records.ts';
import { manyOf } from '../machines/tick-words.ts';
import { type Arrow, type Box, type Drawing, drawingOf, headAt, LINE, type Measure, pathThrough } from './layout.ts';

interface Props {
  readonly definition: Definition;
  /** Undefined where nothing runs yet. */
  readonly current?: string | undefined;
  readonly last?: FireRow | undefined;
  /** A transition that somebody points at in the table. */
  readonly marked?: string | undefined;
  readonly isAtWork?: boolean;
}

const HIGHEST = 620;
/** Below that texts are too small to read: the picture scrolls instead. */
const LEAST_SCALE = 0.8;

export function Diagram({ definition, current, last, marked, isAtWork = false }: Props) {
  const frame = useRef<HTMLDivElement>(null);
  const [room, setRoom] = useState(0);
  // Before the first paint, so that nothing below is pushed aside.
  useLayoutEffect(() => {
    const place = frame.current;
    if (!place) return undefined;
    const observer = new ResizeObserver(() => setRoom(place.clientWidth));
    observer.observe(place);
    setRoom(place.clientWidth);
    return () => observer.disconnect();
  }, []);
  const drawing = useMemo(() => (room === 0 ? undefined : fitting(definition, room)), [definition, room]);
  return [
    h(
      'div',
      {
        class: 'diagram',
        ref: frame,
        role: 'group',
        'aria-label': 'State diagram',
        tabIndex: drawing?.isWide ? 0 : undefined,
      },
      drawing === undefined ? null : h(Picture, { ...drawing, definition, current, last, marked, isAtWork }),
    ),
    drawing?.isWide ? h('p', { class: 'diagram-more' }, 'Wider than the page: move it sideways.') : null,
  ];
}

interface Fitted {
  readonly drawing: Drawing;
  readonly scale: number;
  /** Wider than its frame. */
  readonly isWide: boolean;
}

/** Across or down, whichever leaves the texts larger, and with less room between only where that helps. */
function fitting(definition: Definition, room: number): Fitted {
  const measure = measureTexts();
  const fits = (['right', 'down', 'narrow'] as const).map((manner) => {
    const drawing = drawingOf(definition, manner, measure);
    return { drawing, scale: Math.min(1, room / drawing.width, HIGHEST / drawing.height) };
  });
  const best = fits.reduce((before, one) => (one.scale > before.scale ? one : before));
  const scale = Math.max(best.scale, LEAST_SCALE);
  return { drawing: best.drawing, scale, isWide: best.drawing.width * scale > room + 1 };
}

function measureTexts(): Measure {
  const context = document.createElement('canvas').getContext('2d');
  const family = getComputedStyle(document.body).fontFamily;
  const width = (font: string) => (text: string) => {
    if (!context) return text.length * 8;
    context.font = `${font} ${family}`;
    return context.measureText(text).width;
  };
  return { state: width('600 14px'), label: width('12px') };
}

interface PictureProps extends Fitted, Required<Pick<Props, 'definition' | 'isAtWork'>> {
  readonly current: string | undefined;
  readonly last: FireRow | undefined;
  readonly marked: string | undefined;
}

function Picture({ drawing, scale, definition, current, last, marked, isAtWork }: PictureProps) {
  const { width, height, boxes, arrows, start } = drawing;
  // What was done before this page was opened is history, and does not move.
  const opened = useRef(last?.seq);
  const isFresh = last !== undefined && last.seq !== opened.current;
  const words = `${manyOf(boxes.length, 'state')}, ${manyOf(definition.transitions.length, 'transition')}${current === undefined ? '' : `; now in ${current}`}. The table of transitions says the same in words.`;
  return h(
    'svg',
    {
      class: `diagram-picture${isFresh ? ' is-fresh' : ''}`,
      viewBox: `0 0 ${width} ${height}`,
      width: width * scale,
      height: height * scale,
      role: 'img',
      'aria-label': words,
    },
    h('circle', { class: 'diagram-start', cx: start.at.x, cy: start.at.y, r: 6 }),
    h('path', { class: 'arrow-line', d: pathThrough(start.points) }),
    h('path', { class: 'arrow-head', d: headAt(start.points) }),
    arrows.map((arrow) => h(ArrowView, { key: `${arrow.from} ${arrow.to}`, arrow, current, last, marked })),
    boxes.map((box) =>
      h(BoxView, { key: box.name, box, definition, isCurrent: box.name === current, isAtWork, beat: last?.seq }),
    ),
    arrows.map((arrow) => h(LabelView, { key: `${arrow.from} ${arrow.to}`, arrow, current, last, marked })),
  );
}

interface ArrowProps {
  readonly arrow: Arrow;
  readonly current: string | undefined;
  readonly last: FireRow | undefined;
  readonly marked: string | undefined;
}

const isLast = (arrow: Arrow, last: FireRow | undefined) =>
  last !== undefined && last.from === arrow.from && last.to === arrow.to && arrow.transitions.includes(last.transition);

function kindOf({ arrow, current, last, marked }: ArrowProps): string {
  const kinds = [
    arrow.from === current ? 'is-possible' : '',
    isLast(arrow, last) ? 'is-last' : '',
    marked !== undefined && arrow.transitions.includes(marked) ? 'is-marked' : '',
  ];
  return kinds.filter((kind) => kind !== '').join(' ');
}

function ArrowView(props: ArrowProps) {
  const { arrow, last } = props;
  const path = pathThrough(arrow.points);
  return h(
    'g',
    { class: `arrow ${kindOf(props)}` },
    h('path', { class: 'arrow-line', d: path }),
    // A new element with each fire, so that its movement begins anew.
    isLast(arrow, last) ? h('path', { key: last?.seq, class: 'arrow-trace', d: path, pathLength: 1 }) : null,
    h('path', { class: 'arrow-head', d: headAt(arrow.points) }),
  );
}

function LabelView(props: ArrowProps) {
  const { arrow, last, marked } = props;
  const { x, y, width, height } = arrow.label;
  return h(
    'g',
    { class: `arrow-label ${kindOf(props)}` },
    h('rect', { class: 'arrow-ground', x: x - width / 2, y: y - height / 2, width, height, rx: 4 }),
    arrow.transitions.map((name, at) =>
      h(
        'text',
        {
          key: name,
          x,
          y: y + LINE * (at - (arrow.transitions.length - 1) / 2),
          class: [marked === name ? 'is-marked' : '', isLast(arrow, last) && last?.transition === name ? 'is-last' : '']
            .join(' ')
            .trim(),
        },
        name,
      ),
    ),
  );
}

interface BoxProps {
  readonly box: Box;
  readonly definition: Definition;
  readonly isCurrent: boolean;
  readonly isAtWork: boolean;
  readonly beat: number | undefined;
}

/** A final state has a second frame, as in the textbooks. */
function BoxView({ box, definition, isCurrent, isAtWork, beat }: BoxProps) {
  const { name, x, y, width, height } = box;
  const { role, outcome } = definition.states[name] ?? {};
  const frame = (inset: number) => ({
    x: x - width / 2 + inset,
    y: y - height / 2 + inset,
    width: width - 2 * inset,
    height: height - 2 * inset,
    rx: 10 - inset,
  });
  const kind = `${role === 'terminal' ? ` is-final is-${outcome ?? 'success'}` : ''}${isCurrent ? ' is-current' : ''}${isAtWork ? ' is-at-work' : ''}`;
  return h(
    'g',
    { class: `state${kind}`, 'data-state': name },
    isCurrent ? h('rect', { key: beat ?? 'halo', class: 'state-halo', ...frame(-4) }) : null,
    h('rect', { class: 'state-box', ...frame(0) }),
    role === 'terminal' ? h('rect', { class: 'state-inner', ...frame(3.5) }) : null,
    h('text', { x, y }, name),
  );
}
