// The index of the gallery, written when the portal is built: every example of every solver, with its thumbnail and the
// address that runs it.

import type { Subject } from '../../solvers/subject.ts';
import { loadJson } from '../kit/load-json.ts';
import type { MathNode } from '../kit/math-node.ts';

export interface GalleryCard {
  readonly title: string;
  /** What to look at, in one sentence; else what the thumbnail shows. */
  readonly look: string;
  /** Its own equations, in plain text. */
  readonly equations?: string;
  /** Address of the picture; none where the result has no picture. */
  readonly image?: string;
  /** What the picture shows. */
  readonly imageText?: string;
  /** Address of the page that runs it. */
  readonly href: string;
}

export interface GallerySolver {
  readonly id: string;
  readonly title: string;
  readonly subject: Subject;
  readonly domain: string;
  /** What is solved, a formula each. */
  readonly equations: readonly MathNode[];
  readonly cards: readonly GalleryCard[];
}

declare const __GALLERY__: string;

/** @throws Error if the index cannot be fetched */
export const loadGallery = () => loadJson<readonly GallerySolver[]>(__GALLERY__);
