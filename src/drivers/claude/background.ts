import type { ConversationEntry } from '../../contract/conversation.ts'
import { isObject, textOf } from '../../base/util/json.ts'
import { asObject, type Json } from '../json.ts'

/** The calls of an entry that run in the background: commands and, since a version after 2.1.197, every sub-agent by default. */
export const readBackground = (raw: Json): Pick<ConversationEntry, 'isLeftRunning' | 'ends'> => {
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

/** From the first opening tag to the last closing tag: the text between them is arbitrary. */
const inTag = (text: string, tag: string): string | null =>
  new RegExp(`<${tag}>(.*)</${tag}>`, 's').exec(text)?.[1] ?? null
