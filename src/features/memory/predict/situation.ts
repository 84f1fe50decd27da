import type { Moment } from './event.ts'
import { hashText, mix } from './hash.ts'
import type { Trail } from './trail.ts'

/** All that experts look at, as numbers. */
export interface Situation {
  readonly project: number
  readonly kind: number
  readonly cwd: number
  readonly tools: number
  readonly toolTrail: number
  readonly edits: number
  readonly lastEdited: number
  /** Files changed since the command before, as a command would name them. */
  readonly edited: readonly string[]
  readonly trail: Trail
  /** The last commands, newest first: templates, lines, programs with subcommand. */
  readonly shapes: readonly number[]
  readonly texts: readonly number[]
  readonly stubs: readonly number[]
  /** 1 if the last command failed. */
  readonly failed: number
  /** The last one, two, three and five templates in one number each. */
  readonly one: number
  readonly two: number
  readonly three: number
  readonly five: number
}

const LOOK_BACK = 5

const toolsKey = (tools: readonly string[]): number => {
  let hash = Math.min(tools.length, 3)
  for (const tool of tools.slice(-2)) hash = mix(hash, hashText(tool))
  return hash
}
const relative = (file: string, cwd: string): string =>
  cwd !== '' && file.startsWith(`${cwd}/`) ? file.slice(cwd.length + 1) : file

const extension = (file: string): string => /\.\w+$/.exec(file)?.[0] ?? ''

export function situationOf(moment: Moment, trail: Trail): Situation {
  const tools = moment.tools ?? []
  const edited = moment.edited ?? []
  const last = edited.at(-1) ?? ''
  return {
    project: hashText(moment.project),
    kind: hashText(moment.agent),
    cwd: hashText(moment.cwd),
    tools: hashText(tools.at(-1) ?? ''),
    toolTrail: toolsKey(tools),
    edits: edited.length === 0 ? 0 : mix(hashText(extension(last)), Math.min(edited.length, 2)),
    lastEdited: hashText(last),
    edited: edited.map((file) => relative(file, moment.cwd)),
    trail,
    ...lastSteps(trail),
  }
}

function lastSteps(trail: Trail) {
  const shapes = [0, 0, 0, 0, 0]
  const texts = [0, 0, 0, 0, 0]
  const stubs = [0, 0, 0, 0, 0]
  for (let back = 0; back < LOOK_BACK; back++) {
    const step = trail.steps[back]
    if (step === undefined) break
    shapes[back] = step.shapeKey
    texts[back] = step.textKey
    stubs[back] = step.stub
  }
  const [one = 0, second = 0, third = 0, fourth = 0, fifth = 0] = shapes
  const two = mix(one, second)
  const three = mix(two, third)
  const failed = trail.step(0)?.failed === true ? 1 : 0
  return { shapes, texts, stubs, failed, one, two, three, five: mix(mix(three, fourth), fifth) }
}
