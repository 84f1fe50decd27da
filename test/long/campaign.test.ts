import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Tally } from '../campaign/tally.ts'
import { repository, run } from '../process/harness.ts'
import { testSeed } from '../support/seeded.ts'

const program = join(repository, 'scripts/run.mjs')

const campaign = async (...args: string[]): Promise<Tally> => {
  const command = [
    process.execPath,
    program,
    'campaign',
    '--agents',
    '4',
    '--seed',
    String(testSeed),
    '--json',
    ...args,
  ]
  const { stdout, stderr } = await run(command, { env: { PATH: process.env['PATH'] ?? '', HOME: tmpdir() } })
  const line = stdout.split('\n').find((one) => one.startsWith('{'))
  if (line === undefined) throw new Error(`The campaign says: ${stdout}${stderr}`)
  return JSON.parse(line) as Tally
}

describe('a short campaign', () => {
  test('loses nothing and claims nothing while everything is killed', async () => {
    const { counts, failures } = await campaign('--kills', '12', '--directives', '600')
    expect(failures).toEqual([])
    expect(counts).toMatchObject({ accepted: 600, 'really got by a model': 600, lost: 0, 'false seen': 0 })
    expect(counts['kills in all']).toBeGreaterThanOrEqual(12)
  })

  test('is seen to lose what was answered before it was committed', async () => {
    const { counts, failures } = await campaign('--kills', '12', '--directives', '600', '--control')
    expect(failures).toEqual([])
    expect(counts['lost']).toBeGreaterThan(0)
  })
})
