import { relative } from 'node:path'
import { HERE, isWithin, placesOf } from '../../../base/shell/places.ts'
import { programIndex } from '../../../base/shell/programs.ts'
import { trimming } from '../../../base/shell/trimming.ts'
import { type Task, taskOf } from './task.ts'

/** One command of a line as people would write it down: without wrappers, trimmed output and absolute directories. */
export interface Spelling {
  readonly text: string
  readonly task: Task | null
  /** With the directory in which it is done. */
  readonly taskKey: string | null
  /** The words that name the task: `cd app && pnpm run lint`. */
  readonly head: string
  readonly rest: readonly string[]
  /** Its exit code is that of the program its output was piped into. */
  readonly isPiped: boolean
}

/** Whether a text is words and blanks alone, so that it can be split at blanks. */
export const isPlain = (text: string): boolean => !/["'`$|;<>(){}\n\\#*?]|(?<!&)&(?!&)/.test(text)

const mostParts = 6

/** Several for `build && test`: each of them was run. */
export const spellingsOf = (line: string, cwd: string | null): readonly Spelling[] => {
  const { before, core, after } = trimming(line)
  // The target of `cd x &&`: relative to where it was run if it is below that, otherwise as it was written.
  const from = cwd ?? HERE
  const [place] = before === '' ? [] : placesOf(before, from)
  const written = /^cd ([^\s;&|]+)/.exec(before)?.[1] ?? ''
  const directory = place != null && isWithin(from, place) ? relative(from, place) : written
  const addDirectory = (text: string): string => (directory === '' ? text : `cd ${directory} && ${text}`)
  const makeIntricate = (source: string, isPiped: boolean): Spelling => {
    const text = addDirectory(source)
    return { text, task: null, taskKey: null, head: text, rest: [], isPiped }
  }
  const parts = core.split('&&').map((part) => part.trim())
  const isSplittable =
    isPlain(core) && parts.length <= mostParts && !parts.some((part) => part === '' || part.startsWith('cd '))
  if (!isSplittable) return [makeIntricate(core, after.includes('|'))]
  return parts.map((part, index) => {
    const isPiped = after.includes('|') && index === parts.length - 1
    const all = part.split(' ')
    const at = programIndex(all)
    // `timeout 60 npm test` is `npm test`, but with more rights or other variables it is another command.
    const isOther = all.slice(0, at).some((word) => /^(?:sudo|doas)$|^[A-Za-z_]\w*=/.test(word))
    const words = isOther ? all : all.slice(at)
    const task = taskOf(words)
    if (task === null) return makeIntricate(words.join(' '), isPiped)
    const [head, rest] = [words.slice(0, task.head), words.slice(task.head)]
    return {
      text: addDirectory(words.join(' ')),
      task,
      taskKey: `${directory} ${task.key}`,
      head: addDirectory(head.join(' ')),
      rest,
      isPiped,
    }
  })
}
