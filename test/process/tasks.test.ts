import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { LogRecord } from '../../src/contract/record.ts'
import type { TaskView } from '../../src/contract/routes/tasks.ts'
import { hasTmux } from '../support/abilities.ts'
import { repository } from './harness.ts'
import { runCli } from './in-process-cli.ts'
import { onScreen } from './screen.ts'
import { createTaskBox, gitIn, type TaskBox } from './task-box.ts'
import { codeOf, untilRecords } from './team-box.ts'

const rolesOf = ({ members }: TaskView): string[] =>
  members.map(({ handle, role, state }) => `${handle} ${role} ${state}`)

const tree = (box: TaskBox, name: string): string => join(box.root, 'project-worktrees', name)

/** What each agent was started with first. */
const promptsOf = async (box: TaskBox, count: number): Promise<Record<string, string>> => {
  const launched = await untilRecords(box, 'agent.launched', count)
  const handles = new Map((await box.client().ps({ all: true })).map(({ handle, pid }) => [pid, handle]))
  return Object.fromEntries(
    launched.map(({ body }) => [handles.get(body.process.pid) ?? '?', body.request.prompt ?? '']),
  )
}

describe('a task on the command line', () => {
  test('is made, shown, started, paused, stopped and done', async () => {
    const box = createTaskBox()
    const made = await runCli(box, ['task', 'new', 'Parser', '--spec', '-', '--prompt', 'Be quick.'], {
      stdin: '# Dates\n',
    })
    expect([made.code, made.stdout]).toEqual([0, expect.stringContaining('Parser')])
    const dir = join(box.cwd, '.rein/tasks/Parser')
    expect(['SPEC.md', 'PROMPT.md'].map((name) => readFileSync(join(dir, name), 'utf8'))).toEqual([
      '# Dates\n',
      'Be quick.\n',
    ])
    // Work begins with one agent where nobody asked for a team; names are the same in any case.
    const started = await runCli(box, ['task', 'start', 'parser', '--host', 'stream'])
    expect([started.code, started.stdout]).toEqual([0, expect.stringMatching(/^parser-1 +member +claude/m)])
    const prompts = await promptsOf(box, 1)
    expect(prompts['parser-1']).toContain('Nobody else works on it.')
    expect(prompts['parser-1']).toContain('# Dates')
    expect((await runCli(box, ['task', 'pause', 'Parser'])).code).toBe(0)
    expect(await box.client().ps({})).toMatchObject([{ handle: 'parser-1', isPaused: true }])
    expect((await runCli(box, ['task', 'start', 'Parser'])).stderr).toContain('rein task resume Parser')
    expect((await runCli(box, ['task', 'resume', 'Parser'])).code).toBe(0)
    expect((await runCli(box, ['task', 'list'])).stdout).toMatch(/^Parser +running +\d+s +1 (idle|working) /m)
    expect((await runCli(box, ['task', 'stop', 'Parser'])).code).toBe(0)
    expect(await box.client().ps({})).toEqual([])
    expect((await runCli(box, ['task', 'done', 'Parser'])).code).toBe(0)
    expect((await runCli(box, ['task', 'start', 'Parser'])).code).toBe(5)
    expect(await box.client().tasks({ cwd: box.cwd })).toMatchObject([{ name: 'Parser', state: 'done', problems: [] }])
  })

  test('what is refused says why', async () => {
    const box = createTaskBox()
    await box.client().newTask({ cwd: box.cwd, name: 'parser' })
    const refused = [
      [['task', 'new', '../etc'], 2, 'begins with a letter or digit'],
      [['task', 'show', 'paser'], 3, 'Did you mean parser?'],
      [['task', 'new', 'PARSER'], 5, 'There is a task parser already'],
      [['task', 'new', 'other', '--spec', 'nowhere.md'], 3, 'The spec cannot be read. There is no file'],
      [['task', 'report', 'blocker', 'Help.'], 2, 'Only an agent has a lead.'],
      [['orchestrate', 'other', '--host', 'stream', '--drivers', 'claude,nobody'], 2, 'There is no driver "nobody".'],
      [['task', 'start', 'parser', '--driver', 'nobody'], 2, 'There is no driver "nobody".'],
      [['orchestrate', 'other', '--agents', '51'], 2, 'for --agents: at most 50 are possible.'],
      [['team', 'up'], 3, 'names no agents'],
    ] as const
    for (const [args, code, words] of refused) {
      const { code: ended, stdout, stderr } = await runCli(box, [...args])
      expect([ended, stdout + stderr]).toEqual([code, expect.stringContaining(words)])
    }
    expect(await box.client().tasks({ cwd: box.cwd })).toMatchObject([{ name: 'parser', state: 'new' }])
  })

  test('no text is written over, and none through a link', async () => {
    const box = createTaskBox()
    mkdirSync(join(box.cwd, '.rein/tasks/mine'), { recursive: true })
    writeFileSync(join(box.cwd, '.rein/tasks/mine/SPEC.md'), 'Mine.')
    expect(await codeOf(box.client().newTask({ cwd: box.cwd, name: 'mine', spec: 'Yours.' }))).toBe('refused')
    symlinkSync(box.root, join(box.cwd, '.rein/tasks/linked'))
    expect(await codeOf(box.client().newTask({ cwd: box.cwd, name: 'linked' }))).toBe('refused')
    expect(await box.client().tasks({ cwd: box.cwd })).toEqual([])
    await box.client().newTask({ cwd: box.cwd, name: 'mine' })
    expect(readFileSync(join(box.cwd, '.rein/tasks/mine/SPEC.md'), 'utf8')).toBe('Mine.')
  })
})

