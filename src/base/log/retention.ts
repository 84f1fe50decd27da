import type { Projector, Retention } from './projector.ts'

/** Nothing is made of these: they only tell what was. */
const byAge = ['notes', 'loops', 'rules', 'runs', 'advices'] as const

/** What happens to old records of each topic that has a rule; all others are kept. docs/database.md says it in words. */
export const retentionRules = (projectors: readonly Projector[]): ReadonlyMap<string, Retention> =>
  new Map<string, Retention>([
    ...byAge.map((topic) => [topic, { isSpare: () => true }] as const),
    ...projectors.flatMap(({ retention }) => Object.entries(retention ?? {})),
  ])
