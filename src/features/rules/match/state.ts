import type { z } from 'zod'
import type { StateMatcher } from '../../../contract/rule.ts'
import { wordGlobs } from '../glob.ts'
import { pathOf } from '../texts.ts'
import type { Subject, World } from '../types.ts'
import { type Check, plainFit } from './answer.ts'

type State = z.infer<typeof StateMatcher>
type Question = (world: World, subject: Subject) => boolean | Promise<boolean>

export const listed = <T>(given: T | T[]): T[] => (Array.isArray(given) ? given : [given])

const days = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] as const

const fitsName = (globs: string | string[]): ((name: string | null | undefined) => boolean) => {
  const fits = wordGlobs(listed(globs))
  return (name) => name !== null && name !== undefined && fits(name)
}

/** How each field is asked; one that is not given is not. */
const questions: { [Field in keyof State]-?: (wanted: NonNullable<State[Field]>) => Question } = {
  branch: (wanted) => {
    const fits = fitsName(wanted)
    return async (world) => fits(await world.branch())
  },
  dirty: (wanted) => async (world) => (await world.isDirty()) === wanted,
  agent: (wanted) => {
    const fits = fitsName(wanted)
    return ({ agent }) => fits(agent?.handle)
  },
  driver: (wanted) => {
    const fits = fitsName(wanted)
    return ({ agent }) => fits(agent?.driver)
  },
  host: (wanted) => {
    const fits = fitsName(wanted)
    return ({ agent }) => fits(agent?.host)
  },
  subagent: (wanted) => (world) => (world.agent?.isSubagent ?? false) === wanted,
  hours: (wanted) => (world) => {
    const [from = 0, to = 0] = wanted.split('-').map((clock) => {
      const [hours = 0, minutes = 0] = clock.split(':').map(Number)
      return hours * 60 + minutes
    })
    const now = new Date(world.now())
    const minute = now.getHours() * 60 + now.getMinutes()
    // `22:00-06:00` goes over midnight.
    return from <= to ? minute >= from && minute < to : minute >= from || minute < to
  },
  days: (wanted) => (world) => listed(wanted).some((day) => day === days[new Date(world.now()).getDay()]),
  lease: (wanted) => async (world, subject) => {
    const file = subject.surface === 'read' ? null : pathOf(subject)
    return file !== null && (await world.lease(file)) === wanted
  },
  budget_used: (wanted) => (world) => {
    const used = world.budgetUsed()
    return used !== null && used >= wanted
  },
}

/** All fields that are given must hold. */
export const stateCheck = (state: State): Check => {
  const asked = (Object.keys(state) as (keyof State)[]).flatMap((field) => {
    const wanted = state[field]
    return wanted === undefined ? [] : [questions[field](wanted as never)]
  })
  return async ({ world, subject }) => {
    for (const question of asked) if (!(await question(world, subject))) return null
    return plainFit
  }
}
