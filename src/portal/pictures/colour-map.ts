// Perceptually uniform colour map: lightness rises evenly while the hue turns from blue to yellow, so that equal steps
// in value look equal and the order survives in greyscale.
//
// OKLab and its conversion to linear sRGB: Björn Ottosson, https://bottosson.github.io/posts/oklab/.
// The sRGB transfer function: IEC 61966-2-1.

const STEPS = 256;

/** 256 opaque RGBA values in the byte order of ImageData. */
export const FIELD_COLOURS: Uint32Array = Uint32Array.from({ length: STEPS }, (_, step) => {
  const t = step / (STEPS - 1);
  const lightness = 0.16 + 0.8 * t;
  // Hue 285° (blue violet) → 95° (yellow) the short way through red; chroma peaks in the middle.
  const hue = ((285 + 170 * t) * Math.PI) / 180;
  const chroma = 0.04 + 0.36 * t * (1 - t) + 0.06 * t;
  return rgbaWord(lightness, chroma, hue);
});

/** As FIELD_COLOURS, for values about zero: blue below, light in the middle, red above. */
export const SIGNED_COLOURS: Uint32Array = Uint32Array.from({ length: STEPS }, (_, step) => {
  const t = (2 * step) / (STEPS - 1) - 1;
  const depth = Math.abs(t);
  const hue = ((t < 0 ? 255 : 35) * Math.PI) / 180;
  return rgbaWord(0.97 - 0.6 * depth, 0.24 * depth * (1 - 0.42 * depth), hue);
});

function rgbaWord(lightness: number, chroma: number, hue: number): number {
  const a = chroma * Math.cos(hue);
  const b = chroma * Math.sin(hue);
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  const red = srgbByte(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s);
  const green = srgbByte(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s);
  const blue = srgbByte(-0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s);
  return new Uint32Array(Uint8Array.of(red, green, blue, 255).buffer)[0] ?? 0;
}

function srgbByte(linear: number): number {
  const clipped = Math.min(1, Math.max(0, linear));
  const encoded = clipped <= 0.0031308 ? 12.92 * clipped : 1.055 * clipped ** (1 / 2.4) - 0.055;
  return Math.round(255 * encoded);
}

/** Paints a row-major field with its first row at the bottom; what is no number stays transparent. */
export function paintField(
  image: { readonly width: number; readonly height: number; readonly data: { readonly buffer: ArrayBufferLike } },
  field: ArrayLike<number>,
  [min, max]: readonly [number, number],
  colours: Uint32Array = FIELD_COLOURS,
): void {
  const { width, height } = image;
  const pixels = new Uint32Array(image.data.buffer);
  const scale = max > min ? (STEPS - 1) / (max - min) : 0;
  for (let y = 0; y < height; y++) {
    const row = (height - 1 - y) * width;
    for (let x = 0; x < width; x++) {
      const step = Math.round(((field[row + x] ?? 0) - min) * scale);
      pixels[y * width + x] = colours[Math.min(STEPS - 1, Math.max(0, step))] ?? 0;
    }
  }
}

/** Pixels along the longer side of a smooth map, about. */
const SMOOTH_PIXELS = 640;

/** Pixels along one cell of a smooth map. */
export const smoothFactor = (columns: number, rows: number) =>
  Math.max(1, Math.round(SMOOTH_PIXELS / Math.max(columns, rows)));

/**
 * A row-major field with `factor` by `factor` values for each of its own, linear between the middles of cells. Beyond
 * the outermost middles, and beside what is no finite number, values are those of the nearest cell.
 */
export function smoothed(field: ArrayLike<number>, columns: number, rows: number, factor: number): Float64Array {
  const [across, up] = [placesOf(columns, factor), placesOf(rows, factor)];
  const fine = new Float64Array(columns * factor * rows * factor);
  let at = 0;
  for (const { low: below, high: above, share: v } of up) {
    for (const { low: left, high: right, share: u } of across) {
      const a = field[below * columns + left] ?? Number.NaN;
      const b = field[below * columns + right] ?? Number.NaN;
      const c = field[above * columns + left] ?? Number.NaN;
      const d = field[above * columns + right] ?? Number.NaN;
      const value = (1 - v) * ((1 - u) * a + u * b) + v * ((1 - u) * c + u * d);
      const nearest = v < 0.5 ? (u < 0.5 ? a : b) : u < 0.5 ? c : d;
      fine[at++] = Number.isFinite(value) ? value : nearest;
    }
  }
  return fine;
}

/** Of each fine place along a side: the cells whose middles it lies between, and how near it is to the higher one. */
function placesOf(count: number, factor: number) {
  return Array.from({ length: count * factor }, (_, k) => {
    const place = Math.min(count - 1, Math.max(0, (k + 0.5) / factor - 0.5));
    const low = Math.floor(place);
    return { low, high: Math.min(count - 1, low + 1), share: place - low };
  });
}

/** The colour of a value in a range, for vector graphics; undefined if the value is not finite. */
export function cssColour(value: number, [min, max]: readonly [number, number]): string | undefined {
  const share = max > min ? (value - min) / (max - min) : 0;
  if (!Number.isFinite(share)) return undefined;
  const word = FIELD_COLOURS[Math.round(Math.min(1, Math.max(0, share)) * (STEPS - 1))] ?? 0;
  const [red, green, blue] = new Uint8Array(Uint32Array.of(word).buffer);
  return `rgb(${red} ${green} ${blue})`;
}
