import { lstatSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Agent } from '../../contract/agent.ts'
import { ReinError } from '../../contract/errors.ts'
import { escapeUnsafe } from '../../base/util/visible.ts'

/** A prompt may be an argument of a command, and that has its limit. */
const maxCharacters = 60_000

/** In the agent's own directory: a sandboxed CLI writes nowhere else, and others ask first. */
export const handoverPath = ({ cwd, handle }: Agent): string => join(cwd, '.rein/handover', `${handle}.md`)

/** Makes room for a handover where no version control will find it. */
export const prepareHandover = (path: string): void => {
  const link = linkTo(path)
  if (link !== null) throw new ReinError('refused', `${link} is a link: no handover is written there.`)
  mkdirSync(dirname(path), { recursive: true })
  ignoreAll(join(dirname(path), '.gitignore'))
}

/** Null if there is none, or nothing in it. */
export const handoverWrittenAt = (path: string): number | null => {
  const stats = linkTo(path) === null ? lstatSync(path, { throwIfNoEntry: false }) : undefined
  return stats?.isFile() === true && stats.size > 0 ? stats.mtimeMs : null
}

export const readHandover = (path: string): string => {
  const text = escapeUnsafe(readFileSync(path, 'utf8').trim())
  if (text.length <= maxCharacters) return text
  return `${text.slice(0, maxCharacters)}\n… The rest is in ${path}.`
}

/** The directory comes with a repository: a link in it could lead Rein to files that the agent itself may not touch. */
const linkTo = (path: string): string | null => {
  const directories = [dirname(dirname(path)), dirname(path)]
  return directories.find((each) => lstatSync(each, { throwIfNoEntry: false })?.isSymbolicLink() === true) ?? null
}

/** What is there already is not Rein's. */
const ignoreAll = (path: string): void => {
  try {
    writeFileSync(path, '*\n', { flag: 'wx' })
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'EEXIST') throw cause
  }
}
