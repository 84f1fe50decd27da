import { readdirSync, statSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { tempDir } from '../../../test/support/builders.ts'
import { reinPaths } from '../../base/util/paths.ts'
import { environments } from './environments.ts'

const start = () => {
  const paths = reinPaths({ env: { REIN_HOME: tempDir() }, homedir: '/home/ada', platform: 'linux', uid: 1000 })
  return { paths, dir: join(paths.runtime, 'environments') }
}
const ofDaemon = { ...process.env }

test('an environment is kept for this user’s eyes alone, until it is forgotten', () => {
  const { paths, dir } = start()
  const { keep, of, forget } = environments(paths, 0)
  keep('one', { TOKEN: 'hush' })
  keep('two', {})
  expect([of('one'), of('two')]).toEqual([{ TOKEN: 'hush' }, {}])
  expect([statSync(dir).mode & 0o777, statSync(join(dir, 'one.json')).mode & 0o777]).toEqual([0o700, 0o600])
  forget('one')
  forget('nobody')
  expect([readdirSync(dir), of('one'), of(undefined)]).toEqual([['two.json'], ofDaemon, ofDaemon])
})

test('none outlives a restart of the machine', () => {
  const { paths, dir } = start()
  const { keep } = environments(paths, 0)
  keep('before', {})
  keep('since', {})
  utimesSync(join(dir, 'before.json'), 999, 999)
  environments(paths, 1_000_000)
  expect(readdirSync(dir)).toEqual(['since.json'])
})
