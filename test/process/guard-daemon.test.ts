import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { type IncomingMessage, request } from 'node:http'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import type { AnyRecord } from '../../src/contract/record.ts'
import { type Box, createBox, repository } from './harness.ts'

const rules = `version: 1
rules:
  - name: no-force-push
    on: shell
    guard: true
    when: { shell: { program: git, subcommand: push, flags: [-f, --force] } }
    message: Not "{{ $words }}".
`

/** A Rein whose user has a guard, before its daemon is there. */
const boxWithRules = (config: Record<string, string> = {}): Box => {
  const box = createBox(config)
  mkdirSync(join(box.paths.state, 'rules'), { recursive: true, mode: 0o700 })
  writeFileSync(join(box.paths.state, 'rules/mine.yaml'), rules)
  return box
}

/** The guard as somebody's CLI runs it, which Rein does not know. */
const guard = async (
  { paths, cwd }: Box,
  input: string | object,
  tool = 'Bash',
): Promise<{ code: number | null; said: string }> => {
  const child = spawn(join(repository, 'bin/rein-guard'), ['claude', 'PreToolUse'], {
    cwd,
    env: { PATH: process.env['PATH'], HOME: cwd, REIN_GUARDS: paths.guards, REIN_SOCKET: paths.socket },
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  const call = { session_id: 's', cwd: realpathSync(cwd), tool_name: tool, tool_input: input }
  child.stdin.on('error', () => undefined)
  child.stdin.end(typeof input === 'string' ? input : JSON.stringify(call))
  const [said, [code]] = await Promise.all([text(child.stdout), once(child, 'close') as Promise<[number | null]>])
  return { code, said }
}

/** What the daemon answers to a guard, which would not wait for a slow machine. */
const answered = async ({ paths, cwd }: Box, command: string | object, query = '', tool = 'Bash'): Promise<string> => {
  const input = typeof command === 'string' ? { command } : command
  const asking = request({ socketPath: paths.socket, method: 'POST', path: `/v1/guard/claude/PreToolUse${query}` })
  asking.setHeader('x-rein-project', cwd)
  asking.end(JSON.stringify({ session_id: 's', cwd, tool_name: tool, tool_input: input }))
  const [response] = (await once(asking, 'response')) as [IncomingMessage]
  return text(response)
}

test('the daemon tells a guard what its rules say, also of a process that it does not know', async () => {
  const box = boxWithRules()
  await box.client().status()
  const answer = await answered(box, 'git push -f origin main')
  expect(answer).toMatch(/^deny\n\{.*\}\nrein-end\n$/)
  expect(JSON.parse(answer.split('\n')[1] ?? '')).toEqual({
    hookSpecificOutput: {
      hookEventName: 'PreToolUse',
      permissionDecision: 'deny',
      permissionDecisionReason: expect.stringContaining('Not "git push -f origin main".'),
    },
  })
  // The prefilter alone would deny it.
  expect(await answered(box, 'git commit -m "push the -f"')).toBe('pass\nrein-end\n')
})

test('what a guard asks is written down nowhere: the hook that delivers tells of the same call', async () => {
  const box = boxWithRules()
  await box.stoppedAgent()
  const [started] = await recordsOf(box, 'agents')
  expect(await answered(box, 'git push -f', `?agent=${started?.agent}`)).toMatch(/^deny\n/)
  expect(await recordsOf(box, 'rules')).toEqual([])
})

const recordsOf = async (box: Box, topic: string): Promise<AnyRecord[]> => {
  const records: AnyRecord[] = []
  for await (const record of box.client().tail({ topic, after: 0 })) records.push(record)
  return records
}

test('a guard in a file with a mistake denies what it looks at, with a daemon and without, until it is right', async () => {
  const box = boxWithRules()
  const file = join(box.paths.state, 'rules/mine.yaml')
  writeFileSync(file, rules.replace('when:', 'wehn:'))
  await box.client().status()
  const where = 'mine.yaml:6:5: `wehn` is not a field of a rule (Did you mean `when`?)'
  const said = await answered(box, 'ls')
  expect([said.slice(0, 5), said.includes(where)]).toEqual(['deny\n', true])
  expect(await answered(box, { file_path: '/x' }, '', 'Read')).toBe('pass\nrein-end\n')
  expect(await answered(box, { file_path: '/x', content: '' }, '', 'Write')).toBe('pass\nrein-end\n')
  await box.client().stop()
  const dead = await guard(box, { command: 'ls' })
  expect(JSON.parse(dead.said).hookSpecificOutput).toMatchObject({
    permissionDecision: 'deny',
    permissionDecisionReason: expect.stringContaining(where),
  })
  expect(await guard(box, { file_path: '/x' }, 'Read')).toEqual({ code: 0, said: '' })
  // The next daemon knows of no time at which it was right.
  await box.client().status()
  expect(await answered(box, 'ls')).toMatch(/^deny\n/)
  writeFileSync(file, rules)
  expect(await answered(box, 'ls')).toBe('pass\nrein-end\n')
})

test('a call that nobody can read is denied', async () => {
  const box = boxWithRules()
  await box.client().status()
  expect(await guard(box, '{"tool_name":"Bash","tool_input":{"command":"git push -f')).toMatchObject({
    said: expect.stringContaining('could not read this call'),
  })
})

test('no guard is left where rules are switched off', async () => {
  const box = boxWithRules()
  await box.client().status()
  expect(readFileSync(box.paths.guards, 'utf8')).toContain('no-force-push')
  await box.client().stop()
  await box.client({ env: { ...box.env, REIN_RULES_ENABLED: 'false' } }).status()
  expect(readFileSync(box.paths.guards, 'utf8')).not.toContain('no-force-push')
})

test('while no daemon answers, a call is judged as it would judge it', async () => {
  const box = boxWithRules()
  await box.client().status()
  await box.client().stop()
  expect((await guard(box, { command: 'git push -f origin main' })).said).toContain('Not \\"git push -f origin main\\"')
  expect((await guard(box, { command: 'git -c alias.p="push -f" p' })).said).toContain('no-force-push')
  // The prefilter alone would deny it.
  expect(await guard(box, { command: 'git commit -m "push the -f"' })).toEqual({ code: 0, said: '' })
})

test('while no daemon answers, rules that are no guards hold, too, and what needs a person is not run', async () => {
  const box = boxWithRules()
  const others = `version: 1
rules:
  - { name: no-drop, on: shell, when: { shell: { program: dropdb } }, message: Keep it. }
  - { name: ask-reset, on: shell, when: { shell: { program: git, subcommand: reset, flags: --hard } }, action: ask }
  - { name: after-tests, on: shell, when: { not: { ran: { pattern: npm test } } }, message: Test first. }
`
  writeFileSync(join(box.paths.state, 'rules/others.yaml'), others)
  await box.client().status()
  await box.client().stop()
  expect((await guard(box, { command: 'dropdb shop' })).said).toContain('Keep it.')
  const asked = await guard(box, { command: 'git reset --hard' })
  expect(asked.said).toMatch(
    /ask-reset.*Nobody can be asked while Rein's daemon is away.*: a person can start it with `rein daemon start`/s,
  )
  // What was run before only the daemon knows.
  expect(await guard(box, { command: 'ls' })).toEqual({ code: 0, said: '' })
})

test('a guard file that somebody takes away is made again', async () => {
  const box = boxWithRules()
  await box.client().status()
  rmSync(box.paths.guards)
  expect(await guard(box, { command: 'ls' })).toMatchObject({ code: 2 })
  await expect.poll(() => existsSync(box.paths.guards), { timeout: 60_000 }).toBe(true)
})

test('a guard that asks a slow program is waited for', async () => {
  const box = createBox()
  mkdirSync(join(box.paths.state, 'rules'), { recursive: true, mode: 0o700 })
  const asking = rules.replace(/when: .*/, `when: { external: { command: [sh, -c, 'sleep 1; ! grep -q bad'] } }`)
  writeFileSync(
    join(box.paths.state, 'rules/mine.yaml'),
    asking.replace(/message: .*/, 'message: The program says no.'),
  )
  await box.client().status()
  expect(await guard(box, { command: 'touch good' })).toEqual({ code: 0, said: '' })
  expect((await guard(box, { command: 'touch bad' })).said).toContain('The program says no.')
})
