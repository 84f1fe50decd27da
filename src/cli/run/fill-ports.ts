import type { Client } from '../../client/client.ts'
import type { Progress } from '../../contract/routes/route.ts'
import type { MovedView } from '../../contract/routes/sessions.ts'
import type { CliContext } from '../context.ts'
import { forkedText, movedText, progressText } from '../sessions/move-text.ts'
import { createStyle } from '../output.ts'
import { sessionText } from '../sessions/text.ts'
import type { Run } from './run.ts'
import type { Moved, RunPorts } from '../tui/run/ports.ts'
import { startAgent, type StartFlags } from './start.ts'
import { isPause, saysGoOn, type ScreenView } from './screen-view.ts'

const plain = createStyle(false)
const ways = { undo: '/undo', redo: '/redo' }

interface Ran {
  context: CliContext
  client: Client
  one: Run
  view: ScreenView
  flags: StartFlags
  /** While we stop it and start it again ourselves, its end is not the end of the run. */
  away: <T>(work: () => Promise<T>) => Promise<T>
}

/** Connects the screen to the daemon. */
export const fillPorts = (ran: Ran): RunPorts => {
  const { context, client, one, view, away } = ran
  const target = { target: one.name, cwd: context.cwd() }
  const onProgress = (progress: Progress): void => view.queue.push({ kind: 'progress', text: progressText(progress) })
  const told = (moved: MovedView): Moved => ({ ...moved, text: movedText(view.tellMove(moved), plain, ways) })
  return {
    events: (signal) => view.queue.read(signal),
    prompt: async (text) => {
      one.begin()
      await client.prompt({ ...target, text })
    },
    interrupt: async () => void (await one.interrupt()),
    answer: async (question, answer) => {
      if (!isPause(question)) await client.answer({ ...target, answer, question: question.id })
      else if (saysGoOn(answer)) await client.unpause(target)
      else view.queue.close()
    },
    rewind: async (turn) => {
      const input = { ...target, turn: String(turn) }
      return told(await client.rewind(input, onProgress))
    },
    undo: async () => told(await client.undo(target, onProgress)),
    redo: async () => told(await client.redo(target, onProgress)),
    fork: async (turn) => {
      const input = { ...target, ...(turn === null ? {} : { turn: String(turn) }) }
      return forkedText(await client.fork(input, onProgress))
    },
    compact: async () => told(await client.compact(target, onProgress)).text,
    turns: async () => sessionText(await client.session(target), context.now(), plain),
    session: async () => {
      const { id, agent, driver, cwd, conversation, current } = (await client.session(target)).session
      return [
        `session       ${id}`,
        `conversation  ${conversation ?? '-'}`,
        `agent         ${agent} (${driver})`,
        `directory     ${cwd}`,
        `turn          ${current ?? '-'}`,
        `go on later   rein run -r ${id}`,
      ].join('\n')
    },
    cost: () => {
      const { costUsd } = one.look
      return Promise.resolve(
        costUsd === null
          ? 'Its CLI has not said what it costs.'
          : `$${costUsd.toFixed(4)} in ${view.turns === 1 ? '1 turn' : `${view.turns} turns`}, as the CLI counts it.`,
      )
    },
    setModel: (name) => away(() => withModel(ran, name)),
  }
}

/** Stopped, and started again in the same conversation; with the model it had, if it cannot have the other one. */
const withModel = async ({ context, client, one, flags }: Ran, model: string): Promise<string> => {
  const { conversation } = await client.down({ target: one.name, cwd: context.cwd() })
  const { continue: _, resume: __, budget, ...rest } = flags
  const again = {
    ...rest,
    as: one.agent.handle,
    ...(conversation === null ? {} : { resume: conversation }),
    // The new process counts from zero.
    ...(budget === undefined ? {} : { budget: budget - (one.look.costUsd ?? 0) }),
  }
  try {
    await startAgent(context, client, { ...again, model })
  } catch (cause) {
    await startAgent(context, client, again)
    throw cause
  }
  return `It goes on with the model ${model}.`
}
