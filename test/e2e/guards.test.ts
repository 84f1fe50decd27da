import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, watch, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import type { HostKind } from '../../src/contract/agent.ts'
import { clis, envOf, programOf } from '../support/clis.ts'
import { killProcess } from '../support/kill.ts'
import { startRein, type TestRein } from './harness.ts'

const told = 'Files called forbidden are not wanted.'
const rules = `version: 1
rules:
  - name: not-forbidden
    on: shell
    guard: true
    when: { shell: { program: touch, args: 'forbidden*' } }
    message: ${told}
`

const addRules = ({ cwd }: TestRein): void => {
  mkdirSync(join(cwd, '.rein/rules'), { recursive: true })
  writeFileSync(join(cwd, '.rein/rules/rules.yaml'), rules)
}

const isCompiled = ({ paths }: TestRein): boolean =>
  existsSync(paths.guards) && readFileSync(paths.guards, 'utf8').includes('not-forbidden')

/** Resolves when the guard file holds the rule. */
const compiled = async (rein: TestRein): Promise<void> => {
  const { paths, onFinished } = rein
  await new Promise<void>((resolve) => {
    const watcher = watch(dirname(paths.guards), () => {
      if (isCompiled(rein)) resolve()
    })
    onFinished(() => watcher.close())
    if (isCompiled(rein)) resolve()
  })
}

/** What the model had received when it was about to give this reply. */
const before = async ({ sim }: TestRein, reply: string): Promise<string> =>
  (await sim.next((request) => request.reply.endsWith(reply))).text

/** What was added to the conversation between two replies. */
const between = async (rein: TestRein, earlier: string, later: string): Promise<string> => {
  const [known, all] = [await before(rein, earlier), await before(rein, later)]
  return all.slice(known.length)
}

const there = ({ cwd }: TestRein, ...names: string[]): boolean[] => names.map((name) => existsSync(join(cwd, name)))

/** Headless, Gemini runs no hooks at tools: there it is held by its protocol. */
const hostOf = (name: string): HostKind => (name === 'gemini' ? 'tmux' : 'stream')

/** How each is run once, headless, by somebody who lets it work and has reviewed its hooks. */
const byHand: Record<string, (prompt: string) => string[]> = {
  claude: (prompt) => ['--print', '--dangerously-skip-permissions', prompt],
  codex: (prompt) => [
    'exec',
    '--skip-git-repo-check',
    '--dangerously-bypass-approvals-and-sandbox',
    '--dangerously-bypass-hook-trust',
    prompt,
  ],
  copilot: (prompt) => ['--allow-all-tools', '--prompt', prompt],
  gemini: (prompt) => ['--yolo', '--prompt', prompt],
  opencode: (prompt) => ['run', '--auto', prompt],
}

describe.each(clis.map((cli) => [cli.name, cli] as const))('%s', (name, cli) => {
  test.concurrent('a guard that is added while it runs binds it, also while the daemon is stopped and when it is dead', async ({
    onTestFinished,
  }) => {
    const rein = await startRein({ cli, scenario: '', config: { REIN_HOOKS_DEADLINE_MS: '1000' }, onTestFinished })
    const steps = ['live', 'stopped', 'dead'].map((how) => `WAIT:${how} ;; RUN:touch forbidden-${how}.txt`)
    await rein.up(
      `RUN:touch first.txt ;; ${steps.join(' ;; ')} ;; RUN:touch fine.txt ;; SAY:done`,
      {},
      { host: hostOf(name) },
    )
    const { sim } = rein

    await sim.reached('live')
    expect(isCompiled(rein)).toBe(false)
    addRules(rein)
    sim.release('live')
    await sim.reached('stopped')
    const live = await between(rein, 'RUN:touch forbidden-live.txt', 'RUN:touch forbidden-stopped.txt')
    const said = live.split(told).length - 1
    expect(said).toBeGreaterThanOrEqual(1)
    // Gemini joins the reasons of both hooks, where both deny.
    expect(said).toBeLessThanOrEqual(name === 'gemini' ? 2 : 1)

    await compiled(rein)
    const { pid } = await rein.client.status()
    process.kill(pid, 'SIGSTOP')
    sim.release('stopped')
    await sim.reached('dead')
    process.kill(pid, 'SIGCONT')
    const stopped = await between(rein, 'RUN:touch forbidden-stopped.txt', 'RUN:touch forbidden-dead.txt')
    expect(stopped).toContain(told)

    killProcess(pid)
    sim.release('dead')
    const dead = await between(rein, 'RUN:touch forbidden-dead.txt', 'RUN:touch fine.txt')
    expect(dead).toContain(told)
    await before(rein, 'SAY:done')
    const names = ['live', 'stopped', 'dead'].map((how) => `forbidden-${how}.txt`)
    expect(there(rein, 'first.txt', ...names, 'fine.txt')).toEqual([true, false, false, false, true])
  })

  test.concurrent('started by hand where Rein was set up, a guard holds while the daemon is dead', async ({
    onTestFinished,
  }) => {
    const rein = await startRein({ cli, scenario: '', onTestFinished })
    const { client, cwd, home, sim } = rein
    const env = { ...envOf(cli, home, sim.url), GEMINI_CLI_TRUST_WORKSPACE: 'true' }
    addRules(rein)
    await client.setup({ clis: [cli.name], cwd, env })
    await compiled(rein)
    await rein.killDaemon()
    const prompt = 'RUN:touch forbidden.txt ;; RUN:touch fine.txt ;; SAY:done'
    const running = promisify(execFile)(programOf(cli), byHand[name]?.(prompt), {
      cwd,
      env,
      maxBuffer: 64 * 1024 * 1024,
    })
    running.child.stdin?.end()
    expect(await before(rein, 'RUN:touch fine.txt')).toContain(told)
    await running
    expect(there(rein, 'forbidden.txt', 'fine.txt')).toEqual([false, true])
  })
})

test('a guard with a mistake in its file denies Claude Code what it looks at, with and without a daemon', async ({
  onTestFinished,
}) => {
  const rein = await startRein({ scenario: '', config: { REIN_HOOKS_DEADLINE_MS: '1000' }, onTestFinished })
  mkdirSync(join(rein.cwd, '.rein/rules'), { recursive: true })
  writeFileSync(join(rein.cwd, '.rein/rules/rules.yaml'), rules.replace('when:', 'wehn:'))
  const read = `CALL:Read${JSON.stringify({ file_path: join(rein.cwd, '.rein/rules/rules.yaml') })}`
  await rein.up(`RUN:touch live.txt ;; WAIT:dead ;; RUN:touch dead.txt ;; ${read} ;; SAY:done`)
  const where = '.rein/rules/rules.yaml:6:5: `wehn` is not a field of a rule'
  await rein.sim.reached('dead')
  await rein.killDaemon()
  rein.sim.release('dead')
  expect(await before(rein, 'RUN:touch dead.txt')).toContain(where)
  expect(await between(rein, 'RUN:touch dead.txt', read)).toContain(where)
  // It may still read.
  expect(await between(rein, read, 'SAY:done')).toContain(told)
  expect(there(rein, 'live.txt', 'dead.txt')).toEqual([false, false])
})
