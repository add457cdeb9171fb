// Pictures that callers send, made harmless: known by their content, measured before they are decoded, encoded again so that
// nothing but pixels is left of them.

import { Worker } from 'node:worker_threads';
import { DomainError } from '../../core/errors.ts';
import { LIMITS } from '../../core/limits.ts';
import { OneAtATime } from '../node/one-at-a-time.ts';
import { type ImageHeader, readImageHeader } from './image-header.ts';
import type { ImageReport, ImageTask } from './image-worker.ts';

export interface CleanImage extends ImageHeader {
  readonly bytes: Uint8Array;
}

// Node runs the sources in the repository and the compiled files in the published package.
const SCRIPT = new URL(import.meta.url.endsWith('.ts') ? './image-worker.ts' : './image-worker.js', import.meta.url);
const RESOURCES = { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 32 };
const MOST_WAITING = 16;
const { bytes: mostBytes, side, storedBytes, deadlineMs } = LIMITS.tally.avatar;

export class ImageCleaner {
  readonly #alone = new OneAtATime();
  #waiting = 0;

  /** @throws DomainError VALIDATION_FAILED naming `field`, BODY_TOO_LARGE, QUEUE_FULL */
  async clean(bytes: Uint8Array<ArrayBuffer>, field: string): Promise<CleanImage> {
    if (bytes.length > mostBytes) {
      throw new DomainError('BODY_TOO_LARGE', `${field} has ${bytes.length} bytes; at most ${mostBytes} are allowed.`);
    }
    const header = readImageHeader(bytes);
    if (header === undefined) throw refusal(field, 'FORMAT', 'is no PNG, JPEG or WebP picture');
    const { mediaType, width, height } = header;
    if (Math.min(width, height) < 1 || Math.max(width, height) > side) {
      throw refusal(field, 'DIMENSIONS', `is ${width} × ${height} pixels; 1 to ${side} each way are allowed`);
    }
    const report = await this.#inTurn({ bytes, mediaType });
    if ('fault' in report) throw refusal(field, 'UNREADABLE', `is a ${mediaType} that cannot be decoded`);
    if (report.width * report.height !== width * height) {
      throw refusal(field, 'DIMENSIONS', `says ${width} × ${height} pixels and has ${report.width} × ${report.height}`);
    }
    if (report.bytes.length > storedBytes) {
      const message = `${field} has ${report.bytes.length} bytes when it is encoded again; ${storedBytes} are stored.`;
      throw new DomainError('BODY_TOO_LARGE', message);
    }
    return { mediaType, ...report };
  }

  /** One picture at a time: there is memory for one, and other work to do. */
  async #inTurn(task: ImageTask): Promise<ImageReport> {
    if (this.#waiting >= MOST_WAITING) {
      const message = `${MOST_WAITING} pictures are waiting to be encoded; try again.`;
      throw new DomainError('QUEUE_FULL', message, { retryAfterSeconds: 5 });
    }
    this.#waiting++;
    try {
      return await this.#alone.run('image', () => inThread(task));
    } finally {
      this.#waiting--;
    }
  }
}

/** Whatever the thread dies of, or if it does not come back in time, it is the picture's fault. */
async function inThread(workerData: ImageTask): Promise<ImageReport> {
  // Codecs talk about what they cannot read; nobody listens.
  const silence = { stdout: true, stderr: true };
  const worker = new Worker(SCRIPT, { workerData, env: {}, resourceLimits: RESOURCES, ...silence });
  const report = await new Promise<ImageReport>((resolve) => {
    const timer = setTimeout(() => resolve({ fault: 'out of time' }), deadlineMs);
    const settle = (one: ImageReport) => {
      clearTimeout(timer);
      resolve(one);
    };
    worker.once('message', settle);
    worker.once('error', (error) => settle({ fault: String(error) }));
    worker.once('exit', (code) => settle({ fault: `ended with code ${code}` }));
  });
  await worker.terminate();
  return report;
}

function refusal(field: string, code: string, what: string): DomainError {
  const message = `${field} ${what}.`;
  return new DomainError('VALIDATION_FAILED', message, { details: [{ path: field, code, message }] });
}
