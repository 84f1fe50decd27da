import { parseObject } from '../../base/util/json.ts'
import { acpSession } from '../acp.ts'
import type { Send, StreamSession } from '../contract.ts'
import { asObject } from '../json.ts'
import { askedTool } from './asked-tool.ts'

/** Gemini as a server of the Agent Client Protocol. A second prompt would cancel the first. */
export const stream = (send: Send): StreamSession => {
  const session = acpSession(
    {
      title: 'Gemini',
      resume: 'session/load',
      whenBusy: 'keep',
      live: { inputComes: 'with call', tokensOf: 'turn' },
      authenticate: () => null,
      configure: () => [],
      readTool: askedTool,
    },
    send,
  )
  // After a resume the CLI repeats the conversation once it is open, until the list of commands.
  let isTelling = false
  const isHistory = (line: string): boolean => {
    const message = parseObject(line) ?? {}
    if (typeof message.id === 'string' && message.id.startsWith('rein:open:resume:')) isTelling = true
    if (message.method !== 'session/update') return false
    const update = asObject(asObject(message.params).update)
    if (update.sessionUpdate === 'available_commands_update') isTelling = false
    return isTelling
  }
  let isTold = false
  return {
    begin: (plan) => session.begin(plan),
    prompt: (text) => session.prompt(text),
    interrupt: () => session.interrupt(),
    answer: (question, answer) => session.answer(question, answer),
    receive: (line) => {
      isTold = isHistory(line)
      return isTold ? [{ kind: 'activity' }] : session.receive(line)
    },
    live: (line) => (isTold ? [] : session.live(line)),
  }
}