describe('rein orchestrate', () => {
  test('starts a lead and its agents, each with a room and who there is; who runs stays', async () => {
    const box = createTaskBox()
    const spec = 'Parse dates.'
    expect(rolesOf(await box.orchestrate({ spec }))).toEqual([
      expect.stringMatching(/^parser-lead lead (idle|working)$/),
      expect.stringMatching(/^parser-1 member (idle|working)$/),
      expect.stringMatching(/^parser-2 member (idle|working)$/),
    ])
    const prompts = await promptsOf(box, 3)
    expect(prompts['parser-lead']).toMatch(
      /the lead of the task parser\.\nYour team: parser-1 \(claude\), parser-2 \(claude\)\.[^]*Parse dates\./,
    )
    expect(prompts['parser-2']).toContain('Your team: parser-lead (lead, claude), parser-1 (claude).')
    expect(await box.client().rooms({ cwd: box.cwd })).toMatchObject([{ name: 'parser', members: 4 }])
    const again = box.orchestrate()
    await expect(again).rejects.toThrow(/^parser-lead \(claude, (idle|working)\) leads the task parser already\.$/)
    expect(await codeOf(box.orchestrate({ agents: 3, takeOver: true }))).toBe('refused')
    // More agents for the lead that there is, which gets to know.
    expect(rolesOf(await box.orchestrate({ agents: 3 })).at(-1)).toMatch(/^parser-3 member/)
    const inbox = await box.client().inbox({ cwd: box.cwd, target: 'parser-lead' })
    expect(inbox.map(({ excerpt }) => excerpt)).toContainEqual(expect.stringContaining('parser-3 (claude)'))
    expect(await box.client().ps({})).toHaveLength(4)
  })

  test('an agent of the same name that is somebody else’s is named, and left alone', async () => {
    const box = createTaskBox()
    const request = { cwd: box.cwd, env: {}, args: [] }
    await box.client().up({ handle: 'parser-1', driver: 'claude', host: 'stream', request, env: box.env })
    const { problems, members } = await box.orchestrate({ agents: 1 })
    expect([problems, members.map(({ handle }) => handle)]).toEqual([
      ['parser-1 runs already, and is not of this task: rein down parser-1'],
      ['parser-lead'],
    ])
  })

  test('two at once: exactly one starts a team', async () => {
    const box = createTaskBox()
    await box.client().hello()
    const codes = await Promise.all([1, 2, 3].map(() => codeOf(box.orchestrate())))
    expect(codes.map(String).toSorted()).toEqual(['null', 'refused', 'refused'])
    expect(await box.client().ps({})).toHaveLength(3)
    expect((await untilRecords(box, 'task.created', 1)).length).toBe(1)
  })

  test('a lead that cannot be started leaves nobody at work, and can be tried again', async () => {
    const box = createTaskBox()
    writeFileSync(join(box.root, 'claude'), '#!/bin/sh\nexit 3\n', { mode: 0o755 })
    await expect(box.orchestrate()).rejects.toThrow('parser-lead was not started')
    expect(await box.show()).toMatchObject({ state: 'stopped', reason: expect.stringContaining('was not started') })
    expect(await box.client().ps({})).toEqual([])
  })

  test('fewer agents: the others leave; what was unpaused by half is unpaused by saying it again', async () => {
    const box = createTaskBox()
    const { cwd } = box
    await box.orchestrate({ agents: 2 })
    await box.client().stopTask({ cwd, name: 'parser' })
    const fewer = await box.orchestrate({ agents: 1 })
    expect([fewer.problems, fewer.members.map(({ handle }) => handle)]).toEqual([[], ['parser-lead', 'parser-1']])
    await box.client().pause({ target: 'parser-1', cwd })
    expect((await box.client().unpauseTask({ cwd, name: 'parser' })).problems).toEqual([])
    expect((await box.client().ps({})).filter(({ isPaused }) => isPaused)).toEqual([])
  })

  test('twenty agents', async () => {
    const box = createTaskBox()
    const task = await box.orchestrate({ agents: 20 })
    expect([task.members.length, task.problems]).toEqual([21, []])
    expect((await box.client().ps({})).length).toBe(21)
    const stopped = await box.client().stopTask({ cwd: box.cwd, name: 'parser' })
    expect(stopped).toMatchObject({ state: 'stopped', problems: [] })
    expect(await box.client().ps({})).toEqual([])
  })

  test.runIf(hasTmux)('rein attach shows the lead with the others beside it, and leaves them alone', async () => {
    const box = createTaskBox()
    const { cwd } = box
    const screen = join(repository, 'test/process/fixtures/screen.mjs')
    const version = `[ "$1" = --version ] && { echo '2.1.197 (Claude Code)'; exit; }`
    const script = `#!/bin/sh\n${version}\nstty raw -echo\nexec '${process.execPath}' '${screen}'\n`
    writeFileSync(join(box.root, 'claude'), script, { mode: 0o755 })
    const agent = (handle: string, role: string) =>
      `[agents.${handle}]\ntask = "parser"\nrole = "${role}"\nprompt = ""\n`
    mkdirSync(join(cwd, '.rein'))
    writeFileSync(join(cwd, '.rein/team.toml'), agent('ada', 'member') + agent('bob', 'member') + agent('cid', 'lead'))
    const env = { ...box.env, BYTES: '/dev/null', TERM: 'xterm-256color', LANG: 'C.UTF-8' }
    await box.client().teamUp({ cwd, launch: { ...box.launch, host: 'tmux', env, trust: true } })
    const look = onScreen(['attach', 'parser'], { cwd, env, columns: 160, rows: 48 })
    // The lead has the large pane on the left, as high as the screen.
    const lines = await look.until((all) => all.join('\n').split('❯').length >= 4)
    expect(lines.filter((line) => line.includes('│') || line.includes('├')).length).toBeGreaterThan(40)
    look.press('\u0002d')
    expect(await look.ended).toBe(0)
    expect(rolesOf(await box.show())).toEqual(['cid lead idle', 'ada member idle', 'bob member idle'])
  })
})

