import { acpSession } from '../acp.ts'
import type { Send, StreamSession } from '../contract.ts'
import { asObject, listObjects } from '../json.ts'

/** Copilot as a server of the Agent Client Protocol. A second prompt would cancel the first. */
export const stream = (send: Send): StreamSession =>
  acpSession(
    {
      title: 'Copilot',
      resume: 'session/load',
      whenBusy: 'keep',
      live: { inputComes: 'with call', tokensOf: 'conversation' },
      authenticate: () => null,
      // Modes are addresses that end with their names; the usual one has another name here.
      configure: ({ mode }, opened) => {
        const name = mode === 'interactive' ? 'agent' : mode
        const found = listObjects(asObject(opened.modes).availableModes).find(({ id }) =>
          String(id).endsWith(`#${name}`),
        )
        return mode === null || found === undefined
          ? []
          : [{ method: 'session/set_mode', params: { modeId: found.id } }]
      },
    },
    send,
  )
