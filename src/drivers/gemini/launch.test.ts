import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { type HostKind, LaunchRequest } from '../../contract/agent.ts'
import type { LaunchPlan } from '../../contract/host.ts'
import { launch } from './launch.ts'
import { locate } from './transcript.ts'

const session = 'a1111111-2222-4333-8444-555555555555'
const fresh = 'bbbbbbbb-0000-4000-8000-000000000000'
const transcript = join(import.meta.dirname, '../../../test/fixtures/gemini/0.61.0/terminal.jsonl')

/** A user with a home, a project, and an agent to be launched there. */
const setting = () => {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'rein-gemini-')))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  const [home, cwd, own] = [join(root, 'home'), join(root, 'project'), join(root, 'agent')]
  const write = (path: string, content: string): void => {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, content)
  }
  mkdirSync(cwd)
  write(join(root, 'assets', 'skills', 'rein-x', 'SKILL.md'), '')
  const context = (host: HostKind) => ({
    host,
    installed: { path: '/usr/bin/gemini', version: '0.61.0' },
    assets: join(root, 'assets'),
    private: own,
    env: { PATH: '/bin', HOME: home, REIN_AGENT: 'agt_1', REIN_TOKEN: 'secret' },
    mcp: ['/usr/bin/node', '/rein/rein.cjs', 'mcp'],
    newConversation: fresh,
  })
  const plan = (given: Partial<LaunchRequest> = {}, host: HostKind = 'tmux'): LaunchPlan =>
    launch(LaunchRequest.parse({ cwd, ...given }), context(host))
  const remember = (where: string): void => {
    write(join(where, '.gemini/tmp/project/.project_root'), cwd)
    write(
      join(where, `.gemini/tmp/project/chats/session-2026-11-16T02-10-a1111111.jsonl`),
      readFileSync(transcript, 'utf8'),
    )
  }
  return { home, cwd, own, assets: join(root, 'assets'), write, plan, remember }
}

const contentOf = ({ files }: LaunchPlan, end: string): string => {
  const file = files.find(({ path }) => path.endsWith(end))
  return file !== undefined && 'content' in file ? file.content : ''
}
const settingsOf = (plan: LaunchPlan) => JSON.parse(contentOf(plan, 'settings.json')) as Record<string, unknown>
const linksOf = ({ files }: LaunchPlan) => files.flatMap((file) => ('linkTo' in file ? [[file.path, file.linkTo]] : []))

test('in a terminal: a home of its own, one process, hooks that always run, and a conversation that is known', () => {
  const { plan, own, cwd } = setting()
  expect(plan({ prompt: '--begin' })).toMatchObject({
    command: '/usr/bin/gemini',
    args: ['--session-id', fresh, '--prompt-interactive=--begin'],
    cwd,
    conversation: fresh,
    firstPrompt: null,
    env: {
      GEMINI_CLI_HOME: own,
      GEMINI_CLI_TRUST_WORKSPACE: 'true',
      GEMINI_CLI_NO_RELAUNCH: 'true',
      REIN_TOKEN: 'secret',
    },
  })
  expect(plan()).not.toHaveProperty('opening')
})

test('headless: the conversation is opened by a message', () => {
  const plan = setting().plan({ prompt: 'Begin.' }, 'stream')
  expect(plan).toMatchObject({
    args: ['--acp', '--approval-mode=default'],
    conversation: null,
    firstPrompt: 'Begin.',
  })
  expect(plan.opening).toEqual({ from: { kind: 'new' }, model: null, mode: null })
})

test('headless it asks, so that a rule can forbid what it does; Rein approves', () => {
  const args = (given: Partial<LaunchRequest>): string => setting().plan(given, 'stream').args.join(' ')
  expect(args({ autoApprove: true })).toContain('--approval-mode=default')
  expect(args({ permissionMode: 'plan' })).toContain('--approval-mode=plan')
  for (const permissionMode of ['yolo', 'auto_edit'])
    expect(() => args({ permissionMode })).toThrow(`no mode "${permissionMode}" headless`)
})

