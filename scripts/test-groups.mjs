// The groups of tests, one vitest project each. `npm test` runs the first tier, `npm run test:full` both.

/** Seconds are those of two idle cores. A group's folder says which tests belong to it: see CONTRIBUTING.md. */
export const GROUPS = [
  { name: 'unit', tier: 'test', seconds: 45 },
  { name: 'process', tier: 'test', seconds: 200 },
  { name: 'proof', tier: 'test', seconds: 80 },
  { name: 'e2e', tier: 'full', seconds: 900 },
  { name: 'conformance', tier: 'full', seconds: 400 },
  { name: 'long', tier: 'full', seconds: 200 },
]

export const namesOfTier = (tier) =>
  GROUPS.filter((group) => tier === 'full' || group.tier === 'test').map((group) => group.name)

/** Property tests try the same values in every `npm test`; `npm run test:full` tries new ones. */
export const FIXED_SEED = 3
