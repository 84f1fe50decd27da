import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Tally } from '../campaign/tally.ts'
import { repository, run } from '../process/harness.ts'
import { testSeed } from '../support/seeded.ts'

const program = join(repository, 'scripts/run.mjs')

const soak = async (...args: string[]): Promise<Tally & { said: string }> => {
  const command = [process.execPath, program, 'soak', '--seed', String(testSeed), '--json', ...args]
  const { stdout, stderr } = await run(command, { env: { PATH: process.env['PATH'] ?? '', HOME: tmpdir() } })
  const line = stdout.split('\n').find((one) => one.startsWith('{'))
  if (line === undefined) throw new Error(`The soak says: ${stdout}${stderr}`)
  return { ...(JSON.parse(line) as Tally), said: stderr }
}

// Each has a Rein of its own, and mostly waits.
describe.concurrent('a short soak', () => {
  test('loses nothing, doubles no agent and leaves nothing behind', async () => {
    const { counts, failures, said } = await soak('--minutes', '0.3', '--agents', '3', '--real', '1')
    expect({ failures, said }).toEqual({ failures: [], said })
    expect(counts['launches']).toBeGreaterThan(4)
    expect(counts['really got by a model']).toBe(counts['accepted'])
  })

  test.each(['double', 'leak'])('finds out what is wrong on purpose: %s', async (control) => {
    const { failures, said } = await soak('--minutes', '0.05', '--agents', '1', '--real', '0', '--control', control)
    expect({ failures, said }).toEqual({ failures: [], said })
  })
})
