import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { tempDir } from '../../../test/support/builders.ts'
import { TeamFiles } from './hubs.ts'
import { saveAgents } from './save.ts'

const start = () => {
  const dir = tempDir()
  mkdirSync(join(dir, '.git'))
  const read = () => new TeamFiles((problem) => expect.unreachable(problem.message)).of(dir)
  return { dir, file: join(dir, '.rein/team.toml'), read }
}

test('a file is made with the agents', async () => {
  const { dir, read } = start()
  await saveAgents(dir, [{ handle: 'parser-lead', driver: 'claude', task: 'parser', role: 'lead' }])
  expect(read().agents).toEqual({ 'parser-lead': { driver: 'claude', task: 'parser', role: 'lead' } })
})

test('what stands there stays to the letter; who is there already is not changed', async () => {
  const { dir, file, read } = start()
  mkdirSync(join(dir, '.rein'))
  const before = '# Our team\n[hubs.all]\nrooms = ["*"]\n\n[agents.ada]\ndriver = "codex" # the quick one\n'
  writeFileSync(file, before)
  await saveAgents(dir, [
    { handle: 'ada', driver: 'claude' },
    { handle: 'bob', driver: 'claude', host: 'stream' },
  ])
  expect(readFileSync(file, 'utf8').startsWith(before.trimEnd())).toBe(true)
  expect(read().agents).toEqual({ ada: { driver: 'codex' }, bob: { driver: 'claude', host: 'stream' } })
  const after = readFileSync(file, 'utf8')
  await saveAgents(dir, [{ handle: 'bob', driver: 'codex' }])
  expect(readFileSync(file, 'utf8')).toBe(after)
})
