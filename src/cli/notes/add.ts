import { ReinError } from '../../contract/errors.ts'
import type { AddNoteRequest } from '../../contract/routes/notes.ts'
import type { CliContext, JsonFlag } from '../context.ts'
import { edited } from './editor.ts'
import { addedText } from './text.ts'
import { readTextInput } from '../text-input.ts'

export interface AddFlags {
  problem?: string
  fix?: string
  verify?: string
  edit?: boolean
}

export const run = async (
  context: CliContext,
  { json, ...flags }: AddFlags & JsonFlag,
  title: string,
  input?: '-',
): Promise<void> => {
  const { connect, out, cwd } = context
  const added = await connect().addNote({ cwd: cwd(), title, ...(await bodyOf(context, flags, input)) })
  if (json) out.document(added)
  else out.line(addedText(added))
}

type Body = Omit<AddNoteRequest, 'cwd' | 'title'>

const bodyOf = async (
  { stdin, env }: CliContext,
  { edit, verify, ...sections }: AddFlags,
  input: '-' | undefined,
): Promise<Body> => {
  const isGiven = edit || [verify, ...Object.values(sections)].some((section) => section !== undefined)
  if (input !== undefined && isGiven) throw new ReinError('usage', 'Give - for standard input, or flags, not both.')
  if (input !== undefined) return { text: await readTextInput(input, stdin) }
  if (edit) return { text: await edited(env, templateOf({ verify, ...sections }), '.md') }
  return { ...sections, verification: verify }
}

/** To be filled in. */
const templateOf = ({ problem = '', fix = '', verify = '' }: AddFlags): string =>
  `## Problem\n\n${problem}\n\n## Fix\n\n${fix}\n\n## Verification\n\n${verify}\n`
