import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ReinError } from '../../contract/errors.ts'
import { isObject, parseObject, textOf } from '../../base/util/json.ts'
import { linesOf, movedDir, transcriptIn, transcriptName } from '../carried.ts'
import type { Arrival, ConversationCarry } from '../contract.ts'
import { writeNew } from '../cut-files.ts'
import { cut } from './cut.ts'
import { homeOf } from './transcript.ts'

type Json = Record<string, unknown>

export const carry: ConversationCarry = {
  pack: async (request, scratch) => {
    const made = await cut({ ...request, env: { CODEX_HOME: scratch } })
    const content = await readFile(made.transcript, 'utf8')
    if (linesOf(content).some(takesFromAnother))
      throw new ReinError(
        'refused',
        "Codex: this conversation begins in the file of another one (a fork of Codex's own).",
      )
    return [{ name: transcriptName, content }]
  },
  unpack: async (arrival) => {
    const { newConversation: conversation, files } = arrival
    const lines = (await transcriptIn(files)).split('\n').filter((line) => line !== '')
    const day = dayOf(parseObject(lines[0] ?? ''))
    const name = `rollout-${day.slice(0, 19).replaceAll(':', '-')}-${conversation}.jsonl`
    const transcript = join(homeOf(arrival.env), 'sessions', ...day.slice(0, 10).split('-'), name)
    await writeNew(
      transcript,
      lines.map((line) => arrived(line, arrival)),
      0o600,
    )
    return { conversation, transcript }
  },
}

const takesFromAnother = ({ type, payload }: Json): boolean =>
  type === 'session_meta' && isObject(payload) && payload.history_base != null

/** Codex keeps conversations by the day on which they began. */
const dayOf = (line: Json | null): string => {
  const time = Date.parse(textOf(line?.timestamp) ?? '')
  if (Number.isNaN(time)) throw new ReinError('refused', 'The conversation does not say when it began.')
  return new Date(time).toISOString()
}

/** What goes to the model stays as text; what Codex was allowed to do there, it may not do here for that. */
const arrived = (text: string, arrival: Arrival): string => {
  const line = parseObject(text) ?? {}
  const { type, payload } = line
  if (!isObject(payload) || type === 'response_item' || type === 'compacted') return text
  const { newConversation, from, root } = arrival
  const own = Object.entries(payload).map(([key, value]) => [
    key,
    value === from.conversation ? newConversation : value,
  ])
  const moved: Json = {
    ...Object.fromEntries(own),
    ...('cwd' in payload ? { cwd: movedDir(payload.cwd, arrival) } : {}),
    ...('runtime_workspace_roots' in payload ? { runtime_workspace_roots: [root] } : {}),
  }
  return JSON.stringify({ ...line, payload: type === 'turn_context' ? withoutLeave(moved) : moved })
}

const withoutLeave = (payload: Json): Json => {
  const { permission_profile: _, workspace_roots: __, ...rest } = payload
  return { ...rest, approval_policy: 'on-request', sandbox_policy: { type: 'read-only' } }
}
