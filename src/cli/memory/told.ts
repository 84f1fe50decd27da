import { randomUUID } from 'node:crypto'
import path from 'node:path'
import { outcomes } from '../../contract/outcome.ts'
import { ReinError } from '../../contract/errors.ts'
import type { IngestRequest } from '../../contract/routes/memory.ts'
import { toldId } from '../../features/memory/told.ts'
import { parseObject } from '../../base/util/json.ts'
import type { CliContext } from '../context.ts'

export type ToldCommand = IngestRequest['commands'][number] & { id: string; cwd: string; at: number; author: string }

interface ToldSession {
  session: string
  author: string
  cwd: string
}

type Row = Record<string, unknown>
type World = Pick<CliContext, 'env' | 'stdin' | 'cwd' | 'now'>

/** Names of the variables in JSON. */
const names = {
  CMD: 'command',
  CWD: 'cwd',
  EXIT: 'exit',
  TS: 'at',
  DURATION_MS: 'durationMs',
  SESSION_ID: 'session',
  SHELL: 'author',
  AUTHOR: 'author',
} as const
const numbers: readonly string[] = ['exit', 'at', 'durationMs']

/** Commands that another program tells of: in its environment, else as JSON on standard input. */
export const toldCommands = async (world: World): Promise<ToldCommand[]> => {
  const variables = variablesIn(world.env)
  const rows = variables['command'] === undefined ? await rowsOf(world) : [variables]
  if (rows.length === 0) throw nothing()
  return rows.map((row) => {
    const command = textIn(row, 'command')
    if (command === undefined) throw missing('There is no command in what is told.')
    const [exit, at, durationMs = null] = ['exit', 'at', 'durationMs'].map((name) => {
      const value = row[name] ?? undefined
      if (value === undefined) return value
      const whole = typeof value === 'number' ? Math.round(value) : Number.NaN
      if (Number.isSafeInteger(whole) && (name === 'exit' ? whole === value : whole >= 0)) return whole
      throw missing(`${name} must be a whole number.`)
    })
    const given = textIn(row, 'outcome')
    const outcome = outcomes.find((each) => each === given)
    if (given !== undefined && outcome === undefined) throw missing(`outcome must be one of ${outcomes.join(', ')}.`)
    const session = textIn(row, 'session') ?? null
    const cwd = directoryIn(row, world)
    const told = { command, session, cwd, durationMs, at: at ?? world.now() - (durationMs ?? 0) }
    return {
      ...told,
      // Without a time, two that are alike are two.
      id: textIn(row, 'id') ?? (at === undefined ? `told_${randomUUID()}` : toldId(told)),
      exit: exit ?? null,
      author: authorOf(row),
      outcome,
      output: textIn(row, 'output') ?? null,
      branch: textIn(row, 'branch') ?? null,
    }
  })
}

export const toldSession = async (world: World): Promise<ToldSession> => {
  const variables = variablesIn(world.env)
  const [row = {}] = variables['session'] === undefined ? await rowsOf(world) : [variables]
  const session = textIn(row, 'session')
  if (session === undefined) throw missing('Which session? There is no REIN_SESSION_ID, and no JSON with "session".')
  return { session, author: authorOf(row), cwd: directoryIn(row, world) }
}

const variablesIn = (env: World['env']): Row => {
  const row: Row = {}
  for (const [variable, name] of Object.entries(names)) {
    const value = env[`REIN_${variable}`] || env[`CLAI_${variable}`]
    if (value) row[name] = numbers.includes(name) ? Number(value) : value
  }
  return row
}

const rowsOf = async ({ stdin }: World): Promise<Row[]> => {
  if ('isTTY' in stdin && stdin.isTTY === true) throw nothing()
  const chunks: Buffer[] = []
  for await (const chunk of stdin as AsyncIterable<Buffer>) chunks.push(chunk)
  const lines = Buffer.concat(chunks).toString('utf8').split('\n')
  return lines.flatMap((line, index) => {
    if (line.trim() === '') return []
    const row = parseObject(line)
    if (row === null) throw missing(`Line ${index + 1} of standard input is no JSON object.`)
    return [row]
  })
}

const missing = (message: string): ReinError =>
  new ReinError('usage', message, 'Set REIN_… variables, or give JSON on standard input: see --help.')

const nothing = (): ReinError => missing('There is nothing to tell of.')

const directoryIn = (row: Row, { cwd }: World): string => path.resolve(cwd(), textIn(row, 'cwd') ?? '')

const shells = ['sh', 'bash', 'zsh', 'fish', 'dash', 'ksh']

/** A shell is a person's; agents are called by their drivers, not by their programs. */
const authorOf = (row: Row): string => {
  const author = textIn(row, 'author') ?? 'person'
  return shells.includes(author) ? 'person' : author.replace(/^(claude|codex|copilot|gemini)-(code|cli)$/, '$1')
}

const textIn = (row: Row, name: string): string | undefined => {
  const value = row[name] ?? undefined
  if (value === undefined || typeof value === 'string') return value || undefined
  throw missing(`${name} must be a text.`)
}
