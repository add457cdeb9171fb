// State diagram of a contract, with the current state marked. For screen readers it is one image; the table of
// transitions has the same information as text.

import { h } from 'preact';
import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { Definition } from '../../contracts/definition.ts';
import { pluralise } from '../kit/format.ts';
import type { FireRow as StoredFire } from '../machines/records.ts';
import {
  type Arrow,
  arrowHeadPath,
  type Box,
  type DiagramLayout,
  LINE_HEIGHT,
  layoutDiagram,
  smoothPath,
  type TextMeasure,
} from './diagram-layout.ts';

/** The transition that fired last. */
type FireRow = Pick<StoredFire, 'seq' | 'from' | 'to' | 'transition'>;

interface Props {
  readonly definition: Definition;
  /** Undefined for a template. */
  readonly current?: string | undefined;
  readonly last?: FireRow | undefined;
  /** Transition under the pointer in the table. */
  readonly highlighted?: string | undefined;
  readonly isActive?: boolean;
}

const MAX_HEIGHT = 620;
/** At smaller scales the labels are illegible; the diagram scrolls instead. */
const MIN_SCALE = 0.8;

export function Diagram({ definition, current, last, highlighted, isActive = false }: Props) {
  const frame = useRef<HTMLDivElement>(null);
  const [frameWidth, setFrameWidth] = useState(0);
  // A layout effect, so that the first paint has the final height.
  useLayoutEffect(() => {
    const element = frame.current;
    if (!element) return undefined;
    const observer = new ResizeObserver(() => setFrameWidth(element.clientWidth));
    observer.observe(element);
    setFrameWidth(element.clientWidth);
    return () => observer.disconnect();
  }, []);
  const fitted = useMemo(
    () => (frameWidth === 0 ? undefined : fitDiagram(definition, frameWidth)),
    [definition, frameWidth],
  );
  return [
    h(
      'div',
      {
        class: 'diagram',
        ref: frame,
        role: 'group',
        'aria-label': 'State diagram',
        tabIndex: fitted?.isWide ? 0 : undefined,
      },
      fitted === undefined ? null : h(DiagramPicture, { ...fitted, definition, current, last, highlighted, isActive }),
    ),
    fitted?.isWide ? h('p', { class: 'diagram-more' }, 'The diagram is wider than the page; scroll sideways.') : null,
  ];
}

interface FittedDiagram {
  readonly layout: DiagramLayout;
  readonly scale: number;
  /** True if wider than the frame. */
  readonly isWide: boolean;
}

/** Chooses the layout mode with the largest scale; earlier modes win ties. */
function fitDiagram(definition: Definition, frameWidth: number): FittedDiagram {
  const measure = measureTexts();
  const candidates = (['right', 'down', 'narrow'] as const).map((mode) => {
    const layout = layoutDiagram(definition, mode, measure);
    return { layout, scale: Math.min(1, frameWidth / layout.width, MAX_HEIGHT / layout.height) };
  });
  const best = candidates.reduce((before, candidate) => (candidate.scale > before.scale ? candidate : before));
  const scale = Math.max(best.scale, MIN_SCALE);
  return { layout: best.layout, scale, isWide: best.layout.width * scale > frameWidth + 1 };
}

function measureTexts(): TextMeasure {
  const context = document.createElement('canvas').getContext('2d');
  const family = getComputedStyle(document.body).fontFamily;
  const width = (font: string) => (text: string) => {
    if (!context) return text.length * 8;
    context.font = `${font} ${family}`;
    return context.measureText(text).width;
  };
  return { state: width('600 14px'), label: width('12px') };
}

interface DiagramPictureProps extends FittedDiagram, Required<Pick<Props, 'definition' | 'isActive'>> {
  readonly current: string | undefined;
  readonly last: FireRow | undefined;
  readonly highlighted: string | undefined;
}

