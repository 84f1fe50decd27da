/** Speaking to the scripted model as the CLIs do. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Sim } from '../../src/sim/server.ts'

export interface Recorded {
  path: string
  headers: Record<string, string>
  body: Record<string, unknown>
}

export type Sse = { event: string | undefined; data: Record<string, unknown> }

export const recorded = (name: string): Recorded => {
  const file = join(import.meta.dirname, '../fixtures/model-requests', `${name}.json`)
  return JSON.parse(readFileSync(file, 'utf8')) as Recorded
}

export const post = ({ url }: Sim, { path, headers, body }: Recorded): Promise<Response> =>
  fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) })

/** The events of a stream, as a client reads them; the closing `[DONE]` of chat completions is left out. */
export const eventsOf = async (response: Response): Promise<Sse[]> => {
  const blocks = (await response.text()).split('\n\n').filter((block) => block.includes('data: '))
  return blocks.flatMap((block) => {
    const [, event, json = ''] = /^(?:event: (.*)\n)?data: (.*)$/.exec(block) ?? []
    return json === '[DONE]' ? [] : [{ event, data: JSON.parse(json) as Record<string, unknown> }]
  })
}
