/** What a CLI asks before it works, and what it shows that no driver knows: shown as a question, and answered. */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { AgentView } from '../../src/contract/routes/agents.ts'
import type { Cli } from '../support/clis.ts'
import { startRein, type TestRein } from '../e2e/harness.ts'
import { idle, inState } from '../e2e/terminal.ts'
import { firstWith } from './agent.ts'
import { chosen, programFor } from './chosen.ts'
import { deploy } from './deployed.ts'

const terminals = ['tmux', 'pty'] as const

/** An agent in a directory that its CLI was never told to trust. */
const upIn = async (cli: Cli, host: (typeof terminals)[number], onTestFinished: TestRein['onFinished']) => {
  const rein = await startRein({ cli, program: programFor(cli), onTestFinished })
  const cwd = join(rein.cwd, '..', 'home')
  await rein.up(null, { cwd, autoApprove: false }, { host })
  return { ...rein, cwd }
}

/** The agent once it asks or is ready: on a busy machine that may be after `up` has returned. */
const started = async ({ client }: TestRein): Promise<AgentView> => {
  for await (const _ of client.tail({ topic: 'agents', after: 0, follow: true })) {
    const [agent] = await client.ps({})
    if (agent?.state === 'awaiting_answer' || agent?.state === 'idle') return agent
  }
  throw new Error('It neither asks nor is ready.')
}

const answered = async ({ client }: TestRein, cwd: string, answer: string): Promise<AgentView> =>
  client.answer({ target: 'worker', cwd, answer })

describe.each(chosen)('$name', (cli) => {
  describe('in a directory that it does not trust it asks, or is ready', () => {
    test.concurrent.for(terminals)('%s', async (host, { onTestFinished }) => {
      const rein = await upIn(cli, host, onTestFinished)
      const { question } = await started(rein)
      const left = question === null ? null : (await answered(rein, rein.cwd, 'allow')).question
      expect(left).toBeNull()
      await idle(rein)
    })
  })
})

describe.each(chosen.filter(({ name }) => name === 'claude'))('$name', (cli) => {
  test.each<[string, (options: readonly string[]) => string | undefined]>([
    ['allow', () => 'allow'],
    ['the words that stand there', (options) => options.find((one) => one.startsWith('Yes'))],
  ])('it trusts a directory when it is answered with %s', async (_, readAnswer) => {
    const rein = await startRein({ cli, program: programFor(cli) })
    const cwd = join(rein.cwd, '..', 'home')
    const { state, question } = await rein.up(null, { cwd, autoApprove: false }, { host: 'tmux' })
    expect({ state, tool: question?.tool }).toEqual({ state: 'awaiting_answer', tool: 'trust' })
    await answered(rein, cwd, readAnswer(question?.options ?? []) ?? '')
    await idle(rein)
  })

  test('the server of a project is used when its number is named', async () => {
    const rein = await startRein({ cli, program: programFor(cli) })
    await writeFile(join(rein.cwd, '.mcp.json'), JSON.stringify({ mcpServers: { notes: { command: 'true' } } }))
    // Whoever has accepted that nobody is asked is not asked about this either, in the oldest versions.
    const settings = join(rein.home, '.claude.json')
    const settled = JSON.parse(await readFile(settings, 'utf8')) as object
    await writeFile(settings, JSON.stringify({ ...settled, bypassPermissionsModeAccepted: undefined }))
    await rein.up(null, { autoApprove: false }, { host: 'tmux' })
    await inState(rein, 'awaiting_answer')
    const { question } = await started(rein)
    expect(question).toMatchObject({ tool: 'MCP server', input: { dialog: expect.stringContaining('notes') } })
    const wanted = (question?.options ?? []).indexOf('Use this MCP server') + 1
    await answered(rein, rein.cwd, String(wanted))
    await idle(rein)
  })
})

describe.each(chosen.filter(({ name }) => name === 'claude'))('$name', (cli) => {
  test.each([[['setup']], [['setup', '--shared']]])(
    'after `rein %j` an agent asks nothing about Rein',
    async (args) => {
      const rein = await startRein({ cli, program: programFor(cli) })
      await deploy(rein, ...args)
      const agent = await rein.up(null, { autoApprove: false, permissionMode: 'default' }, { host: 'tmux' })
      expect(agent).toMatchObject({ state: 'idle', question: null })
      // A turn in the very moment of the start may come before any server is connected.
      const first = await rein.tell('Are you there?')
      await rein.reached(first.id, 'acked')
      await idle(rein)
      const { id } = await rein.tell('What can you do?')
      expect(JSON.stringify((await firstWith(rein, id)).body)).toContain('mcp__rein__ack_directive')
    },
  )
})
