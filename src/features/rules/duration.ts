const unitMs: Record<string, number> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/** `500ms`, `30s`, `10m`, `2h` or `7d`, as the schema has let it through. */
export const millisecondsOf = (duration: string): number =>
  Number.parseInt(duration, 10) * (unitMs[duration.replace(/^\d+/, '')] ?? 0)
