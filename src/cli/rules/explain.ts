import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { ReinError } from '../../contract/errors.ts'
import type { ExplainRequest } from '../../contract/routes/rules.ts'
import { isObject } from '../../base/util/json.ts'
import type { CliContext, JsonFlag } from '../context.ts'
import { explainedText } from './explain-text.ts'
import { readTextInput } from '../text-input.ts'

interface ExplainFlags {
  agent?: string
  write?: string
  edit?: string
  content?: string
  old?: string
  read?: string
  fetch?: string
  tool?: string
  input?: string
  last?: number
}

type Call = ExplainRequest['call']

export const run = async (context: CliContext, flags: ExplainFlags & JsonFlag, ...words: string[]): Promise<void> => {
  const { connect, cwd, out } = context
  const call = await callOf(context, flags, words)
  const explained = await connect().explainCall({
    cwd: cwd(),
    call,
    ...(flags.agent === undefined ? {} : { target: flags.agent }),
  })
  if (flags.json) out.document(explained)
  else out.line(explainedText(explained, out))
}

const ways = ['write', 'edit', 'read', 'fetch', 'tool', 'last'] as const

const callOf = async (context: CliContext, flags: ExplainFlags, words: readonly string[]): Promise<Call> => {
  const given = [...ways.filter((way) => flags[way] !== undefined), ...(words.length > 0 ? ['a command'] : [])]
  if (given.length !== 1)
    throw new ReinError(
      'usage',
      'Give one call: a shell command, or one of --write, --edit, --read, --fetch, --tool and --last.',
      "rein rules explain 'git push --force'",
    )
  const { write, edit, read, fetch, tool, last } = flags
  if (last !== undefined) {
    if (flags.agent !== undefined) return { last }
    throw new ReinError('usage', '--last needs --agent.', 'rein rules explain --agent worker-1 --last 3')
  }
  if (tool !== undefined) return { tool, input: inputOf(flags.input) }
  if (fetch !== undefined) return { fetch }
  if (read !== undefined) return { read: path.resolve(context.cwd(), read) }
  if (write !== undefined)
    return {
      write: path.resolve(context.cwd(), write),
      content: await (flags.content !== undefined
        ? readTextInput(flags.content, context.stdin)
        : readFile(path.resolve(context.cwd(), write), 'utf8').catch(() => {
            throw new ReinError(
              'usage',
              `There is no ${write}.`,
              '--content says what is written; - reads it from standard input.',
            )
          })),
    }
  if (edit !== undefined) {
    const { content, old } = flags
    if (content === undefined || old === undefined)
      throw new ReinError(
        'usage',
        '--edit needs --old and --content.',
        "rein rules explain --edit a.ts --old 'a' --content 'b'",
      )
    return { edit: path.resolve(context.cwd(), edit), old, new: await readTextInput(content, context.stdin) }
  }
  return { command: words.join(' ') }
}

const inputOf = (text = '{}'): Record<string, unknown> => {
  try {
    const input: unknown = JSON.parse(text)
    if (isObject(input)) return input
  } catch {}
  throw new ReinError(
    'usage',
    `--input must be a JSON object, not ${text.slice(0, 80)}.`,
    `--input '{"command": "ls"}'`,
  )
}
