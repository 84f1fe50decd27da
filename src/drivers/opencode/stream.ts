import { acpSession } from '../acp.ts'
import type { Send, StreamSession } from '../contract.ts'

/** `opencode acp`. Rein's MCP server and plugin come by its configuration. */
export const stream = (send: Send): StreamSession =>
  acpSession(
    {
      title: 'opencode',
      resume: 'session/resume',
      whenBusy: 'send',
      live: { inputComes: 'with update', tokensOf: 'turn' },
      authenticate: () => null,
      configure: ({ model, mode }) => [
        ...(model === null ? [] : [{ method: 'session/set_model', params: { modelId: model } }]),
        ...(mode === null ? [] : [{ method: 'session/set_mode', params: { modeId: mode } }]),
      ],
    },
    send,
  )