describe('messages to the lead', () => {
  test('a blocker waits for the lead, is shown, and keeps the task from being done', async () => {
    const box = createTaskBox()
    await box.orchestrate()
    const { cwd } = box
    const told = await box.as('parser-1').tellLead({ cwd, kind: 'blocker', text: 'No schema.' })
    expect(told).toMatchObject({ type: 'blocker', priority: 'high', recipients: ['parser-lead'] })
    await box.as('parser-2').tellLead({ cwd, kind: 'progress', text: 'Half.' })
    const waiting = await box.as('parser-lead').events({ cwd })
    expect(waiting.events.map(({ type, from, payload }) => [type, from, payload])).toEqual([
      ['blocker', 'agent parser-1', 'No schema.'],
      ['progress', 'agent parser-2', 'Half.'],
    ])
    expect((await box.as('parser-2').events({ cwd })).events).toEqual([])
    expect((await box.show()).blockers).toMatchObject([{ id: told.id, from: 'agent parser-1', text: 'No schema.' }])
    await expect(box.client().finishTask({ cwd, name: 'parser' })).rejects.toThrow(`open blocker: ${told.id}`)
    await box.as('parser-lead').ackEvents({ cwd, ids: [told.id] })
    expect(await box.client().finishTask({ cwd, name: 'parser' })).toMatchObject({ state: 'done', blockers: [] })
    // What nobody dealt with does not come up again.
    expect((await box.client().events({ cwd })).events).toEqual([])
  })

  test('the lead has nobody above it here, and an agent of no task has no lead', async () => {
    const box = createTaskBox()
    await box.orchestrate({ agents: 0 })
    await box.runningAgent('loner')
    const asking = ['parser-lead', 'loner'].map((handle) =>
      box.as(handle).tellLead({ cwd: box.cwd, kind: 'blocker', text: 'Help.' }),
    )
    await expect(asking[0]).rejects.toThrow('You are the lead of parser.')
    await expect(asking[1]).rejects.toThrow('loner is at no task.')
    expect(await codeOf(box.as('parser-lead').stopTask({ cwd: box.cwd, name: 'parser' }))).toBe('forbidden')
  })
})

