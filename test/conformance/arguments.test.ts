/** What a person wants an agent to know always reaches its model, and no other user of the machine. */
import { describe, expect, test } from 'vitest'
import { argumentsBelow } from '../support/arguments-below.ts'
import { hosts, startAgent } from './agent.ts'
import { chosen } from './chosen.ts'

const words = 'Answer like xyzzy-4711.'

/** In a terminal Codex takes it as an argument alone. */
const isShown = (name: string, host: string): boolean => name === 'codex' && host === 'tmux'

describe.each(chosen)('$name: a system text', (cli) => {
  test.concurrent.for(hosts)('%s', async (host, { onTestFinished }) => {
    const rein = await startAgent({ cli, host, onTestFinished }, 'WAIT:asked ;; SAY:done', { system: words })
    const { systemText, text } = await rein.sim.next(({ isMain }) => isMain)
    expect(`${systemText}\n${text}`).toContain(words)
    const [agent] = await rein.client.ps({})
    const seen = argumentsBelow(agent?.pid ?? 0)
    expect([seen.length > 10, seen.includes('xyzzy')]).toEqual([true, isShown(cli.name, host)])
    rein.sim.release('asked')
  })
})
