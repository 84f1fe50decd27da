import type { PathText } from '../snapshots/path-text.ts'
import { pathBytes } from '../snapshots/path-text.ts'
import { limits } from './limits.ts'

/** What HFS+ does not see in a name. */
const unseen = /[\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]/g
/** As Windows spells it: short names, streams, and what it drops at the end. */
const gitName = /^(\.git|git~\d+)[ .]*(:.*)?$/i

/** A name that means, or could mean, something else than a file in its directory. */
const isHostileName = (name: string): boolean =>
  name === '' ||
  name === '.' ||
  name === '..' ||
  name.includes('\\') ||
  name.includes('/') ||
  /[\u0000-\u001f\u007f]/.test(name) ||
  gitName.test(name.replaceAll(unseen, '')) ||
  Buffer.byteLength(name) > 255

export const isSafeName = (name: PathText): boolean => !isHostileName(name)

/** A path below the work tree, in which each name is what it seems to be. */
export const isSafePath = (path: PathText): boolean =>
  pathBytes(path).length <= limits.pathBytes &&
  path.split('/').length <= limits.pathDepth &&
  path.split('/').every(isSafeName)

/** Where a link leads must lie in the work tree. After a name `..` is refused: that name may be a link itself. */
export const isSafeLink = (path: PathText, target: string): boolean => {
  const names = target.split('/')
  const down = names.findIndex((name) => name !== '..')
  const [up, rest] = down < 0 ? [names.length, []] : [down, names.slice(down)]
  return (
    up < path.split('/').length && rest.every((name, at) => (name === '' && at > 0) || name === '.' || isSafeName(name))
  )
}
