import { realpath } from 'node:fs/promises'
import { ReinError } from '../../contract/errors.ts'
import { isObject, textOf } from '../../base/util/json.ts'
import type { ConversationCut } from '../contract.ts'
import { refuseUnknown } from '../cut-prefix.ts'
import { asObject, type Json, listObjects } from '../json.ts'
import { serve } from './server.ts'

/** By opencode's own fork, which ends before a message: all conversations are in one database, and it chooses their ids. */
export const cut: ConversationCut = async (request) => {
  const { conversation: old, transcript, after } = request
  const server = await serve(request)
  try {
    const messageID = messageAfter(await server.call('GET', `/session/${old}/message`), after)
    const made = await server.call('POST', `/session/${old}/fork`, messageID === null ? {} : { messageID })
    const { id, directory } = asObject(made)
    const conversation = textOf(id)
    if (conversation === null) throw new ReinError('failed', 'opencode made no new session.')
    // A fork is for the directory of its source.
    const destination = { directory: await realpath(request.cwd) }
    if (directory !== destination.directory)
      await server
        .call('POST', '/experimental/control-plane/move-session', {
          sessionID: conversation,
          destination,
          moveChanges: false,
        })
        .catch(async (cause: unknown) => {
          await server.call('DELETE', `/session/${conversation}`)
          throw cause
        })
    return { conversation, transcript, damaged: [] }
  } finally {
    await server.close()
  }
}

/** The first message that does not belong to the new conversation; null if all do. */
export const messageAfter = (messages: unknown, after: string): string | null => {
  const list = (Array.isArray(messages) ? messages : []).filter(isObject)
  const name = after.replace(/:(result|context|error)$/, '')
  const index = list.findIndex(
    (message) => readInfo(message).id === name || listObjects(message.parts).some(({ id }) => id === name),
  )
  if (index < 0) refuseUnknown(after)
  // opencode records a prompt at once, and answers it only when the reply before it is over.
  const infos = list.slice(0, index + 1).map(readInfo)
  const reply = infos.findLast(({ role }) => role === 'assistant')
  const answered = infos.findIndex(({ id }) => id === reply?.parentID)
  if (reply !== undefined && infos.slice(answered + 1).some(({ role }) => role === 'user'))
    throw new ReinError(
      'refused',
      'Another prompt was waiting when that turn ended: opencode cannot go back to before it.',
    )
  const next = list[index + 1]
  return next === undefined ? null : String(readInfo(next).id)
}

const readInfo = ({ info }: Json): Json => asObject(info)
