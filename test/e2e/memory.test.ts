import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { createClient } from '../../src/client/client.ts'
import { cliNamed } from '../support/clis.ts'
import { createShellBox, openShell } from '../process/shell-pty.ts'
import { daemonScript } from '../process/harness.ts'
import type { TestRein } from './harness.ts'
import { decided, ended, heardBefore, ingestWork, remembered, startShop, uninstall, work } from './memory-talk.ts'

const says = {
  primer: 'How this project is worked on',
  rate: '- test: `./scripts/test.sh --ci` (9 of 9 ok)',
  fix: 'after this error here, `npm run setup` and then the same again worked 1 of 1 time',
  variant: 'here this is usually run as `./scripts/test.sh --ci` (worked 9 of 9 times)',
  tool: 'for what the shell was just used for: it shows a file',
}
/** How often each of these stands in a text. */
const timesSaid = (text: string): Record<string, number> =>
  Object.fromEntries(Object.entries(says).map(([kind, words]) => [kind, text.split(words).length - 1]))
const once = { primer: 1, rate: 1, fix: 1, variant: 1, tool: 1 }
const never = { primer: 0, rate: 0, fix: 0, variant: 0, tool: 0 }

const kinds = ['primer', 'fix', 'variant', 'tool'] as const

/** Gives cause for each kind of advice, and for the last one twice. */
const working = 'RUN:node check.cjs ;; RUN:./scripts/test.sh ;; RUN:cat check.cjs ;; RUN:cat package.json ;; SAY:I see'

describe.each(['claude', 'copilot'])('%s', (name) => {
  test('what one conversation has shown is told in the next, in time for each choice of the model', async () => {
    const rein = await startShop({ cli: cliNamed(name) })
    await rein.up(`${work.map((command) => `RUN:${command}`).join(' ;; ')} ;; SAY:done`, {}, { handle: 'first' })
    expect((await remembered(rein, work.length)).slice(0, 4)).toEqual([
      'node check.cjs: failed',
      'npm run setup: ok',
      'node check.cjs: ok',
      './scripts/test.sh --ci: ok',
    ])
    const { text: first } = await ended(rein, 'done')
    expect(timesSaid(first)).toEqual(never)
    uninstall(rein)
    await rein.up(working, {}, { handle: 'second' })
    const { text } = await ended(rein, 'I see')
    const all = await decided(rein, ...kinds)
    const session = all.at(-1)?.session
    expect(all.filter((one) => one.session === session && one.isShown)).toMatchObject(
      kinds.map((kind) => ({ kind, author: name })),
    )
    expect(timesSaid(text)).toEqual(once)
    expect(heardBefore(rein, 'RUN:node check.cjs')).toContain(says.rate)
    expect(heardBefore(rein, 'RUN:./scripts/test.sh')).toContain(says.fix)
    expect(heardBefore(rein, 'RUN:cat check.cjs')).toContain(says.variant)
    expect(heardBefore(rein, 'RUN:cat package.json')).toContain(says.tool)
  })

  test('a conversation that is held out is told nothing, and what would have been said is on record', async () => {
    const rein = await startShop({ cli: cliNamed(name), config: { REIN_MEMORY_HOLDOUT: '1' } })
    await ingestWork(rein)
    await rein.up(working)
    const { text } = await ended(rein, 'I see')
    expect(text).not.toContain('a hint, not an instruction')
    expect(timesSaid(text)).toEqual(never)
    const all = await decided(rein, ...kinds)
    expect(all.filter(({ kind }) => kind !== 'none')).toMatchObject(
      kinds.map((kind) => ({ kind, isShown: false, why: 'held out' })),
    )
  })
})

test.each(['stream', 'tmux'] as const)('opencode has the primer in its first request (%s)', async (host) => {
  const rein = await startShop({ cli: cliNamed('opencode') })
  await ingestWork(rein)
  await rein.up('SAY:I see', {}, { host })
  const { text } = await ended(rein, 'I see')
  expect(timesSaid(text)).toMatchObject({ primer: 1, rate: 1 })
  const [advice] = (await decided(rein, 'primer')).filter(({ kind }) => kind === 'primer')
  expect(advice).toMatchObject({ moment: 'prompt', isShown: true })
})

test('what is known to fail is corrected or refused before it runs, and the model is told', async () => {
  const rein = await startShop({ config: { REIN_MEMORY_DENY_FAILING: 'true', REIN_MEMORY_REWRITE: 'true' } })
  const failed = { command: './scripts/docs.sh', exit: 1, output: 'Error: no theme', author: 'claude' }
  const sessions = ['a', 'a', 'b', 'b', 'c', 'c', 'd']
  await rein.client.ingest({ cwd: rein.cwd, commands: sessions.map((session, at) => ({ ...failed, session, at })) })
  mkdirSync(join(rein.cwd, 'src'))
  await rein.up('RUN:mkdir src ;; RUN:./scripts/docs.sh ;; RUN:true ;; RUN:./scripts/docs.sh ;; SAY:I see')
  const { text } = await ended(rein, 'I see')
  // Seven commands are too few to say how this project is worked on.
  expect(timesSaid(text)).toEqual(never)
  const told = 'Rein ran `mkdir -p` in place of `mkdir`: the directory is there already.'
  const refused = 'Not run: this command has failed here 7 of 7 times, always like this: Error: no theme.'
  expect(text.split(told)).toHaveLength(2)
  expect(text.split(refused)).toHaveLength(2)
  expect(heardBefore(rein, 'RUN:true')).toContain(refused)
  expect(heardBefore(rein, 'SAY:I see')).toContain('ran docs')
  expect((await remembered(rein, 10)).slice(7)).toEqual(['mkdir -p src: ok', 'true: ok', './scripts/docs.sh: ok'])
  const all = await decided(rein, 'rewrite', 'deny')
  expect(all.filter(({ isShown }) => isShown)).toMatchObject([
    { kind: 'rewrite', moment: 'before', about: 'mkdir src' },
    { kind: 'deny', moment: 'before', about: './scripts/docs.sh' },
  ])
})

