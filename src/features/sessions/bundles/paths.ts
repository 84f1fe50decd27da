import type { PathText } from '../snapshots/path-text.ts'
import { pathBytes } from '../snapshots/path-text.ts'
import { limits } from './limits.ts'

/** Characters that HFS+ ignores in a name. */
const unseen = /[\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]/g
/** How Windows may spell it: short names, streams, and endings that it drops. */
const gitName = /^(\.git|git~\d+)[ .]*(:.*)?$/i

/** A name that can mean nothing but a file in its directory. */
export const isSafeName = (name: PathText): boolean =>
  name !== '' &&
  name !== '.' &&
  name !== '..' &&
  !/[\u0000-\u001f\u007f\\/]/.test(name) &&
  !gitName.test(name.replaceAll(unseen, '')) &&
  Buffer.byteLength(name) <= 255

/** A path below the work tree, of safe names. */
export const isSafePath = (path: PathText): boolean =>
  pathBytes(path).length <= limits.pathBytes &&
  path.split('/').length <= limits.pathDepth &&
  path.split('/').every(isSafeName)

/** A link must lead into the work tree. `..` after a name is refused: that name may be a link itself. */
export const isSafeLink = (path: PathText, target: string): boolean => {
  const names = target.split('/')
  const down = names.findIndex((name) => name !== '..')
  const [up, rest] = down < 0 ? [names.length, []] : [down, names.slice(down)]
  return (
    up < path.split('/').length && rest.every((name, at) => (name === '' && at > 0) || name === '.' || isSafeName(name))
  )
}
