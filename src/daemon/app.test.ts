import { expect, test } from 'vitest'
import { createApp } from './app.ts'
import type { AllHandlers } from './handlers.ts'
import type { DaemonParts } from './status.ts'

test('an answer that is bound by hand is compared with its card, too', async () => {
  const daemon = {
    base: { endpoint: { secret: '', token: '' }, journal: { write: () => undefined } },
    features: { agents: {}, handlers: {} },
  } as unknown as DaemonParts
  const ending = new AbortController().signal
  const ask = async (id: unknown): Promise<string> => {
    const app = createApp({
      daemon,
      id: id as string,
      ending,
      handlers: {} as AllHandlers,
      pageDir: '',
      checksAnswers: true,
    })
    const answer = await app.request('/v1/hello', {}, { overSocket: true, incoming: { complete: true } })
    return answer.text()
  }
  expect(await ask('dmn_1')).toContain('"id":"dmn_1"')
  expect(await ask(7)).toContain('The answer to GET /v1/hello is not what its card says')
})
