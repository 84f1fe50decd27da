import { existsSync } from 'node:fs'
import { realpath, rm } from 'node:fs/promises'
import path from 'node:path'
import type { Agent } from '../../contract/agent.ts'
import { ReinError } from '../../contract/errors.ts'
import type { Actor } from '../../contract/identity.ts'
import { newRecord } from '../../contract/record.ts'
import type { MoverPorts } from './mover.ts'
import type { Session } from './session.ts'
import type { Turn } from './turn.ts'
import { cutAfter, filesAfter, placeOf } from './way.ts'
import { freeName } from '../../base/util/free-name.ts'
import { quoted } from '../../base/util/shell.ts'

interface ForkRequest {
  actor: Actor
  session: Session
  agent: Agent
  turn: Turn | null
  /** The place of the new work tree; null if the fork works in the files of the first agent. */
  dir: string | null
}

interface Fork {
  /** Null if the CLI begins a new one. */
  conversation: string | null
  cwd: string
}

type ForkPorts = Pick<MoverPorts, 'append' | 'now' | 'newId' | 'shadow' | 'settled' | 'checkCut'> & {
  cut(agent: Agent, chat: Parameters<MoverPorts['cut']>[1], cwd: string): ReturnType<MoverPorts['cut']>
}

/** Makes the files and the conversation with which a second agent continues from a turn. The first agent is not touched. */
export const makeFork = async (ports: ForkPorts, request: ForkRequest): Promise<Fork> => {
  const { actor, session, agent, turn, dir } = request
  if (turn !== null) ports.checkCut(agent)
  await ports.settled(agent.id)
  const chat = turn === null ? null : cutAfter(session, turn)
  const cwd = dir === null ? agent.cwd : await forkFiles(ports, request, dir)
  if (turn === null || chat?.kind !== 'cut') return { conversation: null, cwd }
  try {
    const { conversation, read } = await ports.cut(agent, chat, cwd)
    const body = { session: session.row.id, conversation, from: placeOf(turn) }
    const context = { id: ports.newId('rec'), at: ports.now(), actor }
    const record = newRecord('session.continued', body, { ...context, agent: agent.id, project: agent.project })
    await ports.append([record], read)
    return { conversation, cwd }
  } catch (cause) {
    // No agent has worked in it yet, and git forgets a work tree whose directory is gone.
    if (dir !== null) await rm(dir, { recursive: true, force: true })
    throw cause
  }
}

/** Returns the directory of the new tree that corresponds to the agent's working directory. */
const forkFiles = async (
  { shadow: shadowOf }: ForkPorts,
  { session, turn, agent }: ForkRequest,
  dir: string,
): Promise<string> => {
  if (existsSync(dir)) {
    const free = quoted(freeName(dir, existsSync))
    throw new ReinError('refused', `${dir} is there already.`, `This place is free: --worktree ${free}`)
  }
  const { root, snapshot } = filesAfter(session, turn, session.tree.labelOf(turn))
  const [shadow, own] = [await shadowOf(root), await shadowOf(agent.cwd)]
  const forked = await shadow.fork(snapshot.id, dir)
  return path.join(forked.dir, path.relative(own.tree, await realpath(agent.cwd)))
}
