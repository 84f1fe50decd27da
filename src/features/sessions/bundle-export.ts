import { realpath } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { v4 as uuid } from 'uuid'
import type { z } from 'zod'
import { type ExportRequest, exportBundle } from './bundles/exporter.ts'
import type { ExportedView, ExportInput } from '../../contract/routes/bundles.ts'
import type { Progress, ProgressLine } from '../../contract/routes/route.ts'
import { ReinError } from '../../contract/errors.ts'
import type { Actor } from '../../contract/identity.ts'
import { newRecord } from '../../contract/record.ts'
import { type Session, snapshotAfter } from './session.ts'
import type { Turn } from './turn.ts'
import { cutAfter } from './way.ts'
import { bundleView } from './bundle-view.ts'
import { findCli } from '../../agents/launch/launch-context.ts'
import type { SessionParts } from './parts.ts'
import { findRested, type Target } from './target.ts'
import { cutterOf } from './move-ports.ts'
import { inLines } from './move-handlers.ts'
import { blocksIn, translated } from './handlers.ts'

type Input = z.infer<typeof ExportInput>

export async function* exportSession(
  parts: SessionParts,
  actor: Actor,
  input: Input,
): AsyncGenerator<ProgressLine<ExportedView>> {
  const target = await findRested(parts, input)
  yield* inLines(async (onProgress) => exportOne(parts, actor, target, input, onProgress).catch(translated))
}

const exportOne = async (
  parts: SessionParts,
  actor: Actor,
  target: Target,
  input: Input,
  onProgress: (progress: Progress) => void,
): Promise<ExportedView> => {
  const { agent, session } = target
  const turns = chosenTurns(target, input.turns)
  await parts.movePorts.settled(agent.id)
  const request = await requestOf(parts, target, turns, input)
  const { shadows, paths, newId, now } = parts
  const shadow = (root: string) => shadows.of(root)
  const ports = { shadow, scratch: join(paths.state, 'quarantine'), newId, now, env: process.env, onProgress }
  const { manifest, bytes, sha256 } = await exportBundle(ports, request)
  const labels = manifest.turns.map(({ label }) => label)
  const context = { id: newId('rec'), at: now(), actor }
  const body = { session: session.row.id, sha256, turns: labels, isRedacted: manifest.isRedacted }
  await parts.movePorts.append([
    newRecord('session.exported', body, { ...context, agent: agent.id, project: agent.project }),
  ])
  return { file: input.file, bytes, sha256, bundle: bundleView(manifest) }
}

/** On the way to where the agent is, or to the last one that is named. */
const chosenTurns = ({ session: { row, tree }, here }: Target, { first, last }: Input['turns']): Turn[] => {
  const path = tree.pathTo(last === undefined ? here : tree.find(last))
  const from = first === undefined ? 0 : path.findIndex((turn) => tree.labelOf(turn) === first)
  if (path.length > 0 && from >= 0) return path.slice(from)
  throw new ReinError(
    'not_found',
    first === undefined
      ? 'There is no turn to export.'
      : `Turn ${first} is not on the way to turn ${last ?? tree.labelOf(here)}.`,
    `See the turns: rein session show ${row.id}`,
  )
}

const requestOf = async (parts: SessionParts, target: Target, turns: Turn[], input: Input): Promise<ExportRequest> => {
  const { agent, session } = target
  const { driver, host } = cutterOf(agent)
  const { carry } = driver
  if (carry === null)
    throw new ReinError('refused', `${driver.title}: its conversations cannot be carried to another machine yet.`)
  const last = turns.at(-1) as Turn
  const chat = cutAfter(session, last)
  if (chat.kind !== 'cut') throw new ReinError('refused', 'There is no conversation to export.')
  const root = snapshotAfter(session, last)?.root ?? null
  const cwd = await realpath(agent.cwd).catch(() => agent.cwd)
  const at = root === null ? '' : relative(root, cwd)
  const installed = await findCli(parts, driver, host, parts.environment.of(agent.id))
  const id = uuid()
  const { conversation, transcript, after } = chat
  const cut = { conversation, transcript, after, newConversation: id, cwd: agent.cwd, installed }
  return {
    file: input.file,
    isRedacting: input.redact,
    session: session.row.id,
    agent: agent.handle,
    driver: driver.name,
    cli: agent.version,
    at: at.startsWith('..') ? '' : at,
    cwd,
    root,
    start: beforeOf(session, turns[0], root),
    turns: turns.map((turn) => {
      const blocks = blocksIn(parts, session, turn)
      const counts = new Map<string, number>()
      for (const block of blocks)
        if (block.type === 'tool_use') counts.set(block.name, (counts.get(block.name) ?? 0) + 1)
      const reply = blocks.findLast((block) => block.type === 'text')
      return {
        label: session.tree.labelOf(turn),
        prompt: turn.prompt.slice(0, longest),
        reply: reply?.type === 'text' ? reply.text.slice(0, longest) : '',
        tools: Array.from(counts, ([name, count]) => ({ name: name.slice(0, 200), count })).slice(0, 500),
        model: turn.model,
        startedAt: turn.startedAt,
        endedAt: turn.endedAt ?? turn.startedAt,
        snapshot: root === null ? null : (snapshotAfter(session, turn, root)?.snapshot.id ?? null),
      }
    }),
    conversation: { id, pack: (scratch) => carry.pack(cut, scratch) },
  }
}

const beforeOf = (session: Session, first: Turn | undefined, root: string | null): string | null => {
  if (first === undefined || root === null) return null
  const own = session.files.get(first)?.before
  const taken = own?.root === root ? own : snapshotAfter(session, session.tree.parentOf(first), root)
  return taken?.snapshot.id ?? null
}

const longest = 20_000
