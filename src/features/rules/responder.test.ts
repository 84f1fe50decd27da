import { expect, test } from 'vitest'
import { aCall, anAgent, now } from '../../../test/support/builders.ts'
import { rulesOf, worldOf } from '../../../test/support/rules-world.ts'
import { emptyReply, type HookCall, type HookReply, type ResponderReply, type ToolCall } from '../../contract/hooks.ts'
import type { RecordBody } from '../../contract/record.ts'
import { findDriver } from '../../drivers/registry.ts'
import { runPipeline } from '../../agents/hooks/pipeline.ts'
import { Deeds } from './deeds.ts'
import { RuleMemories } from './memory.ts'
import { type RulePorts, RuleResponders } from './responder.ts'
import type { RuleSet } from './types.ts'

const bash = (command: string, id: string | null = 't1'): ToolCall => ({ id, name: 'Bash', input: { command } })
const beforeTool = (tool: ToolCall, given: Partial<HookCall> = {}): HookCall =>
  aCall({ event: 'before_tool', native: 'PreToolUse', tools: [tool], ...given })

const deskOf = (set: RuleSet, given: Partial<RulePorts> = {}) => {
  const clock = { now }
  const records: RecordBody<'rule.decided'>[] = []
  const granted = new Set<string>()
  const deeds = new Deeds({
    driver: findDriver,
    changesFiles: () => false,
    now: () => now,
    since: 0,
    snapshots: () => [],
  })
  let looks = 0
  const rules = new RuleResponders({
    agent: () => anAgent(),
    driver: findDriver,
    can: () => findDriver('claude').capabilities('2.1.197', 'tmux'),
    rulesFor: async () => ({ root: '/p', set }),
    world: () => {
      looks++
      return worldOf({ ran: () => deeds.ran('agt_1'), hasEdited: () => deeds.hasEdited('agt_1') })
    },
    memories: new RuleMemories(() => clock.now),
    isGranted: (_, { input }, isTaken) => {
      const command = String(input['command'])
      return isTaken ? granted.delete(command) : granted.has(command)
    },
    now: () => clock.now,
    deeds,
    tellsRewrite: () => true,
    catchUp: async () => undefined,
    record: (body) => void records.push(body),
    deadlineMs: 3000,
    ...given,
  })
  const say = async (call: HookCall): Promise<HookReply> => {
    const reply = await runPipeline(rules.responders, call, () => undefined)
    rules.conclude(call, reply)
    return reply
  }
  return { rules, say, records, granted, deeds, clock, looks: () => looks }
}

const blocking = `
  - { name: no-force, on: shell, guard: true, when: { regex: 'push --force' }, message: Push without force. }
  - { name: safer, on: shell, action: rewrite, when: { regex: '^git push' }, rewrite: { pattern: '^git push', with: git push --dry-run }, message: Try it first. }
`

test('a call is blocked with its reason, and that is written down', async () => {
  const { say, records } = deskOf(await rulesOf(blocking))
  const { decision } = await say(beforeTool(bash('sleep 1; git push --force')))
  expect(decision).toMatchObject({ kind: 'deny', reason: expect.stringContaining('Push without force.') })
  expect(records).toMatchObject([
    {
      tool: 'Bash',
      call: 'Bash: sleep 1; git push --force',
      decided: 'deny',
      opinions: [{ by: 'rule no-force', isGuard: true }],
    },
  ])
  expect((await say(beforeTool(bash('ls', 't2')))).opinions ?? []).toEqual([])
  expect(records).toHaveLength(1)
})

test('it is rewritten first, and judged as it will run', async () => {
  const { say, rules } = deskOf(await rulesOf(blocking))
  const { decision } = await say(beforeTool(bash('git push')))
  expect(decision).toMatchObject({ kind: 'rewrite', input: { command: 'git push --dry-run' } })
  expect(decision?.reason).toContain('It is now:\ngit push --dry-run')
  expect((await say(beforeTool(bash('git push --force', 't2')))).decision?.kind).toBe('rewrite')
  expect(await rules.guardVerdict(beforeTool(bash('git fetch; x push --force', 't3')))).toContain('Push without force.')
  expect(await rules.guardVerdict(beforeTool(bash('git push', 't4')))).toBeNull()
})

test('a rewrite that nobody can do is a refusal that says what to do', async () => {
  const cannot = { ...findDriver('claude').capabilities('2.1.197', 'tmux'), rewrite: false }
  const { say } = deskOf(await rulesOf(blocking), { can: () => cannot })
  const { decision } = await say(beforeTool(bash('git push')))
  expect(decision?.kind).toBe('deny')
  expect(decision?.reason).toContain('git push --dry-run\nIt was not run: make the call like this yourself.')
})