describe('an agent that is gone', () => {
  const noRestart = { REIN_AGENTS_RESTART: 'false' }
  const lost = (box: TaskBox, type: string, count: number): Promise<LogRecord<'event.published'>[]> =>
    untilRecords(box, 'event.published', count, ({ body }) => body.event.type === type)

  test('is reported to its lead and in the room, once, also by the next daemon', async () => {
    const box = createTaskBox(noRestart)
    await box.orchestrate()
    await box.kill('parser-2')
    const [event] = await lost(box, 'member-lost', 1)
    expect(event?.body.event).toMatchObject({
      priority: 'high',
      to: { handle: 'parser-lead' },
      from: { kind: 'daemon' },
    })
    expect(event?.body.event.payload).toContain('parser-2 (claude) of the task parser is gone: it crashed')
    await untilRecords(box, 'chat.posted', 1)
    const { posts } = await box.client().posts({ cwd: box.cwd, room: 'parser' })
    expect(posts).toMatchObject([{ from: 'rein', text: expect.stringContaining('rein restart parser-2') }])
    expect((await box.show()).problems).toEqual(['parser-2 is gone (crashed): rein restart parser-2'])
    await box.client().stop()
    await box.kill('parser-1')
    await lost(box, 'member-lost', 2)
    expect((await box.client().events({ cwd: box.cwd, type: 'member-lost' })).events).toHaveLength(2)
    const back = await box.client().startTask({ cwd: box.cwd, name: 'parser', launch: box.launch })
    expect([back.problems, rolesOf(back).filter((one) => /crashed|stopped/.test(one))]).toEqual([[], []])
  })

  test('a lead: the others hear of it, and another can take its place', async () => {
    const box = createTaskBox(noRestart)
    await box.orchestrate()
    await box.kill('parser-lead')
    const events = await lost(box, 'lead-lost', 2)
    expect(events.map(({ body }) => String(body.event.to?.handle)).toSorted()).toEqual(['parser-1', 'parser-2'])
    await expect(box.orchestrate()).rejects.toMatchObject({ hint: expect.stringContaining('--take-over') })
    const taken = await box.orchestrate({ takeOver: true })
    expect(rolesOf(taken)[0]).toMatch(/^parser-lead lead (idle|working)$/)
    expect(taken.members).toHaveLength(3)
    // Whoever was there before it is told.
    const inbox = await box.client().inbox({ cwd: box.cwd, target: 'parser-1' })
    expect(inbox.map(({ excerpt }) => excerpt)).toContainEqual(
      expect.stringContaining('parser-lead leads the task parser now'),
    )
  })
})

