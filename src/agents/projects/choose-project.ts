import type { AliasKind } from '../../contract/project.ts'
import type { Facts } from './place-facts.ts'

/** The project that each alias of a place is known to be one of. */
export type Found = Readonly<Record<AliasKind, string | null>>

type Places = Pick<Facts, 'path' | 'remote' | 'root'>

/**
 * The project of a place by what is known; null for a new one. Its path comes first, so that nothing is lost from view
 * whatever becomes of the repository there. `has`: whether a project is known by an alias of that kind.
 */
export const chooseProject = (
  places: Places,
  found: Found,
  has: (project: string, kind: AliasKind) => boolean,
): { project: string | null; isSure: boolean } => {
  if (found.path !== null && !isReplaced(places, found, has)) return { project: found.path, isSure: true }
  if (found.remote !== null) return { project: found.remote, isSure: true }
  // Repositories made of one template share their first commit, not their remote.
  if (found.root === null || (places.remote !== null && has(found.root, 'remote')))
    return { project: null, isSure: true }
  return { project: found.root, isSure: false }
}

/** Neither remote nor first commit are what they were: another repository has been put there. */
const isReplaced = (
  { remote, root }: Places,
  found: Found,
  has: (project: string, kind: AliasKind) => boolean,
): boolean => {
  const project = found.path
  if (project === null || remote === null || root === null) return false
  const isStranger = found.remote !== project && found.root !== project
  return isStranger && has(project, 'remote') && has(project, 'root')
}

/**
 * Whether a place with the first commit of a project is that project, by what is now at the places where it was: it is
 * not at one of them any more, so it was moved; or one is where it was cloned from, or has the same remote. Else it is
 * only a likeness.
 */
export const isSameProject = (places: Places, others: readonly (Places | null)[]): boolean => {
  if (others.some((other) => other?.root !== places.root)) return true
  const { remote } = places
  if (remote === null) return false
  return others.some((other) => other?.remote === remote || other?.path.toLowerCase() === remote)
}
