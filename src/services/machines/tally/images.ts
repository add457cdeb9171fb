// Sanitizes uploaded images: detects the format from the content, checks dimensions before decoding, and re-encodes to
// strip everything but pixels.

import { Worker } from 'node:worker_threads';
import { DomainError } from '../../../core/errors.ts';
import { LIMITS } from '../../../core/limits.ts';
import { KeyedMutex } from '../../node/keyed-mutex.ts';
import { type ImageHeader, readImageHeader } from './image-header.ts';
import type { ImageReport, ImageTask } from './image-worker.ts';

export interface CleanImage extends ImageHeader {
  readonly bytes: Uint8Array;
}

// Node runs the sources in the repository and the compiled files in the published package.
const SCRIPT = new URL(import.meta.url.endsWith('.ts') ? './image-worker.ts' : './image-worker.js', import.meta.url);
const WORKER_LIMITS = { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 32 };
const MAX_WAITING = 16;
const { bytes: maxBytes, side, storedBytes, deadlineMs } = LIMITS.tally.avatar;

export class ImageCleaner {
  readonly #mutex = new KeyedMutex();
  #waiting = 0;

  /** @throws DomainError VALIDATION_FAILED naming `field`, BODY_TOO_LARGE, QUEUE_FULL */
  async clean(bytes: Uint8Array<ArrayBuffer>, field: string): Promise<CleanImage> {
    if (bytes.length > maxBytes) {
      throw new DomainError('BODY_TOO_LARGE', `${field} must have at most ${maxBytes} bytes, not ${bytes.length}.`);
    }
    const header = readImageHeader(bytes);
    if (header === undefined) throw refusal(field, 'FORMAT', 'must be a PNG, JPEG or WebP image');
    const { mediaType, width, height } = header;
    if (Math.min(width, height) < 1 || Math.max(width, height) > side) {
      throw refusal(field, 'DIMENSIONS', `must have 1 to ${side} pixels in width and height, not ${width} × ${height}`);
    }
    const report = await this.#enqueue({ bytes, mediaType });
    if ('fault' in report) throw refusal(field, 'UNREADABLE', `cannot be decoded as ${mediaType}`);
    if (report.width * report.height !== width * height) {
      throw refusal(
        field,
        'DIMENSIONS',
        `must match its header of ${width} × ${height} pixels, not ${report.width} × ${report.height}`,
      );
    }
    if (report.bytes.length > storedBytes) {
      const message = `${field} must have at most ${storedBytes} bytes after re-encoding, not ${report.bytes.length}.`;
      throw new DomainError('BODY_TOO_LARGE', message);
    }
    return { mediaType, ...report };
  }

  /** Processes one image at a time to bound memory. */
  async #enqueue(task: ImageTask): Promise<ImageReport> {
    if (this.#waiting >= MAX_WAITING) {
      const message = `Queue limit of ${MAX_WAITING} images reached; try again.`;
      throw new DomainError('QUEUE_FULL', message, { retryAfterSeconds: 5 });
    }
    this.#waiting++;
    try {
      return await this.#mutex.runExclusive('image', () => runInWorker(task));
    } finally {
      this.#waiting--;
    }
  }
}

/** Attributes every worker failure, including a timeout, to the image. */
async function runInWorker(workerData: ImageTask): Promise<ImageReport> {
  // Discard the codecs' diagnostics.
  const discardOutput = { stdout: true, stderr: true };
  const worker = new Worker(SCRIPT, { workerData, env: {}, resourceLimits: WORKER_LIMITS, ...discardOutput });
  const report = await new Promise<ImageReport>((resolve) => {
    const timer = setTimeout(() => resolve({ fault: 'timeout' }), deadlineMs);
    const settle = (report: ImageReport) => {
      clearTimeout(timer);
      resolve(report);
    };
    worker.once('message', settle);
    worker.once('error', (error) => settle({ fault: String(error) }));
    worker.once('exit', (code) => settle({ fault: `exited with code ${code}` }));
  });
  await worker.terminate();
  return report;
}

function refusal(field: string, code: string, problem: string): DomainError {
  const message = `${field} ${problem}.`;
  return new DomainError('VALIDATION_FAILED', message, { details: [{ path: field, code, message }] });
}
