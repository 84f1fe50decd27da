import { execFile } from 'node:child_process'
import { delimiter, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { version } from '../../src/base/util/version.ts'
import { programOf, cliNamed } from '../support/clis.ts'
import { installPacked } from '../support/packed.ts'

/** The package of npm that holds the program of Node, and needs no install script. */
const nodePackage = `node-${process.platform}-${process.arch}`

test("the packed Rein runs on npm's node@22, with the SQLite that Node has", async () => {
  const installed = await installPacked((clean) => onTestFinished(clean))
  const flags = ['--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund']
  await installed.npm(['install', '--prefix', join(installed.root, 'node22'), ...flags, `${nodePackage}@22`])
  const node = join(installed.root, 'node22/node_modules', nodePackage, 'bin/node')
  const env = { ...installed.env, PATH: [dirname(node), installed.env['PATH']].join(delimiter) }
  const rein = async (...args: string[]): Promise<string> =>
    (await promisify(execFile)('rein', args, { cwd: installed.home, env: { ...env, REIN_CLAUDE_PATH: claude } })).stdout
  const claude = programOf(cliNamed('claude'))
  expect((await promisify(execFile)(node, ['--version'])).stdout).toMatch(/^v22\./)
  expect(await rein('--version')).toBe(`${version}\n`)
  await rein('ps')
  expect(await rein('daemon', 'stop')).toContain('has stopped')
  expect(await rein('demo')).toMatch(/(\d+) of \1 directives acked/)
})
