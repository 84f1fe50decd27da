import type { Projector, Retention } from './projector.ts'

/** Nothing is made of these: they only tell what was. */
const byAge = ['notes', 'loops', 'rules', 'runs', 'advices'] as const

/** The retention rule of each topic that has one; all other records are kept. See docs/database.md. */
export const retentionRules = (projectors: readonly Projector[]): ReadonlyMap<string, Retention> =>
  new Map<string, Retention>([
    ...byAge.map((topic) => [topic, { isSpare: () => true }] as const),
    ...projectors.flatMap(({ retention }) => Object.entries(retention ?? {})),
  ])