test('two hooks that tell of the same call make one judgement, and the question about it another one of it', async () => {
  const { rules, say, looks } = deskOf(
    await rulesOf('  - { name: x, on: shell, max: { session: 1 }, when: { regex: rm } }'),
  )
  const call = beforeTool(bash('rm a'))
  const [verdict, reply] = await Promise.all([rules.guardVerdict(call), say(call)])
  expect([verdict, reply.decision?.kind, looks()]).toEqual([null, 'deny', 1])
  const asked = { id: 'q', kind: 'permission' as const, tool: 'Bash', input: { command: 'rm a' }, summary: '' }
  const question = { event: 'permission' as const, native: 'PermissionRequest', question: asked }
  expect((await say({ ...call, ...question, tools: [bash('rm a', null)] })).verdict).toMatchObject({ kind: 'deny' })
  expect(looks()).toBe(1)
  // Nobody was heard before this one, and the rule has acted.
  expect((await say({ ...call, ...question, tools: [bash('rm b', 't9')] })).verdict).toBeUndefined()
})

test('what a person has allowed is not asked about again, once', async () => {
  const { say, granted } = deskOf(await rulesOf('  - { name: x, on: shell, action: ask, when: { regex: deploy } }'))
  const kinds = async (id: string) => (await say(beforeTool(bash('deploy', id)))).decision?.kind
  expect(await kinds('t1')).toBe('ask')
  granted.add('deploy')
  expect([await kinds('t2'), await kinds('t3')]).toEqual([undefined, 'ask'])
})

const gentle = `
  - { name: w, on: shell, action: warn, when: { regex: old }, message: Old things. }
  - { name: c, on: prompt, action: context, when: { regex: deploy }, message: Deploys are on Mondays. }
  - { name: p, on: prompt, when: { regex: password }, message: No passwords here. }
`

test('a warning is told after its own tool, or with the next prompt', async () => {
  const { say } = deskOf(await rulesOf(gentle))
  const texts = ({ context }: HookReply): string[] => context.map(({ text }) => text)
  await say(beforeTool(bash('cat old')))
  expect(texts(await say(aCall({ event: 'after_tool', tools: [bash('ls', 't7')] })))).toEqual([])
  expect(texts(await say(aCall({ event: 'after_tool', tools: [bash('cat old')] })))[0]).toContain('Old things.')
  await say(beforeTool(bash('cat old', 't2')))
  expect(texts(await say(aCall({ event: 'prompt', prompt: 'deploy' })))).toEqual([
    expect.stringContaining('Deploys are on Mondays.'),
    expect.stringContaining('Old things.'),
  ])
  expect(texts(await say(aCall({ event: 'prompt', prompt: 'go on' })))).toEqual([])
})

test('a prompt is refused', async () => {
  const { say } = deskOf(await rulesOf(gentle))
  expect((await say(aCall({ event: 'prompt', prompt: 'the password is x' }))).decision).toMatchObject({
    kind: 'deny',
    reason: expect.stringContaining('No passwords here.'),
  })
})

const gate = '  - { name: g, on: stop, when: { not: { ran: { pattern: "^npm test" } } }, message: Test first. }'
const stop = aCall({ event: 'stop', native: 'Stop' })

test('nobody stops before what the gate wants was run, and nobody is kept for ever', async () => {
  const { say, deeds } = deskOf(await rulesOf(gate))
  const isKept = async () => (await say(stop)).goOn.length > 0
  expect(await isKept()).toBe(false)
  await deeds.heard(
    'agt_1',
    aCall({ event: 'after_tool', tools: [{ id: 'w', name: 'Write', input: { file_path: 'a', content: '' } }] }),
  )
  expect([await isKept(), await isKept(), await isKept(), await isKept()]).toEqual([true, true, true, false])
  const told = (await say(aCall({ event: 'prompt', prompt: 'Something else' }))).goOn
  expect([told, await isKept()]).toEqual([[], true])
  await deeds.heard(
    'agt_1',
    aCall({ event: 'after_tool', tools: [{ ...bash('npm test', 't5'), response: { stdout: '', stderr: '' } }] }),
  )
  expect(await isKept()).toBe(false)
})

test('what it was told in place of stopping begins no new turn when it comes back as a prompt', async () => {
  const { say, deeds } = deskOf(await rulesOf(gate))
  await deeds.heard(
    'agt_1',
    aCall({ event: 'after_tool', tools: [{ id: 'w', name: 'Write', input: { file_path: 'a', content: '' } }] }),
  )
  const goesOn: boolean[] = []
  for (let round = 0; round < 5; round++) {
    const { goOn } = await say(stop)
    goesOn.push(goOn.length > 0)
    await say(aCall({ event: 'prompt', prompt: goOn[0]?.text ?? 'Stop hook feedback' }))
  }
  expect(goesOn.slice(0, 4)).toEqual([true, true, true, false])
})

