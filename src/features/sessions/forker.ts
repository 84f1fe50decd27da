import { existsSync } from 'node:fs'
import { realpath, rm } from 'node:fs/promises'
import path from 'node:path'
import type { Agent } from '../../contract/agent.ts'
import { ReinError } from '../../contract/errors.ts'
import { newRecord } from '../../contract/record.ts'
import type { MoverPorts } from './mover.ts'
import type { Session } from './session.ts'
import type { Turn } from './turn.ts'
import { cutAfter, filesAfter, placeOf } from './way.ts'

export interface ForkRequest {
  session: Session
  agent: Agent
  turn: Turn | null
  /** Where its own work tree is to be; null if it works in the files of the other. */
  dir: string | null
}

export interface Fork {
  /** Null for one that the CLI begins. */
  conversation: string | null
  cwd: string
}

type ForkPorts = Pick<MoverPorts, 'append' | 'now' | 'newId' | 'shadow' | 'settled' | 'checkCut'> & {
  cut(agent: Agent, chat: Parameters<MoverPorts['cut']>[1], cwd: string): ReturnType<MoverPorts['cut']>
}

/** Makes what a second agent needs to go on from a turn: its files, and a conversation that ends there. The first one is not touched. */
export const makeFork = async (ports: ForkPorts, { session, agent, turn, dir }: ForkRequest): Promise<Fork> => {
  if (turn !== null) ports.checkCut(agent)
  await ports.settled(agent.id)
  const chat = turn === null ? null : cutAfter(session, turn)
  const cwd = dir === null ? agent.cwd : await forkFiles(ports, session, turn, agent, dir)
  if (turn === null || chat?.kind !== 'cut') return { conversation: null, cwd }
  try {
    return { conversation: await copyChat(ports, session, turn, agent, chat, cwd), cwd }
  } catch (cause) {
    // Nobody has been in it yet; git forgets a work tree that is gone.
    if (dir !== null) await rm(dir, { recursive: true, force: true })
    throw cause
  }
}

const copyChat = async (
  ports: ForkPorts,
  session: Session,
  turn: Turn,
  agent: Agent,
  chat: Parameters<MoverPorts['cut']>[1],
  cwd: string,
): Promise<string> => {
  const { conversation, read } = await ports.cut(agent, chat, cwd)
  const body = { session: session.row.id, conversation, from: placeOf(turn) }
  const context = { id: ports.newId('rec'), at: ports.now(), actor: { kind: 'daemon' as const } }
  const record = newRecord('session.continued', body, { ...context, agent: agent.id, project: agent.project })
  await ports.append([record], read)
  return conversation
}

/** The same directory in the new tree as the agent has in its own. */
const forkFiles = async (
  { shadow: shadowOf }: ForkPorts,
  session: Session,
  turn: Turn | null,
  agent: Agent,
  dir: string,
): Promise<string> => {
  if (existsSync(dir)) throw new ReinError('refused', `${dir} is there already.`, 'Name another place: --worktree DIR')
  const { root, snapshot } = filesAfter(session, turn, session.tree.labelOf(turn))
  const [shadow, own] = [await shadowOf(root), await shadowOf(agent.cwd)]
  const forked = await shadow.fork(snapshot.id, dir)
  return path.join(forked.dir, path.relative(own.tree, await realpath(agent.cwd)))
}
