/** What a policy says holds in every terminal, whatever the CLI would do by itself. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { UpRequest } from '../../src/contract/routes/agents.ts'
import { startRein, type TestRein } from '../e2e/harness.ts'
import { idle } from '../e2e/terminal.ts'
import { chosen, programFor } from './chosen.ts'

const terminals = ['tmux', 'pty'] as const
type Asked = Partial<UpRequest['request']>

describe.each(chosen)('$name', (cli) => {
  const start = async (
    prompt: string,
    request: Asked,
    host: (typeof terminals)[number],
    onTestFinished: TestRein['onFinished'],
  ): Promise<TestRein> => {
    const rein = await startRein({ cli, program: programFor(cli), scenario: '', onTestFinished })
    await rein.up(prompt, { autoApprove: false, ...request }, { host })
    return rein
  }

  describe('what is denied does not run, in whatever mode it would start', () => {
    test.concurrent.for(terminals)('%s', async (host, { onTestFinished }) => {
      const policy = { otherwise: 'deny', tools: {} } as const
      const run = cli.asking?.('touch denied.txt') ?? 'RUN:touch denied.txt'
      const rein = await start(`${run} ;; SAY:done`, { policy }, host, onTestFinished)
      await idle(rein)
      expect(existsSync(join(rein.cwd, 'denied.txt'))).toBe(false)
    })
  })
})

describe.each(chosen.filter(({ name }) => name === 'claude'))('$name', (cli) => {
  describe('a plan is approved by policy, and what follows is judged by it, too', () => {
    test.concurrent.for(terminals)('%s', async (host, { onTestFinished }) => {
      const rein = await startRein({ cli, program: programFor(cli), scenario: '', onTestFinished })
      const policy = { otherwise: 'deny', tools: { plan: 'approve' } } as const
      const request: Asked = { autoApprove: false, permissionMode: 'plan', policy }
      await rein.up('CALL:ExitPlanMode{"plan":"1. Look."} ;; RUN:touch leapt.txt ;; SAY:done', request, { host })
      const { text } = await rein.sim.next(({ reply }) => reply === 'SAY:done')
      expect(text).toMatch(/User has approved (your plan|exiting plan mode)\./)
      expect(text).toContain("The user's policy for this agent denies this (Bash).")
      expect(existsSync(join(rein.cwd, 'leapt.txt'))).toBe(false)
    })
  })
})
