import { expect, test } from 'vitest'
import { createApp } from './app.ts'
import type { Services } from './services.ts'

const nothingWritten = { write: () => undefined }

test('an answer that is bound by hand is compared with its card, too', async () => {
  const services = {
    endpoint: { secret: '', token: '' },
    journal: nothingWritten,
    features: { handlers: {} },
  } as unknown as Services
  const ending = new AbortController().signal
  const ask = async (id: unknown): Promise<string> => {
    const app = createApp({ services, id: id as string, ending, stop: () => undefined, checksAnswers: true })
    const answer = await app.request('/v1/hello', {}, { overSocket: true, incoming: { complete: true } })
    return answer.text()
  }
  expect(await ask('dmn_1')).toContain('"id":"dmn_1"')
  expect(await ask(7)).toContain('The answer to GET /v1/hello is not what its card says')
})
