import type { ConversationEntry } from '../../contract/conversation.ts'
import { isObject, textOf } from '../../base/util/json.ts'
import { asObject, type Json } from '../json.ts'

/** What an entry says of calls that go on in the background: commands and, since a version after 2.1.197, every sub-agent that is not told otherwise. */
export const backgroundOf = (raw: Json): Pick<ConversationEntry, 'isLeftRunning' | 'ends'> => {
  const { toolUseResult: result } = raw
  if (isObject(result) && (result.isAsync === true || typeof result.backgroundTaskId === 'string'))
    return { isLeftRunning: true }
  // Anybody can type such text: the origin proves that the CLI wrote it.
  const attachment = asObject(raw.attachment)
  const origin = isObject(raw.origin) ? raw.origin : asObject(attachment.origin)
  const isNotice = origin.kind === 'task-notification' || attachment.commandMode === 'task-notification'
  const notice = isNotice ? (textOf(attachment.prompt) ?? textOf(asObject(raw.message).content) ?? '') : ''
  const call = /<tool-use-id>([^<]+)</.exec(notice)?.[1]
  return call === undefined ? {} : { ends: { call, result: inTag(notice, 'result') ?? inTag(notice, 'summary') ?? '' } }
}

/** From the first opening to the last closing: what stands between them may be any text. */
const inTag = (text: string, tag: string): string | null =>
  new RegExp(`<${tag}>(.*)</${tag}>`, 's').exec(text)?.[1] ?? null
