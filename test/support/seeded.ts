/** Numbers from 0 to 1 that come again with the same seed (mulberry32). */
export const seeded = (seed: number): (() => number) => {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** The same in every `npm test`; `npm run test:full` chooses a new one and prints it. */
export const testSeed = Number(process.env['REIN_TEST_SEED'] ?? 3)
