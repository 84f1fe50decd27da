import { mix } from './hash.ts'
import type { Situation } from './situation.ts'

/** Whose counts an expert goes by: this project's, everybody's, those of this kind of agent, or this session's. */
export type Scope = 'project' | 'all' | 'kind' | 'session'

export interface Expert {
  readonly name: string
  readonly scope: Scope
  /** Contexts with many symbols are kept in wider rows. */
  readonly wide?: boolean
  readonly context: (situation: Situation) => number
}

const template = (s: Situation, back: number): number => s.shapes[back] ?? 0
const text = (s: Situation, back: number): number => s.texts[back] ?? 0
const stub = (s: Situation, back: number): number => s.stubs[back] ?? 0
const failed = (s: Situation): number => s.failed
const place = (s: Situation): number => Math.min(s.trail.now.position, 4)

const stage = (s: Situation): number => 3 + Math.floor(Math.log2(1 + s.trail.now.position))
const sinceChange = (s: Situation): number => 5 + Math.min(s.edits === 0 ? s.trail.now.sinceChange : 0, 4)

const one = (s: Situation): number => s.one
const two = (s: Situation): number => s.two
const three = (s: Situation): number => s.three
const five = (s: Situation): number => s.five

const spread = (name: string, scopes: readonly Scope[], context: Expert['context'], wide = false): Expert[] =>
  scopes.map((scope) => ({ name: `${name}/${scope}`, scope, context, wide }))

/** The order is part of the learnt weights, here and below. */
export const TEMPLATE_EXPERTS: readonly Expert[] = [
  ...spread('often', ['project', 'kind', 'session'], () => 1, true),
  ...spread('cwd', ['project'], (s) => s.cwd, true),
  ...spread('after', ['project', 'kind', 'session'], one),
  ...spread('after-two', ['project', 'kind'], two),
  ...spread('after-three', ['project', 'all'], three),
  ...spread('after-five', ['project'], five),
  ...spread('after-text', ['project'], (s) => text(s, 0)),
  ...spread('after-outcome', ['project', 'kind'], (s) => mix(one(s), failed(s))),
  ...spread('after-stub', ['project', 'all'], (s) => mix(stub(s, 0), failed(s))),
  ...spread('after-stubs', ['project'], (s) => mix(mix(stub(s, 0), stub(s, 1)), failed(s))),
  ...spread('after-gap', ['project'], (s) => mix(template(s, 1), 7)),
  ...spread('after-skip', ['project'], (s) => mix(mix(template(s, 0), template(s, 2)), 5)),
  ...spread('after-tool', ['project', 'all'], (s) => mix(mix(one(s), s.tools), s.edits)),
  ...spread('tools', ['project'], (s) => s.toolTrail),
  ...spread('tool', ['project', 'kind'], (s) => mix(s.tools, s.edits)),
  ...spread('milestone', ['project'], (s) => mix(s.trail.now.milestone, Math.min(s.trail.now.sinceMilestone, 6))),
  ...spread('phase', ['project', 'kind'], (s) => mix(stage(s), stub(s, 0))),
  ...spread('since-change', ['project', 'kind'], (s) => mix(mix(sinceChange(s), stub(s, 0)), failed(s))),
  ...spread('late', ['kind'], (s) => mix(stage(s), sinceChange(s))),
  ...spread('place', ['project', 'kind'], (s) => mix(place(s), s.kind)),
  ...spread('error', ['project'], (s) => (s.trail.now.error === 0 ? 0 : mix(s.trail.now.error, stub(s, 0)))),
  ...spread('broken', ['project', 'all'], (s) => s.trail.now.broken?.shapeKey ?? 0),
  ...spread('edited', ['project'], (s) => s.lastEdited),
]

export const STUB_EXPERTS: readonly Expert[] = [
  ...spread('often', ['project', 'session'], () => 1, true),
  ...spread('after', ['project', 'all', 'session'], (s) => mix(stub(s, 0), failed(s))),
  ...spread('after-two', ['project', 'all'], (s) => mix(stub(s, 0), stub(s, 1))),
  ...spread('after-three', ['project'], (s) => mix(mix(stub(s, 0), stub(s, 1)), stub(s, 2))),
  ...spread('after-shape', ['project'], one),
  ...spread('after-tool', ['project'], (s) => mix(mix(stub(s, 0), s.tools), s.edits)),
]

export const TEXT_EXPERTS: readonly Expert[] = [
  ...spread('often', ['project', 'kind', 'session'], () => 1, true),
  ...spread('cwd', ['project'], (s) => s.cwd, true),
  ...spread('after', ['project', 'kind', 'session'], (s) => text(s, 0)),
  ...spread('after-two', ['project', 'session'], (s) => mix(text(s, 0), text(s, 1))),
  ...spread('after-three', ['project'], (s) => mix(mix(text(s, 0), text(s, 1)), text(s, 2))),
  ...spread('after-shape', ['project', 'kind', 'session'], one),
  ...spread('after-shapes', ['project'], two),
  ...spread('after-five', ['project'], five),
  ...spread('after-outcome', ['project'], (s) => mix(text(s, 0), failed(s))),
  ...spread('after-stub', ['project'], (s) => mix(stub(s, 0), failed(s))),
  ...spread('after-stubs', ['project'], (s) => mix(mix(stub(s, 0), stub(s, 1)), failed(s))),
  ...spread('after-gap', ['project'], (s) => mix(text(s, 1), 7)),
  ...spread('after-skip', ['project'], (s) => mix(mix(text(s, 0), text(s, 2)), 5)),
  ...spread('after-cwd', ['project'], (s) => mix(s.cwd, text(s, 0))),
  ...spread('shape-cwd', ['project'], (s) => mix(s.cwd, one(s))),
  ...spread('stub-cwd', ['project', 'session'], (s) => mix(s.cwd, stub(s, 0))),
  ...spread('after-tool', ['project'], (s) => mix(mix(one(s), s.tools), s.edits)),
  ...spread('since-change', ['project'], (s) => mix(mix(sinceChange(s), stub(s, 0)), failed(s))),
  ...spread('place', ['project'], (s) => mix(place(s), s.kind)),
  ...spread('broken', ['project'], (s) => s.trail.now.broken?.textKey ?? 0),
  ...spread('edited', ['project'], (s) => s.lastEdited),
]

const SCOPES: Readonly<Record<Scope, number>> = { project: 11, all: 12, kind: 13, session: 14 }

/** The context of an expert as a key, or 0 if it has nothing to go by. */
export function keyOf(expert: Expert, number: number, situation: Situation): number {
  const context = expert.context(situation)
  if (context === 0) return 0
  return mix(mix(mix(scopeKey(expert.scope, situation), SCOPES[expert.scope]), number + 1), context)
}

function scopeKey(scope: Scope, situation: Situation): number {
  if (scope === 'project') return situation.project
  if (scope === 'session') return situation.trail.id
  return scope === 'kind' ? situation.kind : 0
}