describe('work trees', () => {
  test('one for each agent: made, made again, and taken back as far as nothing is lost', async () => {
    const box = createTaskBox()
    const task = await box.orchestrate({ worktrees: 'agent' })
    expect(task.members.map(({ worktree, branch }) => [worktree, branch])).toEqual([
      [tree(box, 'parser'), 'rein/parser'],
      [tree(box, 'parser-1'), 'rein/parser-1'],
      [tree(box, 'parser-2'), 'rein/parser-2'],
    ])
    expect((await box.client().ps({})).map(({ cwd }) => cwd).toSorted()).toEqual(
      task.members.map(({ worktree }) => String(worktree)).toSorted(),
    )
    rmSync(tree(box, 'parser-2'), { recursive: true })
    expect((await box.show()).problems).toEqual([expect.stringContaining('work tree of parser-2 is gone')])
    const mended = await box.client().startTask({ cwd: box.cwd, name: 'parser', launch: box.launch })
    expect([mended.problems, existsSync(join(tree(box, 'parser-2'), 'file.txt'))]).toEqual([[], true])

    writeFileSync(join(tree(box, 'parser'), 'draft.txt'), 'not committed')
    writeFileSync(join(tree(box, 'parser-1'), 'file.txt'), 'two\n')
    gitIn(tree(box, 'parser-1'), 'commit', '--quiet', '-am', 'Two')
    const stopped = await box.client().stopTask({ cwd: box.cwd, name: 'parser' })
    expect(stopped.problems).toEqual([
      expect.stringContaining(`${tree(box, 'parser')} has changes that are not committed`),
      expect.stringContaining('rein/parser-1'),
    ])
    expect(existsSync(tree(box, 'parser-2'))).toBe(false)
    box.git('merge', '--quiet', 'rein/parser-1')
    const again = await box.client().stopTask({ cwd: box.cwd, name: 'parser' })
    expect(again.problems).toEqual([expect.stringContaining('not committed')])
    expect((await box.client().stopTask({ cwd: box.cwd, name: 'parser', force: true })).problems).toEqual([])
    expect([existsSync(tree(box, 'parser')), box.git('branch', '--list', 'rein/*')]).toEqual([false, ''])
    expect(readFileSync(join(box.cwd, 'file.txt'), 'utf8')).toBe('two\n')
  })

  test('forced, commits are kept', async () => {
    const box = createTaskBox()
    await box.orchestrate({ worktrees: 'task', agents: 1 })
    writeFileSync(join(tree(box, 'parser'), 'file.txt'), 'two\n')
    gitIn(tree(box, 'parser'), 'commit', '--quiet', '-am', 'Two')
    expect((await box.client().finishTask({ cwd: box.cwd, name: 'parser', force: true })).problems).toEqual([])
    expect([existsSync(tree(box, 'parser')), box.git('show', 'rein/parser:file.txt')]).toEqual([false, 'two'])
  })

  test('a directory without a repository, and one without a commit, have none', async () => {
    const box = createTaskBox()
    rmSync(join(box.cwd, '.git'), { recursive: true })
    await expect(box.orchestrate({ worktrees: 'task' })).rejects.toMatchObject({
      hint: expect.stringContaining('git init'),
    })
    box.git('init', '--quiet')
    await expect(box.orchestrate({ worktrees: 'task' })).rejects.toMatchObject({
      hint: expect.stringContaining('git commit'),
    })
    expect(await box.client().ps({ all: true })).toEqual([])
  })
})

describe('the log is the truth', () => {
  test('files may be gone, the daemon may be killed, and tables made anew: the task is what it was', async () => {
    const box = createTaskBox()
    let daemon = await box.daemon()
    const before = await box.orchestrate()
    await daemon.kill()
    rmSync(join(box.cwd, '.rein'), { recursive: true })
    daemon = await box.daemon()
    await box.client().rebuild()
    const after = await box.show()
    expect(after.members.map(({ handle, role }) => [handle, role])).toEqual(
      before.members.map(({ handle, role }) => [handle, role]),
    )
    expect(after).toMatchObject({ state: 'running', problems: [expect.stringContaining('is gone')] })
    expect((await box.client().startTask({ cwd: box.cwd, name: 'parser', launch: box.launch })).problems).toEqual([])
    await daemon.kill()
  })
})