test.each([
  [{ model: 'flash' }, ['--model=flash']],
  [{ model: '--yolo' }, ['--model=--yolo']],
  [{ permissionMode: 'plan' }, ['--approval-mode=plan']],
  [{ autoApprove: true }, ['--approval-mode=yolo']],
  [{ session }, ['--session-id', session]],
  [{ args: ['--include-directories', '/x'] }, ['--include-directories', '/x']],
] as [Partial<LaunchRequest>, string[]][])('%j gives %j', (given, expected) => {
  expect(setting().plan(given).args.join(' ')).toContain(expected.join(' '))
})

test('its settings are the user’s, with Rein’s own among them', () => {
  const { plan, home, write, assets, own } = setting()
  const theirs = { hooks: [{ type: 'command', command: 'theirs' }] }
  const ofSetup = { hooks: [{ type: 'command', command: 'rein-hook # rein-managed' }] }
  write(
    join(home, '.gemini/settings.json'),
    `{ // mine
      "security": {"auth": {"selectedType": "oauth-personal"}}, "ui": {"theme": "Ayu"},
      "mcp": {"allowed": ["other"]}, "mcpServers": {"other": {"command": "x"}}, "context": {"fileName": "AGENTS.md"},
      "hooks": {"AfterTool": ${JSON.stringify([theirs, ofSetup])}, "AfterModel": ${JSON.stringify([theirs])}},
    }`,
  )
  const settings = settingsOf(plan())
  expect(settings).toMatchObject({
    security: { auth: { selectedType: 'oauth-personal' } },
    ui: { theme: 'Ayu' },
    general: { sessionRetention: { enabled: false } },
    mcp: { allowed: ['other', 'rein'] },
    mcpServers: {
      other: { command: 'x' },
      rein: {
        command: '/usr/bin/node',
        args: ['/rein/rein.cjs', 'mcp'],
        env: { REIN_SOCKET: '$REIN_SOCKET', REIN_AGENT: '$REIN_AGENT', REIN_TOKEN: '$REIN_TOKEN' },
      },
    },
    context: { fileName: ['AGENTS.md', 'rein-agent.md'] },
    policyPaths: [join(own, '.gemini/policies'), join(assets, 'policies')],
    hooks: { AfterModel: [theirs] },
  })
  const command = `exec '${assets}/rein-hook' gemini AfterTool`
  const ours = { hooks: [{ type: 'command', name: 'rein agt_1', command, timeout: 5000 }] }
  expect(settings['hooks']).toMatchObject({ AfterTool: [theirs, ours] })
})

test('no file holds the token', () => {
  const { files } = setting().plan()
  expect(JSON.stringify(files)).not.toContain('secret')
})

test('hooks that the user turned off stay off, Rein’s run', () => {
  const { plan, home, write } = setting()
  write(join(home, '.gemini/settings.json'), '{"hooksConfig":{"enabled":false},"hooks":{"AfterModel":[{}]}}')
  const settings = settingsOf(plan())
  expect(settings['hooksConfig']).toEqual({ enabled: true })
  expect(Object.keys(settings['hooks'] as object)).not.toContain('AfterModel')
})

test.each([
  [{ GEMINI_API_KEY: 'k' }, 'gemini-api-key'],
  [{ GOOGLE_GENAI_USE_VERTEXAI: 'true' }, 'vertex-ai'],
  [{ GOOGLE_GENAI_USE_GCA: 'true' }, 'oauth-personal'],
])('where %j says how to log in, nobody is asked', (env, selectedType) => {
  expect(settingsOf(setting().plan({ env }))).toMatchObject({ security: { auth: { selectedType } } })
})

