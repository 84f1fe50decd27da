import { randomUUID } from 'node:crypto'
import { person } from '../../contract/outcome.ts'
import type { DiagnosisView } from '../../contract/routes/memory.ts'
import { asReinError, ReinError } from '../../contract/errors.ts'
import type { CliContext, JsonFlag } from '../context.ts'
import { complain } from '../exit.ts'
import { diagnosisText } from './text.ts'
import { OutputEnd } from '../output-end.ts'
import type { Shown } from './run-shown.ts'

export const run = async (
  context: CliContext,
  { last, command, exit, json }: { last?: boolean; command?: string; exit?: number } & JsonFlag,
  ...words: string[]
): Promise<void> => {
  const ways = [last === true, command !== undefined, words.length > 0].filter(Boolean)
  if (ways.length > 1) throw new ReinError('usage', 'Give only one of --last, --command and a command behind --.')
  if (exit !== undefined && command === undefined)
    throw new ReinError(
      'usage',
      '--exit needs --command.',
      'rein memory diagnose --command "npm test" --exit 1 < output',
    )
  if (words.length > 0) return diagnoseRun(context, words, json === true)
  const { connect, cwd } = context
  const failure = command === undefined ? {} : { command, exit: exit ?? 1, output: await readEnd(context) }
  tell(context, await connect().diagnose({ cwd: cwd(), ...failure }), json === true)
}

/** Runs the command in this terminal; only a failure is diagnosed. */
const diagnoseRun = async (context: CliContext, words: string[], json: boolean): Promise<void> => {
  const { runShown } = await import('./run-shown.ts')
  const at = context.now()
  const { command, exit, output, isStopped } = await runShown(
    words,
    json ? process.stderr : process.stdout,
    process.stderr,
  )
  context.exitWith(exit)
  // Hooks report the commands of agents; only this process knows the output of a person's.
  if (!context.out.isAgent) await tellOf(context, { command, exit, output, at, isStopped })
  if (exit !== 0 && !isStopped)
    return tell(context, await context.connect().diagnose({ cwd: context.cwd(), command, exit, output }), json)
  if (json) context.out.document({ command, exit, error: '', means: null, run: [], fixes: [] } satisfies DiagnosisView)
}

const tellOf = async (context: CliContext, ran: Shown & { at: number }): Promise<void> => {
  const { sessionOfShell } = await import('../../features/memory/spool/spool.ts')
  const { handOver } = await import('./hand-over.ts')
  const { command, exit, output, at, isStopped } = ran
  const told = { command, exit, output, at, cwd: context.cwd(), author: person, id: `told_${randomUUID()}` }
  const outcome = isStopped ? ('interrupted' as const) : undefined
  const session = context.env['REIN_SHELL_SESSION'] || sessionOfShell(context.paths().shells, process.ppid)
  const all = [{ ...told, outcome, session, durationMs: context.now() - at }]
  await handOver(context, all).catch((cause) => complain(context.out, asReinError(cause)))
}

const tell = ({ out }: CliContext, diagnosis: DiagnosisView, json: boolean): void => {
  if (json) out.document(diagnosis)
  else out.line(diagnosisText(diagnosis, out))
}

/** A terminal has nothing to say about it. */
const readEnd = async ({ stdin }: CliContext): Promise<string> => {
  if ('isTTY' in stdin && stdin.isTTY === true) return ''
  const end = new OutputEnd()
  for await (const chunk of stdin as AsyncIterable<Buffer>) end.push(chunk)
  return end.text()
}