describe('the team of .rein/team.toml', () => {
  test('rein orchestrate --save, then down and up: the same team again, and nobody twice', async () => {
    const box = createTaskBox()
    const { cwd, launch } = box
    await box.orchestrate({ save: true })
    const handles = ['parser-lead', 'parser-1', 'parser-2']
    const first = await box.client().teamUp({ cwd, launch })
    expect(first.agents.map(({ handle, did }) => [handle, did])).toEqual(handles.map((handle) => [handle, 'nothing']))
    const down = await box.client().teamDown({ cwd })
    expect(down.agents.map(({ state, did }) => [state, did])).toEqual(handles.map(() => ['stopped', 'stopped']))
    expect(await box.show()).toMatchObject({ state: 'stopped', reason: 'rein team down' })
    const up = await box.client().teamUp({ cwd, launch })
    expect(up.agents.map(({ did, error }) => [did, error])).toEqual(handles.map(() => ['started', null]))
    expect((await box.show()).members.map(({ role }) => role)).toEqual(['lead', 'member', 'member'])
    expect(await box.client().ps({})).toHaveLength(3)
  })

  test('work trees that were taken back are made again, who was there before joins, and nobody is left at work', async () => {
    const box = createTaskBox()
    const { cwd, launch, env } = box
    const file = join(cwd, '.rein/team.toml')
    await box.orchestrate({ save: true, agents: 1, worktrees: 'agent' })
    // Made for one that never came up.
    box.git('worktree', 'add', '--quiet', '-b', 'rein/parser-7', tree(box, 'parser-7'))
    await box.client().pauseTask({ cwd, name: 'parser' })
    expect((await box.client().stopTask({ cwd, name: 'parser' })).problems).toEqual([])
    expect(['parser-1', 'parser-7'].filter((name) => existsSync(tree(box, name)))).toEqual([])
    const request = { cwd, env: {}, args: [] }
    await box.client().up({ handle: 'ada', driver: 'claude', host: 'stream', request, env })
    writeFileSync(file, `${readFileSync(file, 'utf8')}[agents.ada]\ntask = "parser"\n`)
    const up = await box.client().teamUp({ cwd, launch: { ...launch, trust: true } })
    expect(up.agents.map(({ handle, did, error }) => [handle, did, error])).toEqual([
      ['parser-lead', 'started', null],
      ['parser-1', 'started', null],
      ['ada', 'nothing', null],
    ])
    expect(existsSync(join(tree(box, 'parser-1'), 'file.txt'))).toBe(true)
    expect((await box.client().ps({})).filter(({ isPaused }) => isPaused)).toEqual([])
    const inbox = await box.client().inbox({ cwd, target: 'ada' })
    expect(inbox.map(({ excerpt }) => excerpt)).toContainEqual(expect.stringContaining('an agent of the task parser'))
    writeFileSync(file, '[agents.ada]\ntask = "parser"\n')
    const down = await box.client().teamDown({ cwd })
    expect(down.agents.map(({ handle, did }) => [handle, did])).toEqual([
      ['ada', 'stopped'],
      ['parser-lead', 'stopped'],
      ['parser-1', 'stopped'],
    ])
    expect(await box.client().ps({})).toEqual([])
  })

  test('agents with and without a task; one that cannot be started says so, and the others are', async () => {
    const box = createTaskBox()
    const { cwd, launch } = box
    mkdirSync(join(cwd, '.rein'), { recursive: true })
    mkdirSync(join(cwd, 'docs'))
    const file = [
      '[agents.ada]',
      'prompt = "Say hello."',
      'cwd = "docs"',
      '[agents.bob]',
      'cwd = "../.."',
      '[agents.cid]',
      'driver = "nobody"',
      '[agents.dan]',
      'task = "parser"',
      'cwd = "docs"',
    ]
    writeFileSync(join(cwd, '.rein/team.toml'), `${file.join('\n')}\n`)
    await expect(box.client().teamUp({ cwd, launch })).rejects.toMatchObject({
      code: 'untrusted',
      message: expect.stringContaining('agent ada: {"prompt":"Say hello.","cwd":"docs"}'),
    })
    expect(await box.client().ps({ all: true })).toEqual([])
    const { agents } = await box.client().teamUp({ cwd, launch: { ...launch, trust: true } })
    expect(agents.map(({ handle, did, error }) => [handle, did, error])).toEqual([
      ['ada', 'started', null],
      ['bob', 'nothing', expect.stringContaining('outside of the project')],
      ['cid', 'nothing', expect.stringContaining('nobody')],
      ['dan', 'started', null],
    ])
    const prompts = await promptsOf(box, 2)
    expect([prompts['ada'], prompts['dan']]).toEqual(['Say hello.', expect.stringContaining('of the task parser')])
    expect((await box.client().ps({})).map(({ cwd: where }) => where)).toEqual([join(cwd, 'docs'), join(cwd, 'docs')])
    const shown = await runCli(box, ['team', 'status'])
    expect([shown.code, shown.stdout]).toEqual([0, expect.stringMatching(/^bob +claude +- +not started/m)])
  })

  test('a file that cannot be understood names the place, and starts nobody', async () => {
    const box = createTaskBox()
    mkdirSync(join(box.cwd, '.rein'))
    writeFileSync(join(box.cwd, '.rein/team.toml'), '[agents.ada]\npolicy = "approve"\n')
    const { code, stderr } = await runCli(box, ['team', 'up', '--host', 'stream'])
    expect([code, stderr]).toEqual([2, expect.stringContaining('team.toml:2:1: agents.ada.policy is not known')])
    const lead = (handle: string) => `[agents.${handle}]\ntask = "parser"\nrole = "lead"\n`
    writeFileSync(join(box.cwd, '.rein/team.toml'), lead('ada') + lead('bob'))
    await expect(box.client().teamUp({ cwd: box.cwd, launch: box.launch })).rejects.toThrow('two leads, ada and bob')
    expect(await box.client().ps({ all: true })).toEqual([])
  })
})
