import { ReinError } from '../../contract/errors.ts'
import type { CliContext, JsonFlag } from '../context.ts'
import { watchesText } from './text.ts'

export interface WatchFlags {
  add?: readonly string[]
  drop?: readonly string[]
}

export const run = async (
  { connect, out, cwd }: CliContext,
  { add = [], drop = [], json }: WatchFlags & JsonFlag,
  ...words: string[]
): Promise<void> => {
  const { target, set } = read(words)
  if (set !== undefined && add.length + drop.length > 0)
    throw new ReinError('usage', 'Name all subjects, or change some with --add and --drop.')
  const watches = await connect().watches({ cwd: cwd(), target, set, add: [...add], drop: [...drop] })
  if (json) out.document(watches)
  else out.line(watchesText(watches))
}

/** Subjects have a colon, and a handle has none. */
const read = (words: string[]): { target: string | undefined; set: string[] | undefined } => {
  const [first] = words
  const target = first === undefined || first.includes(':') ? undefined : first
  const subjects = target === undefined ? words : words.slice(1)
  return { target, set: subjects.length === 0 ? undefined : subjects }
}