test('everything else of the user’s is linked and never read; its own records are its own', () => {
  const { plan, home, own, assets, write } = setting()
  for (const name of ['oauth_creds.json', 'settings.json', 'tmp/x', 'projects.json', 'commands/a.toml'])
    write(join(home, '.gemini', name), '{}')
  write(join(home, '.agents/skills/mine/SKILL.md'), '')
  expect(linksOf(plan())).toEqual([
    [join(own, '.gemini/commands'), join(home, '.gemini/commands')],
    [join(own, '.gemini/oauth_creds.json'), join(home, '.gemini/oauth_creds.json')],
    [join(own, '.agents/skills/mine'), join(home, '.agents/skills/mine')],
    [join(own, '.agents/skills/rein-x'), join(assets, 'skills/rein-x')],
  ])
})

test('a directory that the CLI made in its home stays', () => {
  const { plan, home, own, write } = setting()
  write(join(home, '.gemini/commands/a.toml'), '')
  write(join(own, '.gemini/commands/b.toml'), '')
  expect(linksOf(plan()).map(([path]) => path)).not.toContain(join(own, '.gemini/commands'))
})

test('what it is told of the system stands beside what Rein tells it', () => {
  const text = contentOf(setting().plan({ system: 'Be brief.' }), 'rein-agent.md')
  expect(text).toMatch(/<rein-directive …>[^]*\n\nBe brief\.\n$/)
})

test('settings that cannot be read are named', () => {
  const { plan, home, write } = setting()
  write(join(home, '.gemini/settings.json'), '{')
  expect(() => plan()).toThrow(expect.objectContaining({ code: 'invalid_config' }))
})

test.each([{ resume: session }, { continue: true }])('%j goes on in the agent’s own home', (given) => {
  const { plan, remember, own, cwd } = setting()
  remember(own)
  expect(plan(given)).toMatchObject({ args: ['--resume', session], conversation: session })
  expect(plan(given, 'stream').opening?.from).toEqual({ kind: 'resume', conversation: session })
  expect(contentOf(plan(given), '.jsonl')).toBe('')
  expect(locate(session, cwd, plan(given).env)).toMatch(/session-resumed-a1111111\.jsonl$/)
})

test.each([{ resume: session }, { continue: true }])('%j brings a conversation of the user’s in', (given) => {
  const { plan, remember, home, cwd, own, write } = setting()
  remember(home)
  const made = plan(given)
  expect(made).toMatchObject({ args: ['--resume', session], conversation: session })
  for (const file of made.files) if ('content' in file) write(file.path, file.content)
  const copy = locate(session, cwd, made.env)
  expect(copy).toMatch(new RegExp(`^${own}/`))
  expect(readFileSync(copy ?? '', 'utf8')).toBe(readFileSync(transcript, 'utf8'))
})

test('a fork goes on from a file, under an id that the CLI chooses', () => {
  const { plan, remember, own } = setting()
  remember(own)
  const { args, conversation } = plan({ fork: session })
  expect(args).toEqual(['--session-file', expect.stringMatching(/-a1111111\.jsonl$/)])
  expect(conversation).toBeNull()
})

test('a conversation in which nothing was said is begun again', () => {
  const { plan, write, own, cwd } = setting()
  write(join(own, '.gemini/tmp/project/.project_root'), cwd)
  const [head = '', start = ''] = readFileSync(transcript, 'utf8').split('\n')
  write(join(own, '.gemini/tmp/project/chats/session-2026-11-16T02-10-a1111111.jsonl'), `${head}\n${start}\n`)
  expect(plan({ resume: session }).args).toEqual(['--session-id', fresh])
  expect(plan({ continue: true }).args).toEqual(['--session-id', fresh])
})

test.each([
  ['not_found', { resume: session }, 'tmux'],
  ['not_found', { fork: session }, 'tmux'],
  ['unsupported_option', { session: 'mine' }, 'tmux'],
  ['unsupported_option', { budgetUsd: 1 }, 'stream'],
  ['unsupported_option', { permissionMode: 'autoEdit' }, 'tmux'],
  ['unsupported_option', { session }, 'stream'],
  ['unsupported_option', { fork: session }, 'stream'],
] as [string, Partial<LaunchRequest>, HostKind][])('refused as %s: %j in %s', (code, given, host) => {
  expect(() => setting().plan(given, host)).toThrow(expect.objectContaining({ code }))
})
