import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { AnyRecord, LogRecord } from '../../src/contract/record.ts'
import { cliNamed, envOf, programOf, settle } from '../support/clis.ts'
import { startRein, type TestRein } from './harness.ts'

const [claude, codex] = [cliNamed('claude'), cliNamed('codex')]

/** Claude Code and Codex in one project, which has files to change. */
const startBoth = async (): Promise<TestRein> => {
  const rein = await startRein({ scenario: '', config: { REIN_CODEX_PATH: programOf(codex) } })
  const { home, sim, cwd } = rein
  await settle(codex, home, sim.url, cwd)
  mkdirSync(join(cwd, 'src'))
  writeFileSync(join(cwd, 'src/a.txt'), 'old\n')
  return rein
}

const start = ({ up, home, sim }: TestRein, handle: string, driver: string, steps: readonly string[]) => {
  const env = { ...envOf(claude, home, sim.url), ...envOf(codex, home, sim.url) }
  return up(steps.join(' ;; '), {}, { handle, driver, env })
}

/** The same by tools of each CLI's own and by the shell; `who` keeps the commands of both apart. */
const attempts = (cwd: string, who: string): string[] => {
  const patch = ['*** Begin Patch', '*** Update File: src/a.txt', '@@', '-old', '+new', '*** End Patch'].join('\n')
  const own =
    who === 'cid'
      ? `CALL:exec_command${JSON.stringify({ cmd: `apply_patch <<'EOF'\n${patch}\nEOF` })}`
      : `CALL:Write${JSON.stringify({ file_path: join(cwd, 'src/b.txt'), content: 'new' })}`
  return [
    own,
    `RUN:echo ${who} > src/a.txt`,
    `RUN:sed -i s/old/${who}/ src/a.txt`,
    `RUN:mv src/a.txt ${who}.txt`,
    `RUN:rm src/a.txt # ${who}`,
  ]
}

const denials = async ({ client }: TestRein): Promise<number> => {
  let count = 0
  for await (const { type } of client.tail({ topic: 'leases', after: 0 })) if (type === 'lease.denied') count++
  return count
}

const isEnd = (one: AnyRecord): one is LogRecord<'lease.ended'> & AnyRecord => one.type === 'lease.ended'

test('what one agent holds, agents of two vendors cannot change by any tool, and are told why; after that they can', async () => {
  const rein = await startBoth()
  const { sim, cwd, client } = rein
  const before = (reply: string) => sim.next((request) => request.reply === reply)
  await start(rein, 'ada', 'claude', ['CALL:mcp__rein__take_lease{"glob":"src","why":"the parser"}', 'SAY:mine'])
  expect((await before('SAY:mine')).text).toContain('You hold src (exclusive) for "the parser" until ')

  const others = [
    { who: 'bea', driver: 'claude' },
    { who: 'cid', driver: 'codex' },
  ]
  const tries = async ({ who, driver }: (typeof others)[number]): Promise<void> => {
    const steps = [...attempts(cwd, who), `SAY:${who} asks`, `RUN:echo ${who} >> src/a.txt`, `SAY:${who} is done`]
    await start(rein, who, driver, steps)
    for (const next of steps.slice(1, 6)) {
      const { text } = await before(next)
      const told = text.slice(text.lastIndexOf('Rein: this would change'))
      expect(told).toMatch(/ada holds src \(exclusive\) for \\?"the parser\\?" until \S+Z \(in \d+ minutes\)/)
      expect(told).toContain('rein tell ada')
    }
  }
  await Promise.all(others.map(tries))
  expect([readdirSync(join(cwd, 'src')), readFileSync(join(cwd, 'src/a.txt'), 'utf8')]).toEqual([['a.txt'], 'old\n'])
  expect(await denials(rein)).toBe(10)

  expect((await rein.rein('lease', 'release', 'src')).stdout).toContain('src of ada is taken away')
  await rein.record('leases', isEnd)
  for (const { who } of others) {
    await client.prompt({ target: who, cwd, text: 'Go on.' })
    await before(`SAY:${who} is done`)
  }
  expect(readFileSync(join(cwd, 'src/a.txt'), 'utf8')).toBe('old\nbea\ncid\n')
})
