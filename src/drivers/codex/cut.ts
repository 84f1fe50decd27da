import { basename, dirname, join, relative } from 'node:path'
import { isObject, parseObject, textOf } from '../../base/util/json.ts'
import type { ConversationCut } from '../contract.ts'
import { readSource, writeNew } from '../cut-files.ts'
import { type Prefix, takePrefix, refuseUnknown } from '../cut-prefix.ts'
import { findFiles, homeOf } from './transcript.ts'

/** A conversation that was rewound has several files, and a turn may be in any of them. */
export const cut: ConversationCut = async (request) => {
  const { conversation: old, newConversation: conversation, after } = request
  const sessions = join(dirname(request.transcript), '../../..')
  for (const source of new Set([request.transcript, ...findFiles(old, sessions)])) {
    const { lines, mode } = await readSource(source)
    if (lineOf(lines, after) === null) continue
    const { lines: kept, damaged } = cutLines(lines, after, old, conversation)
    const name = `${basename(source).slice(0, nameLength)}${conversation}.jsonl`
    const transcript = join(homeOf(request.env), 'sessions', relative(sessions, dirname(source)), name)
    await writeNew(transcript, kept, mode)
    return { conversation, transcript, damaged }
  }
  return refuseUnknown(after)
}

const nameLength = 'rollout-2026-11-16T12-00-00-'.length

/** What it takes from a file of another conversation (`history_base`) stays there, as in Codex's own forks. */
export const cutLines = (lines: readonly string[], after: string, old: string, conversation: string): Prefix => {
  const { lines: kept, damaged } = takePrefix(
    lines,
    lineOf(lines, after) ?? refuseUnknown(after),
    ({ type, payload }) =>
      type === 'token_usage_record' || (type === 'event_msg' && isObject(payload) && closing.includes(payload.type)),
  )
  // As text, because what goes to the model must not be changed in a single byte.
  return {
    lines: kept.map((line) => {
      const type = textOf(parseObject(line)?.type)
      if (type === 'response_item' || type === 'compacted') return line
      const keys = type === 'session_meta' ? ['id', 'session_id'] : ['thread_id', 'session_id']
      return keys.reduce((text, key) => text.replaceAll(`"${key}":"${old}"`, `"${key}":"${conversation}"`), line)
    }),
    damaged,
  }
}

/** Entries are named by their line: `<time>#<number>`. */
const lineOf = (lines: readonly string[], after: string): number | null => {
  const [, time, number] = /^(.*)#(\d+)$/.exec(after) ?? []
  const raw = parseObject(lines[Number(number) - 1] ?? '')
  return raw !== null && String(raw.timestamp) === time ? Number(number) : null
}

const closing: readonly unknown[] = ['item_completed', 'token_count', 'task_complete', 'turn_aborted']
