import type { Moment } from './event.ts'
import { hashText, mix } from './hash.ts'
import type { Trail } from './trail.ts'

/** Everything experts look at, as numbers. */
export interface Situation {
  readonly project: number
  readonly kind: number
  readonly cwd: number
  readonly tools: number
  readonly toolTrail: number
  readonly edits: number
  readonly lastEdited: number
  /** Files changed since the previous command, as a command would name them. */
  readonly edited: readonly string[]
  readonly trail: Trail
  /** 1 if the last command failed. */
  readonly failed: number
  /** The last one, two, three and five templates in one number each. */
  readonly one: number
  readonly two: number
  readonly three: number
  readonly five: number
}

export const readSituation = ({ project, agent, cwd, tools = [], edited = [] }: Moment, trail: Trail): Situation => {
  const last = edited.at(-1) ?? ''
  const extension = /\.\w+$/.exec(last)?.[0] ?? ''
  const [one = 0, second = 0, third = 0, fourth = 0, fifth = 0] = trail.steps.map(({ shapeKey }) => shapeKey)
  const two = mix(one, second)
  const three = mix(two, third)
  return {
    project: hashText(project),
    kind: hashText(agent),
    cwd: hashText(cwd),
    tools: hashText(tools.at(-1) ?? ''),
    toolTrail: tools.slice(-2).reduce((hash, tool) => mix(hash, hashText(tool)), Math.min(tools.length, 3)),
    edits: edited.length === 0 ? 0 : mix(hashText(extension), Math.min(edited.length, 2)),
    lastEdited: hashText(last),
    edited: edited.map((file) => (cwd !== '' && file.startsWith(`${cwd}/`) ? file.slice(cwd.length + 1) : file)),
    trail,
    failed: trail.steps[0]?.failed === true ? 1 : 0,
    one,
    two,
    three,
    five: mix(mix(three, fourth), fifth),
  }
}
