// Recording of a picture that moves: each frame is shown, drawn as the file of a still picture is, and kept as pixels.

import { gifOf } from './gif.ts';
import { imageOf } from './png-file.ts';
import type { Reel } from './time-slider.ts';

/** Frames of a file, and its time from first to last; longer recordings leave frames out. */
const MAX_FRAMES = 60;
const DURATION_CS = 500;
/** The shortest that browsers follow. */
const MIN_DELAY_CS = 2;
/** Of a frame: files of larger ones are too large to send. */
const MAX_PIXELS = 600_000;
const MAX_DENSITY = 2;
const FONT_SIZE = 12;

/**
 * @param svg  the picture as it is shown
 * @param onFrame  told the share that is done
 * @returns undefined if the picture is not drawn
 */
export async function recordingOf(
  { count, show, frame: before, textOf }: Reel,
  svg: () => string | undefined,
  onFrame: (share: number) => void,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const stride = Math.ceil(count / MAX_FRAMES);
  const shown = Array.from({ length: Math.ceil(count / stride) }, (_, k) => Math.min(count - 1, k * stride));
  if (shown.at(-1) !== count - 1) shown.push(count - 1);
  const canvas = document.createElement('canvas');
  const context = canvas.getContext('2d', { willReadFrequently: true });
  if (!context) return undefined;
  const frames: Uint8ClampedArray[] = [];
  try {
    for (const [k, frame] of shown.entries()) {
      show(frame);
      await drawn();
      const text = svg();
      if (text === undefined) return undefined;
      const image = await imageOf(text);
      const { naturalWidth: width, naturalHeight: height } = image;
      const density = Math.min(MAX_DENSITY, Math.max(1, Math.sqrt(MAX_PIXELS / (width * height))));
      // All frames have the size of the first one.
      if (k === 0) Object.assign(canvas, { width: Math.round(density * width), height: Math.round(density * height) });
      context.drawImage(image, 0, 0, canvas.width, canvas.height);
      stamp(context, textOf(frame), density);
      frames.push(context.getImageData(0, 0, canvas.width, canvas.height).data);
      onFrame((k + 1) / shown.length);
    }
  } finally {
    show(before);
  }
  const delay = Math.max(MIN_DELAY_CS, Math.round(DURATION_CS / frames.length));
  return gifOf({ width: canvas.width, height: canvas.height, delay, frames });
}

/** The time, in the lower right corner. */
function stamp(context: CanvasRenderingContext2D, text: string, density: number): void {
  const { width, height } = context.canvas;
  const style = getComputedStyle(document.body);
  context.font = `${FONT_SIZE * density}px ${style.fontFamily}`;
  context.fillStyle = style.getPropertyValue('--ink-soft');
  context.textAlign = 'right';
  context.fillText(text, width - FONT_SIZE * density, height - (FONT_SIZE / 2) * density);
}

/** Waits until effects, which paint canvases after a frame, are done. */
async function drawn(): Promise<void> {
  for (let k = 0; k < 2; k++) await new Promise((resolve) => requestAnimationFrame(resolve));
  await new Promise((resolve) => setTimeout(resolve));
}
