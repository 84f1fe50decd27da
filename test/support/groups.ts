/** The groups of tests, one vitest project each. `npm test` runs the first tier, `npm run test:full` both. */
export interface Group {
  name: string
  tier: 'test' | 'full'
  /** How long it takes on two idle cores. */
  seconds: number
}

/** A group's folder says which tests belong to it: see CONTRIBUTING.md. */
export const groups: readonly Group[] = [
  { name: 'unit', tier: 'test', seconds: 45 },
  { name: 'process', tier: 'test', seconds: 200 },
  { name: 'proof', tier: 'test', seconds: 80 },
  { name: 'e2e', tier: 'full', seconds: 900 },
  { name: 'web', tier: 'full', seconds: 240 },
  { name: 'conformance', tier: 'full', seconds: 400 },
  { name: 'long', tier: 'full', seconds: 200 },
]

export const groupsOfTier = (tier: Group['tier']): Group[] =>
  groups.filter((group) => tier === 'full' || group.tier === 'test')

/** The command that repeats one failed test with the same seed; without names, its whole file. */
export const repeatCommand = (file: string, names: readonly string[], seed?: string): string => {
  const pattern = names.join(' ').replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
  const quoted = `'${pattern.replaceAll("'", String.raw`'\''`)}'`
  const run = `npm test -- ${file}${names.length === 0 ? '' : ` -t ${quoted}`}`
  return seed === undefined ? run : `REIN_TEST_SEED=${seed} ${run}`
}
