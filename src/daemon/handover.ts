import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Agent } from '../contract/agent.ts'

/** A prompt may be an argument of a command, and that has its limit. */
const maxCharacters = 60_000

/** In the agent's own directory: a sandboxed CLI writes nowhere else, and others ask first. */
export const handoverPath = ({ cwd, handle }: Agent): string => join(cwd, '.rein/handover', `${handle}.md`)

/** Makes room for a handover where no version control will find it. */
export const prepareHandover = (path: string): void => {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(join(dirname(path), '.gitignore'), '*\n')
}

/** Null if there is none, or nothing in it. */
export const handoverWrittenAt = (path: string): number | null => {
  const stats = statSync(path, { throwIfNoEntry: false })
  return stats?.isFile() === true && stats.size > 0 ? stats.mtimeMs : null
}

export const readHandover = (path: string): string => {
  const text = readFileSync(path, 'utf8').trim()
  if (text.length <= maxCharacters) return text
  return `${text.slice(0, maxCharacters)}\n… The rest is in ${path}.`
}
