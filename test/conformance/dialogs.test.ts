/** What a CLI asks before it works, and what it shows that no driver knows: shown as a question, and answered. */
import { existsSync, readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { AgentView } from '../../src/contract/api-types.ts'
import { type Cli, envOf } from '../clis.ts'
import { startRein, type TestRein } from '../e2e/harness.ts'
import { idle } from '../e2e/terminal.ts'
import { chosen, programFor } from './chosen.ts'

const terminals = ['tmux', 'pty'] as const

/** An agent in a directory that its CLI was never told to trust. */
const upIn = async (cli: Cli, host: (typeof terminals)[number], onTestFinished: TestRein['onFinished']) => {
  const rein = await startRein({ cli, program: programFor(cli), onTestFinished })
  const cwd = join(rein.cwd, '..', 'home')
  const agent = await rein.up(null, { cwd, autoApprove: false }, { host })
  return { ...rein, cwd, agent }
}

const answered = async ({ client }: TestRein, cwd: string, answer: string): Promise<AgentView> =>
  client.answer({ target: 'worker', cwd, answer })

describe.each(chosen)('$name', (cli) => {
  describe('in a directory that it does not trust it asks, or is ready', () => {
    test.concurrent.for(terminals)('%s', async (host, { onTestFinished }) => {
      const rein = await upIn(cli, host, onTestFinished)
      expect(['awaiting_answer', 'idle']).toContain(rein.agent.state)
      await (rein.agent.question === null ? null : answered(rein, rein.cwd, 'allow'))
      await idle(rein)
    })
  })
})

describe.each(chosen.filter(({ name }) => name === 'claude'))('$name', (cli) => {
  test.each(['allow', 'Yes, I trust this folder'])('it trusts a directory when it is answered "%s"', async (words) => {
    const rein = await startRein({ cli, program: programFor(cli) })
    const cwd = join(rein.cwd, '..', 'home')
    const { state, question } = await rein.up(null, { cwd }, { host: 'tmux' })
    expect({ state, tool: question?.tool }).toEqual({ state: 'awaiting_answer', tool: 'trust' })
    await answered(rein, cwd, words)
    await idle(rein)
  })

  test('the server of a project is used when its number is named', async () => {
    const rein = await startRein({ cli, program: programFor(cli) })
    await writeFile(join(rein.cwd, '.mcp.json'), JSON.stringify({ mcpServers: { notes: { command: 'true' } } }))
    const { question } = await rein.up(null, { autoApprove: false }, { host: 'tmux' })
    expect(question).toMatchObject({ tool: 'MCP server', input: { dialog: expect.stringContaining('notes') } })
    const wanted = (question?.options ?? []).indexOf('Use this MCP server') + 1
    await answered(rein, rein.cwd, String(wanted))
    await idle(rein)
  })

  test('what it writes down about the server of Rein goes with that server', async () => {
    const rein = await startRein({ cli, program: programFor(cli) })
    const { client, cwd, home, sim } = rein
    const env = envOf(cli, home, sim.url)
    const mine = join(cwd, '.claude/settings.local.json')
    await client.setup({ clis: [cli.name], cwd, env, isShared: true })
    const agent = await rein.up(null, { autoApprove: false }, { host: 'tmux' })
    const options = agent.question?.options ?? []
    await answered(rein, cwd, String(options.indexOf('Use this MCP server') + 1))
    await idle(rein)
    expect(readFileSync(mine, 'utf8')).toContain('"rein"')
    await client.down({ target: 'worker', cwd })
    await client.cleanup({ clis: [cli.name], cwd, env })
    expect(existsSync(mine)).toBe(false)
  })
})
