// The kinds of triggers that fire at a time of their own, and what becomes of occurrences that were missed.

export const TIMER_KINDS = ['one_shot', 'recurring', 'cron', 'deadline', 'schedule'] as const;

export const isTimed = ({ kind }: { readonly kind: string }): boolean => TIMER_KINDS.some((timed) => timed === kind);

export interface CatchUp {
  readonly mode: 'one' | 'all' | 'skip';
  /** Maximum number of missed occurrences that mode `all` fires. */
  readonly maxFires: number;
  /** Occurrences older than this are dropped. */
  readonly grace: number;
}