test('a commit that a hook of the project refuses: what was missing is told after one success', async () => {
  const rein = await startShop()
  const { cwd } = rein
  const git = (...args: string[]): unknown => execFileSync('git', args, { cwd, stdio: 'ignore' })
  git('init')
  git('config', 'user.name', 'Ada')
  git('config', 'user.email', 'ada@example.com')
  writeFileSync(join(cwd, 'Makefile'), 'dev:\n\t@touch .passed\n')
  const hook = '#!/bin/sh\n[ -e .passed ] || { echo "pre-commit: make dev must pass first" >&2; exit 1; }\n'
  writeFileSync(join(cwd, '.git/hooks/pre-commit'), hook, { mode: 0o755 })
  const commit = 'git commit --allow-empty -m "fix: resolve bug"'
  await rein.up(`RUN:${commit} ;; RUN:make dev ;; RUN:${commit} ;; SAY:done`, {}, { handle: 'first' })
  expect(await remembered(rein, 3)).toEqual([`${commit}: failed`, 'make dev: ok', `${commit}: ok`])
  await ended(rein, 'done')
  rmSync(join(cwd, '.passed'))
  await rein.up('RUN:git commit --allow-empty -m "feat: more" ;; RUN:make dev ;; SAY:I see', {}, { handle: 'second' })
  await ended(rein, 'I see')
  expect(heardBefore(rein, 'RUN:make dev')).toContain(
    'after this error here, `make dev` and then the same again worked 1 of 1 time',
  )
})

/** Another daemon takes over, with other settings. */
const restart = async ({ killDaemon, paths, daemonEnv }: TestRein, config: Record<string, string>): Promise<void> => {
  await killDaemon()
  await createClient({ paths, env: { ...daemonEnv, ...config }, start: true, script: daemonScript }).status()
}

test('each switch keeps back its own kind of advice, and one keeps back all', async () => {
  const rein = await startShop({ config: { REIN_MEMORY_ADVISE: 'false', REIN_MEMORY_WRONG_TOOL: 'deny' } })
  await ingestWork(rein)
  mkdirSync(join(rein.cwd, 'src'))
  const causes = 'RUN:node check.cjs ;; RUN:./scripts/test.sh'
  const script = `${causes} ;; WAIT:no-diagnosis ;; ${causes} ;; WAIT:no-suggestions ;; SAY:I see`
  await rein.up(`RUN:mkdir src ;; RUN:cat check.cjs ;; RUN:node check.cjs ;; WAIT:all-off ;; ${script}`)
  const heardUntil = async (name: string): Promise<string> => {
    await rein.sim.reached(name)
    return rein.sim.requests.findLast(({ isMain }) => isMain)?.text ?? ''
  }
  const allOff = await heardUntil('all-off')
  expect(timesSaid(allOff)).toEqual(never)
  expect(allOff).toContain('File exists')
  await restart(rein, { REIN_MEMORY_ADVISE: 'true', REIN_MEMORY_DIAGNOSE: 'false' })
  rein.sim.release('all-off')
  expect(timesSaid(await heardUntil('no-diagnosis'))).toEqual({ ...never, variant: 1 })
  await restart(rein, { REIN_MEMORY_ADVISE: 'true', REIN_MEMORY_SUGGEST: 'false' })
  rein.sim.release('no-diagnosis')
  expect(timesSaid(await heardUntil('no-suggestions'))).toEqual({ ...never, variant: 1, fix: 1 })
  rein.sim.release('no-suggestions')
})

test('what a person did in a shell is told to an agent that fails in the same way', async () => {
  const rein = await startShop()
  const box = { ...createShellBox(), cwd: rein.cwd, spool: rein.paths.shells }
  const { stdout: before } = await rein.rein('memory', 'shell', 'init', 'bash')
  const shell = await openShell('bash', box, { before, times: 0 })
  // Shells do not tell what was printed, so one time could be chance.
  for (let time = 0; time < 5; time += 1) {
    expect(await shell.run('node check.cjs')).toBe(1)
    expect(await shell.run('npm run setup')).toBe(0)
    expect(await shell.run('node check.cjs')).toBe(0)
    expect(await shell.run('rm -r node_modules')).toBe(0)
  }
  await shell.leave()
  await remembered(rein, 20)
  await rein.up('RUN:node check.cjs ;; SAY:I see')
  const { text } = await ended(rein, 'I see')
  expect(text).toContain('- install: `npm run setup` (5 of 5 ok)')
  expect(heardBefore(rein, 'SAY:I see')).toContain(
    'after this command failed here, `npm run setup` and then the same again worked 5 of 5 times',
  )
  expect(new Set((await rein.client.history({ cwd: rein.cwd })).map(({ author }) => author))).toEqual(
    new Set(['claude', 'person']),
  )
})
