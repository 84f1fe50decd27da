import { type AcpCall, acpSession } from '../acp.ts'
import type { Send, StreamSession } from '../contract.ts'
import { asObject, type Json, listObjects } from '../json.ts'

/** Copilot as a server of the Agent Client Protocol. A second prompt would cancel the first. */
export const stream = (send: Send): StreamSession =>
  acpSession(
    {
      title: 'Copilot',
      resume: 'session/load',
      whenBusy: 'keep',
      live: { inputComes: 'with call', tokensOf: 'conversation' },
      authenticate: () => null,
      configure: ({ mode }, opened) => (mode === null ? [] : setMode(mode, opened)),
    },
    send,
  )

/** Modes are addresses that end with their names; the usual one has another name here. */
const setMode = (mode: string, { modes }: Json): AcpCall[] => {
  const known = listObjects(asObject(modes).availableModes)
  const name = mode === 'interactive' ? 'agent' : mode
  const found = known.find(({ id }) => String(id).endsWith(`#${name}`))
  return found === undefined ? [] : [{ method: 'session/set_mode', params: { modeId: found.id } }]
}
