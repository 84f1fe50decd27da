import { isObject, textOf } from '../../../base/util/json.ts'

type Json = Record<string, unknown>

/** Where a conversation goes on; null for what is not said. */
export interface Place {
  session: string | null
  cwd: string | null
}

/** What a line of a transcript says about its conversation and directory. */
export const placeIn: Record<TranscriptKind, (raw: Json) => Place> = {
  claude: ({ sessionId, cwd }) => ({ session: textOf(sessionId), cwd: textOf(cwd) }),
  codex: ({ type, payload }) => {
    const { id, cwd } = isObject(payload) ? payload : {}
    const isAboutPlace = type === 'session_meta' || type === 'turn_context'
    return { session: type === 'session_meta' ? textOf(id) : null, cwd: isAboutPlace ? textOf(cwd) : null }
  },
}

export type TranscriptKind = 'claude' | 'codex'
