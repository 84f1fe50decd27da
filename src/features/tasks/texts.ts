import { closeSync, constants, lstatSync, mkdirSync, openSync, readFileSync, readSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ReinError } from '../../contract/errors.ts'
import type { Task } from '../../contract/task.ts'
import { writeFileAtomic } from '../../base/util/atomic-write.ts'

const textNames = ['SPEC.md', 'PROMPT.md', 'HANDOVER.md'] as const
type TextName = (typeof textNames)[number]

/** The longest part of a text that a prompt includes. */
const maxCharacters = 12_000
/** Older handovers go, so that the file can still be read. */
const maxHandover = 60_000

type Place = Pick<Task, 'root' | 'name'>

export const dirOf = ({ root, name }: Place): string => join(root, '.rein/tasks', name)
export const textPath = (task: Place, name: TextName): string => join(dirOf(task), name)

/** Creates missing files; existing ones stay as they are. */
export const writeTexts = (
  task: Place,
  { spec, prompt }: { spec?: string | undefined; prompt?: string | undefined },
) => {
  refuseLinks(task)
  refuseOther(task, 'SPEC.md', spec)
  refuseOther(task, 'PROMPT.md', prompt)
  mkdirSync(dirOf(task), { recursive: true })
  // A handover is about one run of one agent: no version control needs it.
  make(join(task.root, '.rein/tasks/.gitignore'), 'HANDOVER.md\n')
  make(textPath(task, 'SPEC.md'), spec === undefined ? specTemplate(task.name) : `${spec.trimEnd()}\n`)
  make(textPath(task, 'PROMPT.md'), `${(prompt ?? usualPrompt).trimEnd()}\n`)
  make(textPath(task, 'HANDOVER.md'), '')
}

/** Its beginning, with where the rest is; null if there is none. */
export const readTaskText = (task: Place, name: TextName): string | null => {
  const path = textPath(task, name)
  if (!isFile(path) || linkIn(task) !== null) return null
  const text = beginningOf(path).trim()
  if (text.length <= maxCharacters) return text === '' ? null : text
  return `${text.slice(0, maxCharacters)}\n… The rest is in ${path}.`
}

/** More than a prompt takes, however large the file is. */
const beginningOf = (path: string): string => {
  const file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW)
  try {
    const bytes = Buffer.alloc(maxCharacters * 4)
    return bytes.toString('utf8', 0, readSync(file, bytes))
  } finally {
    closeSync(file)
  }
}

/** When a handover was written last. */
export const handoverAt = (task: Place): number | null => {
  const stats = lstatSync(textPath(task, 'HANDOVER.md'), { throwIfNoEntry: false })
  return stats?.isFile() === true && stats.size > 0 ? stats.mtimeMs : null
}

/** The newest stand at the end. */
export const addHandover = async (task: Place, handle: string, text: string, at: number): Promise<void> => {
  refuseLinks(task)
  mkdirSync(dirOf(task), { recursive: true })
  const path = textPath(task, 'HANDOVER.md')
  const before = isFile(path) ? readFileSync(path, 'utf8') : ''
  const all = `${before}${before === '' ? '' : '\n'}## ${new Date(at).toISOString()} ${handle}\n\n${text.trim()}\n`
  await writeFileAtomic(path, newest(all), { mode: 0o644 })
}

/** Missing files, and entries that are not regular files. */
export const missingTexts = (task: Place): string[] => {
  const link = linkIn(task)
  if (link !== null) return [`${link} is a link: nothing is read or written there.`]
  if (!(stats(dirOf(task))?.isDirectory() === true)) return [`${dirOf(task)} is gone: rein task start makes it again.`]
  return isFile(textPath(task, 'SPEC.md')) ? [] : [`${textPath(task, 'SPEC.md')} is gone.`]
}

/** Whole sections from the end, as many as fit; of a single one that is too long its beginning. */
const newest = (text: string): string => {
  if (text.length <= maxHandover) return text
  const sections = text.split(/^(?=## \d{4}-\d\d-\d\dT\S+ [a-z0-9_-]+$)/m)
  while (sections.length > 1 && sections.join('').length > maxHandover) sections.shift()
  return sections.join('').slice(0, maxHandover)
}

const make = (path: string, text: string): void => {
  try {
    writeFileSync(path, text, { flag: 'wx' })
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'EEXIST') throw cause
  }
}

/** Otherwise the given text would be lost silently. */
const refuseOther = (task: Place, name: TextName, given: string | undefined): void => {
  const path = textPath(task, name)
  if (given === undefined || !isFile(path) || readFileSync(path, 'utf8').trim() === given.trim()) return
  throw new ReinError('refused', `${path} is there already, with another text.`, 'Edit that file, or remove it.')
}

const refuseLinks = (task: Place): void => {
  const link = linkIn(task)
  if (link !== null)
    throw new ReinError('refused', `${link} is a link: no task is kept there.`, 'Put a directory in its place.')
}

/** The directory comes with a repository: a link in it could point to files outside. */
const linkIn = (task: Place): string | null => {
  const { root } = task
  const places = [join(root, '.rein'), join(root, '.rein/tasks'), dirOf(task)]
  return (
    [...places, ...textNames.map((name) => textPath(task, name))].find(
      (path) => stats(path)?.isSymbolicLink() === true,
    ) ?? null
  )
}

const stats = (path: string) => lstatSync(path, { throwIfNoEntry: false })
const isFile = (path: string): boolean => stats(path)?.isFile() === true
const specTemplate = (name: string): string => `# ${name}

## Goal

What is to be true when this is done, and for whom.

## What to build

-

## Not part of it

-

## Done when

1. What can be seen or run that shows it.
`

const usualPrompt = 'Work on this task until everything under "Done when" in its spec is true, and show that it is.'
