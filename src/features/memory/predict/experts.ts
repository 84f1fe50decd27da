import { mix } from './hash.ts'
import type { Situation } from './situation.ts'

/** Whose counts an expert uses: this project's, everybody's, those of this kind of agent, or this session's. */
type Scope = 'project' | 'all' | 'kind' | 'session'

export interface Expert {
  readonly name: string
  readonly scope: Scope
  /** Contexts with many symbols are kept in wider rows. */
  readonly wide?: boolean
  readonly context: (situation: Situation) => number
}

const shape = (s: Situation, back: number): number => s.trail.steps[back]?.shapeKey ?? 0
const text = (s: Situation, back: number): number => s.trail.steps[back]?.textKey ?? 0
const stub = (s: Situation, back: number): number => s.trail.steps[back]?.stub ?? 0
const place = (s: Situation): number => mix(Math.min(s.trail.now.position, 4), s.kind)
const stage = (s: Situation): number => 3 + Math.floor(Math.log2(1 + s.trail.now.position))
const sinceChange = (s: Situation): number => 5 + Math.min(s.edits === 0 ? s.trail.now.sinceChange : 0, 4)

const spread = (name: string, scopes: readonly Scope[], context: Expert['context'], wide = false): Expert[] =>
  scopes.map((scope) => ({ name: `${name}/${scope}`, scope, context, wide }))

/** The order is part of the trained weights, here and below. */
export const templateExperts: readonly Expert[] = [
  ...spread('often', ['project', 'kind', 'session'], () => 1, true),
  ...spread('cwd', ['project'], (s) => s.cwd, true),
  ...spread('after', ['project', 'kind', 'session'], (s) => s.one),
  ...spread('after-two', ['project', 'kind'], (s) => s.two),
  ...spread('after-three', ['project', 'all'], (s) => s.three),
  ...spread('after-five', ['project'], (s) => s.five),
  ...spread('after-text', ['project'], (s) => text(s, 0)),
  ...spread('after-outcome', ['project', 'kind'], (s) => mix(s.one, s.failed)),
  ...spread('after-stub', ['project', 'all'], (s) => mix(stub(s, 0), s.failed)),
  ...spread('after-stubs', ['project'], (s) => mix(mix(stub(s, 0), stub(s, 1)), s.failed)),
  ...spread('after-gap', ['project'], (s) => mix(shape(s, 1), 7)),
  ...spread('after-skip', ['project'], (s) => mix(mix(shape(s, 0), shape(s, 2)), 5)),
  ...spread('after-tool', ['project', 'all'], (s) => mix(mix(s.one, s.tools), s.edits)),
  ...spread('tools', ['project'], (s) => s.toolTrail),
  ...spread('tool', ['project', 'kind'], (s) => mix(s.tools, s.edits)),
  ...spread('milestone', ['project'], (s) => mix(s.trail.now.milestone, Math.min(s.trail.now.sinceMilestone, 6))),
  ...spread('phase', ['project', 'kind'], (s) => mix(stage(s), stub(s, 0))),
  ...spread('since-change', ['project', 'kind'], (s) => mix(mix(sinceChange(s), stub(s, 0)), s.failed)),
  ...spread('late', ['kind'], (s) => mix(stage(s), sinceChange(s))),
  ...spread('place', ['project', 'kind'], place),
  ...spread('error', ['project'], (s) => (s.trail.now.error === 0 ? 0 : mix(s.trail.now.error, stub(s, 0)))),
  ...spread('broken', ['project', 'all'], (s) => s.trail.now.broken?.shapeKey ?? 0),
  ...spread('edited', ['project'], (s) => s.lastEdited),
]

export const stubExperts: readonly Expert[] = [
  ...spread('often', ['project', 'session'], () => 1, true),
  ...spread('after', ['project', 'all', 'session'], (s) => mix(stub(s, 0), s.failed)),
  ...spread('after-two', ['project', 'all'], (s) => mix(stub(s, 0), stub(s, 1))),
  ...spread('after-three', ['project'], (s) => mix(mix(stub(s, 0), stub(s, 1)), stub(s, 2))),
  ...spread('after-shape', ['project'], (s) => s.one),
  ...spread('after-tool', ['project'], (s) => mix(mix(stub(s, 0), s.tools), s.edits)),
]

export const textExperts: readonly Expert[] = [
  ...spread('often', ['project', 'kind', 'session'], () => 1, true),
  ...spread('cwd', ['project'], (s) => s.cwd, true),
  ...spread('after', ['project', 'kind', 'session'], (s) => text(s, 0)),
  ...spread('after-two', ['project', 'session'], (s) => mix(text(s, 0), text(s, 1))),
  ...spread('after-three', ['project'], (s) => mix(mix(text(s, 0), text(s, 1)), text(s, 2))),
  ...spread('after-shape', ['project', 'kind', 'session'], (s) => s.one),
  ...spread('after-shapes', ['project'], (s) => s.two),
  ...spread('after-five', ['project'], (s) => s.five),
  ...spread('after-outcome', ['project'], (s) => mix(text(s, 0), s.failed)),
  ...spread('after-stub', ['project'], (s) => mix(stub(s, 0), s.failed)),
  ...spread('after-stubs', ['project'], (s) => mix(mix(stub(s, 0), stub(s, 1)), s.failed)),
  ...spread('after-gap', ['project'], (s) => mix(text(s, 1), 7)),
  ...spread('after-skip', ['project'], (s) => mix(mix(text(s, 0), text(s, 2)), 5)),
  ...spread('after-cwd', ['project'], (s) => mix(s.cwd, text(s, 0))),
  ...spread('shape-cwd', ['project'], (s) => mix(s.cwd, s.one)),
  ...spread('stub-cwd', ['project', 'session'], (s) => mix(s.cwd, stub(s, 0))),
  ...spread('after-tool', ['project'], (s) => mix(mix(s.one, s.tools), s.edits)),
  ...spread('since-change', ['project'], (s) => mix(mix(sinceChange(s), stub(s, 0)), s.failed)),
  ...spread('place', ['project'], place),
  ...spread('broken', ['project'], (s) => s.trail.now.broken?.textKey ?? 0),
  ...spread('edited', ['project'], (s) => s.lastEdited),
]

const scopeKeys: Readonly<Record<Scope, (situation: Situation) => number>> = {
  project: (s) => mix(s.project, 11),
  all: () => mix(0, 12),
  kind: (s) => mix(s.kind, 13),
  session: (s) => mix(s.trail.id, 14),
}

/** The context of an expert as a key, or 0 if there is none. */
export const contextKey = (expert: Expert, number: number, situation: Situation): number => {
  const context = expert.context(situation)
  return context === 0 ? 0 : mix(mix(scopeKeys[expert.scope](situation), number + 1), context)
}
