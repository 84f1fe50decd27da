import { relative } from 'node:path'
import type { Command } from '../../../contract/command.ts'
import { HERE, isWithin, placesOf } from '../../../base/shell/places.ts'
import { programIndex } from '../../../base/shell/programs.ts'
import { trimming } from '../../../base/shell/trimming.ts'
import { type Task, taskOf } from './task.ts'

/** One command of a line as people would write it down: without wrappers, trimmed output and the way there. */
export interface Spelling {
  readonly text: string
  readonly task: Task | null
  /** With the directory in which it is done. */
  readonly taskKey: string | null
  /** What says the task: `cd app && pnpm run lint`. */
  readonly head: string
  readonly rest: readonly string[]
  /** Its exit code is that of what its output was piped into. */
  readonly isPiped: boolean
}

/** What cannot be taken apart by looking at blanks. */
const INTRICATE = /["'`$|;<>(){}\n\\#*?]|(?<!&)&(?!&)/
/** Whether a text is words and blanks alone. */
export const isPlain = (text: string): boolean => !INTRICATE.test(text)

const PRIVILEGED = /^(?:sudo|doas)$/
const ASSIGNMENT = /^[A-Za-z_]\w*=/
const MOST_PARTS = 6

/** Several for `build && test`: each of them was run. */
export function spellingsOf(text: string, cwd: string | null): readonly Spelling[] {
  const { before, core, after } = trimming(text)
  const isPiped = after.includes('|')
  const directory = directoryOf(before, cwd)
  if (INTRICATE.test(core)) return [intricate(inDirectory(directory, core), isPiped)]
  const parts = core.split('&&').map((part) => part.trim())
  if (parts.length > MOST_PARTS || parts.some((part) => part === '' || part.startsWith('cd ')))
    return [intricate(inDirectory(directory, core), isPiped)]
  return parts.map((part, index) => plain(part, directory, isPiped && index === parts.length - 1))
}

const intricate = (text: string, isPiped: boolean): Spelling => ({
  text,
  task: null,
  taskKey: null,
  head: text,
  rest: [],
  isPiped,
})

function plain(part: string, directory: string, isPiped: boolean): Spelling {
  const words = unwrapped(part.split(' '))
  const task = taskOf(words)
  const text = inDirectory(directory, words.join(' '))
  if (task === null) return intricate(text, isPiped)
  const head = inDirectory(directory, words.slice(0, task.head).join(' '))
  return { text, task, taskKey: `${directory} ${task.key}`, head, rest: words.slice(task.head), isPiped }
}

/** `timeout 60 npm test` is `npm test`, but what asks for more rights or sets variables is something else. */
function unwrapped(words: readonly string[]): readonly string[] {
  const at = programIndex(words)
  const isMore = words.slice(0, at).some((word) => PRIVILEGED.test(word) || ASSIGNMENT.test(word))
  return isMore ? words : words.slice(at)
}

/** Where `cd x &&` leads to: seen from where it was run if it is below that, else as it was written. */
function directoryOf(before: string, cwd: Command['cwd']): string {
  if (before === '') return ''
  const from = cwd ?? HERE
  const [place] = placesOf(before, from)
  if (place != null && isWithin(from, place)) return relative(from, place)
  return /^cd ([^\s;&|]+)/.exec(before)?.[1] ?? ''
}

const inDirectory = (directory: string, text: string): string =>
  directory === '' ? text : `cd ${directory} && ${text}`
