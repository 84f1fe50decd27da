import { ReinError } from '../../contract/errors.ts'
import { projectName } from '../../contract/handle.ts'
import { hintNearest } from '../../base/util/nearest.ts'

/** Whether a project may be called so: by its whole name, or by that without its digits. */
export const isNamed = (project: string, given: string): boolean => project === given || projectName(project) === given

/** The known project that a name means: exactly, or without its digits where only one has this name. */
export const resolveProject = (known: readonly string[], given: string): string => {
  if (known.includes(given)) return given
  const named = known.filter((project) => isNamed(project, given))
  const [only, ...others] = named
  const name = JSON.stringify(given)
  if (only === undefined) {
    const all = known.length === 0 ? 'None is known yet.' : `There are: ${known.slice(0, mostNamed).join(', ')}.`
    throw new ReinError('not_found', `There is no project ${name}.`, hintNearest(given, known, all))
  }
  if (others.length === 0) return only
  throw new ReinError('usage', `There are ${named.length} projects ${name}.`, `Say which: ${named.join(', ')}.`)
}

const mostNamed = 10