function DiagramPicture({ layout, scale, definition, current, last, highlighted, isActive }: DiagramPictureProps) {
  const { width, height, boxes, arrows, start } = layout;
  // Only transitions that fire after the page was opened are animated.
  const initialSeq = useRef(last?.seq);
  const isNew = last !== undefined && last.seq !== initialSeq.current;
  const counts = `${pluralise(boxes.length, 'state')}, ${pluralise(definition.transitions.length, 'transition')}`;
  const currentText = current === undefined ? '' : `; current state ${current}`;
  const label = `${counts}${currentText}. The table of transitions has the same information.`;
  return h(
    'svg',
    {
      class: `diagram-picture${isNew ? ' is-fresh' : ''}`,
      viewBox: `0 0 ${width} ${height}`,
      width: width * scale,
      height: height * scale,
      role: 'img',
      'aria-label': label,
    },
    h('circle', { class: 'diagram-start', cx: start.at.x, cy: start.at.y, r: 6 }),
    h('path', { class: 'arrow-line', d: smoothPath(start.points) }),
    h('path', { class: 'arrow-head', d: arrowHeadPath(start.points) }),
    arrows.map((arrow) => h(ArrowView, { key: `${arrow.from} ${arrow.to}`, arrow, current, last, highlighted })),
    boxes.map((box) =>
      h(BoxView, { key: box.name, box, definition, isCurrent: box.name === current, isActive, fireSeq: last?.seq }),
    ),
    arrows.map((arrow) => h(LabelView, { key: `${arrow.from} ${arrow.to}`, arrow, current, last, highlighted })),
  );
}

interface ArrowProps {
  readonly arrow: Arrow;
  readonly current: string | undefined;
  readonly last: FireRow | undefined;
  readonly highlighted: string | undefined;
}

const isLast = (arrow: Arrow, last: FireRow | undefined) =>
  last !== undefined && last.from === arrow.from && last.to === arrow.to && arrow.transitions.includes(last.transition);

function arrowClasses({ arrow, current, last, highlighted }: ArrowProps): string {
  const kinds = [
    arrow.from === current ? 'is-possible' : '',
    isLast(arrow, last) ? 'is-last' : '',
    highlighted !== undefined && arrow.transitions.includes(highlighted) ? 'is-marked' : '',
  ];
  return kinds.filter((kind) => kind !== '').join(' ');
}

function ArrowView(props: ArrowProps) {
  const { arrow, last } = props;
  const path = smoothPath(arrow.points);
  return h(
    'g',
    { class: `arrow ${arrowClasses(props)}` },
    h('path', { class: 'arrow-line', d: path }),
    // The key creates a new element per fire, which restarts the animation.
    isLast(arrow, last) ? h('path', { key: last?.seq, class: 'arrow-trace', d: path, pathLength: 1 }) : null,
    h('path', { class: 'arrow-head', d: arrowHeadPath(arrow.points) }),
  );
}

function LabelView(props: ArrowProps) {
  const { arrow, last, highlighted } = props;
  const { x, y, width, height } = arrow.label;
  return h(
    'g',
    { class: `arrow-label ${arrowClasses(props)}` },
    h('rect', { class: 'arrow-ground', x: x - width / 2, y: y - height / 2, width, height, rx: 4 }),
    arrow.transitions.map((name, index) =>
      h(
        'text',
        {
          key: name,
          x,
          y: y + LINE_HEIGHT * (index - (arrow.transitions.length - 1) / 2),
          class: [
            highlighted === name ? 'is-marked' : '',
            isLast(arrow, last) && last?.transition === name ? 'is-last' : '',
          ]
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
  readonly isActive: boolean;
  readonly fireSeq: number | undefined;
}

/** Terminal states have a double frame, as in textbooks. */
function BoxView({ box, definition, isCurrent, isActive, fireSeq }: BoxProps) {
  const { name, x, y, width, height } = box;
  const { role, outcome } = definition.states[name] ?? {};
  const frame = (inset: number) => ({
    x: x - width / 2 + inset,
    y: y - height / 2 + inset,
    width: width - 2 * inset,
    height: height - 2 * inset,
    rx: 10 - inset,
  });
  const finalClass = role === 'terminal' ? ` is-final is-${outcome ?? 'success'}` : '';
  const classes = `${finalClass}${isCurrent ? ' is-current' : ''}${isActive ? ' is-active' : ''}`;
  return h(
    'g',
    { class: `state${classes}`, 'data-state': name },
    isCurrent ? h('rect', { key: fireSeq ?? 'halo', class: 'state-halo', ...frame(-4) }) : null,
    h('rect', { class: 'state-box', ...frame(0) }),
    role === 'terminal' ? h('rect', { class: 'state-inner', ...frame(3.5) }) : null,
    h('text', { x, y }, name),
  );
}
