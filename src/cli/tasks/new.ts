import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { asReinError, ReinError } from '../../contract/errors.ts'
import type { Task } from '../../contract/task.ts'
import type { CliContext } from '../context.ts'
import { readTextInput } from '../text-input.ts'
import { showTask } from './shown.ts'

export interface NewFlags {
  spec?: string
  prompt?: string
  worktree?: Exclude<Task['worktrees'], 'none'>
}

export const run = showTask(async (context, flags: NewFlags, name) =>
  context.connect().newTask({ cwd: context.cwd(), name, ...(await textsOf(context, flags)) }),
)

/** A spec is a file; only one of the two texts can come from standard input. */
export const textsOf = async (context: CliContext, { spec, prompt, worktree }: NewFlags) => ({
  spec:
    spec === undefined
      ? undefined
      : await (spec === '-'
          ? readTextInput(spec, context.stdin)
          : readFile(resolve(context.cwd(), spec), 'utf8').catch((cause: unknown) => {
              const { message, hint } = asReinError(cause)
              throw new ReinError('not_found', `The spec cannot be read. ${message}`, hint)
            })),
  prompt: prompt === undefined ? undefined : await readTextInput(prompt, context.stdin),
  worktrees: worktree,
})
