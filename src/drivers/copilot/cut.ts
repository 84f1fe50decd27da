import { parseObject } from '../../base/util/json.ts'
import type { ConversationCut } from '../contract.ts'
import { readSource, writeNew } from '../cut-files.ts'
import { type Prefix, takePrefix, refuseUnknown } from '../cut-prefix.ts'
import { locate } from './transcript.ts'

/** Copilot makes everything else of a session itself. Its folder has another name, so the system prompt names another. */
export const cut: ConversationCut = async (request) => {
  const { conversation: old, newConversation: conversation } = request
  const transcript = locate(conversation, request.cwd, request.env)
  const source = await readSource(request.transcript)
  const { lines, damaged } = cutLines(source.lines, request.after, old, conversation)
  await writeNew(transcript, lines, source.mode)
  return { conversation, transcript, damaged }
}

export const cutLines = (lines: readonly string[], after: string, old: string, conversation: string): Prefix => {
  const event = after.replace(/:context$/, '')
  const index = lines.findIndex((line) => line.includes(event) && parseObject(line)?.id === event)
  if (index < 0) refuseUnknown(after)
  const { lines: kept, damaged } = takePrefix(lines, index + 1, ({ type }) => type === 'assistant.turn_end')
  // As text, because what goes to the model must not be changed in a single byte.
  return {
    lines: kept.map((line) =>
      parseObject(line)?.type === 'session.start'
        ? line.replaceAll(`"sessionId":"${old}"`, `"sessionId":"${conversation}"`)
        : line,
    ),
    damaged,
  }
}
