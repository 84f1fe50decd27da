import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ReinError } from '../../contract/errors.ts'
import { isObject, parseObject, textOf } from '../../base/util/json.ts'
import { parseLines, moveDirectory, readTranscript, transcriptName } from '../carried.ts'
import type { Arrival, ConversationCarry } from '../contract.ts'
import { writeNew } from '../cut-files.ts'
import type { Json } from '../json.ts'
import { cut } from './cut.ts'
import { homeOf } from './transcript.ts'

export const carry: ConversationCarry = {
  pack: async (request, scratch) => {
    const made = await cut({ ...request, env: { CODEX_HOME: scratch } })
    const content = await readFile(made.transcript, 'utf8')
    if (
      parseLines(content).some(
        ({ type, payload }) => type === 'session_meta' && isObject(payload) && payload.history_base != null,
      )
    )
      throw new ReinError(
        'refused',
        "Codex: this conversation begins in the file of another one (a fork of Codex's own).",
      )
    return [{ name: transcriptName, content }]
  },
  unpack: async (arrival) => {
    const { newConversation: conversation, files } = arrival
    const lines = (await readTranscript(files)).split('\n').filter((line) => line !== '')
    // Codex keeps conversations by the day on which they began.
    const time = Date.parse(textOf(parseObject(lines[0] ?? '')?.timestamp) ?? '')
    if (Number.isNaN(time)) throw new ReinError('refused', 'The conversation does not say when it began.')
    const day = new Date(time).toISOString()
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
    ...('cwd' in payload ? { cwd: moveDirectory(payload.cwd, arrival) } : {}),
    ...('runtime_workspace_roots' in payload ? { runtime_workspace_roots: [root] } : {}),
  }
  const { permission_profile: _, workspace_roots: __, ...rest } = moved
  return JSON.stringify({
    ...line,
    payload:
      type === 'turn_context'
        ? { ...rest, approval_policy: 'on-request', sandbox_policy: { type: 'read-only' } }
        : moved,
  })
}
