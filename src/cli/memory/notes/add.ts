import { ReinError } from '../../../contract/errors.ts'
import { edited } from './editor.ts'
import { addedText } from './text.ts'
import { showAnswer } from '../../show-answer.ts'
import { readTextInput } from '../../text-input.ts'

interface AddFlags {
  problem?: string
  fix?: string
  verify?: string
  edit?: boolean
}

export const run = showAnswer(
  async ({ connect, cwd, stdin, env }, { problem, fix, verify, edit }: AddFlags, title: string, input?: '-') => {
    const isGiven = edit || [problem, fix, verify].some((section) => section !== undefined)
    if (input !== undefined && isGiven) throw new ReinError('usage', 'Give - for standard input, or flags, not both.')
    const template = `## Problem\n\n${problem ?? ''}\n\n## Fix\n\n${fix ?? ''}\n\n## Verification\n\n${verify ?? ''}\n`
    const body =
      input !== undefined
        ? { text: await readTextInput(input, stdin) }
        : edit
          ? { text: await edited(env, template, '.md') }
          : { problem, fix, verification: verify }
    return connect().addNote({ cwd: cwd(), title, ...body })
  },
  addedText,
)