test('a paused agent stops; one whose CLI tells no stop is told afterwards', async () => {
  const set = await rulesOf('  - { name: g, on: stop, message: Never. }')
  const paused = deskOf(set, { agent: () => anAgent({ isPaused: true }) })
  expect((await paused.say(stop)).goOn).toEqual([])
  const cannot = { ...findDriver('claude').capabilities('2.1.197', 'tmux'), onStop: false }
  const { rules, say, records } = deskOf(set, { can: () => cannot })
  expect((await say(stop)).goOn).toEqual([])
  expect(await rules.stopped(stop)).toContain('Never.')
  expect(records).toMatchObject([{ event: 'stop', decided: 'deny' }])
})

test('a file that may have held a guard is told of, once', async () => {
  const set = await rulesOf(gentle)
  const problem = { file: '/p/.rein/rules/b.yaml', line: 3, column: 1, message: 'no rule', hint: '', isGuard: true }
  const { say } = deskOf({ ...set, problems: [problem, { ...problem, isGuard: false, line: 9 }] })
  const { context } = await say(aCall({ event: 'session_start' }))
  expect(context[0]?.text).toContain('/p/.rein/rules/b.yaml:3:1: no rule')
  expect(context[0]?.text).not.toContain(':9:')
  expect((await say(aCall({ event: 'prompt', prompt: 'x' }))).context).toEqual([])
})

test('without an answer in time no call runs that a guard could forbid, and every other does', async () => {
  const set = await rulesOf(`${blocking}  - { name: r, on: read, when: { regex: secret } }`)
  let isSlow = false
  const late = new Promise<never>(() => undefined)
  const { rules, say } = deskOf(set, {
    rulesFor: () => (isSlow ? late : Promise.resolve({ root: '/p', set })),
    deadlineMs: 30,
  })
  await say(beforeTool(bash('ls')))
  isSlow = true
  const slow = (tool: ToolCall): Promise<HookReply> => runPipeline(rules.responders, beforeTool(tool), () => undefined)
  expect((await slow(bash('ls', 't2'))).decision).toMatchObject({
    kind: 'deny',
    reason: expect.stringContaining('in time'),
  })
  expect((await slow({ id: 't3', name: 'Read', input: { file_path: 'a' } })).decision).toBeNull()
})

test('what was not told has not been done: a rule that may act once still may', async () => {
  const { rules, say } = deskOf(
    await rulesOf(
      '  - { name: x, on: shell, once: session, when: { regex: rm } }\n  - { name: g, on: stop, once: turn }',
    ),
  )
  for (const call of [beforeTool(bash('rm a')), stop]) await runPipeline(rules.responders, call, () => undefined)
  expect((await say(beforeTool(bash('rm b', 't2')))).decision?.kind).toBe('deny')
  expect((await say(beforeTool(bash('rm c', 't3')))).decision).toBeNull()
  expect((await say(stop)).goOn).toHaveLength(1)
  expect((await say(stop)).goOn).toEqual([])
})

test('a stop that was kept in vain does not count for how often it is', async () => {
  const { rules, say } = deskOf(await rulesOf('  - { name: g, on: stop, message: Never. }'))
  for (let round = 0; round < 4; round++) await runPipeline(rules.responders, stop, () => undefined)
  expect((await say(stop)).goOn).toHaveLength(1)
})

test('an explanation has no effect', async () => {
  const { rules, say, records } = deskOf(
    await rulesOf('  - { name: x, on: shell, once: session, when: { regex: rm } }'),
  )
  const explain = async () =>
    (
      await Promise.all(rules.responders.map(async (one) => (await one.explain?.(beforeTool(bash('rm a')))) ?? []))
    ).flat()
  expect([(await explain()).length, (await explain()).length, records.length]).toEqual([1, 1, 0])
  expect((await say(beforeTool(bash('rm a')))).decision?.kind).toBe('deny')
})

test('of a call of nobody nothing is said', async () => {
  const { rules } = deskOf(await rulesOf(blocking), { agent: () => null })
  const said: ResponderReply[] = []
  for (const one of rules.responders) said.push(await one.respond(beforeTool(bash('git push --force')), 9000))
  expect(said).toEqual([{ opinions: [] }, {}])
  rules.conclude(beforeTool(bash('x')), emptyReply)
})
