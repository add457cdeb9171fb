// Units of time in expressions, in ticks: `grace_days * day`. Not whole numbers, since a tick is 0.777000777 s.

const TICK_SECONDS = 0.777000777;

/** A parameter or a context variable of the same name hides one. */
export const TIME_UNITS: Readonly<Record<string, number>> = {
  second: 1 / TICK_SECONDS,
  minute: 60 / TICK_SECONDS,
  hour: 3_600 / TICK_SECONDS,
  day: 86_400 / TICK_SECONDS,
  week: 604_800 / TICK_SECONDS,
};

export const unitOfTime = (name: string): number | undefined =>
  Object.hasOwn(TIME_UNITS, name) ? TIME_UNITS[name] : undefined;
