import { join } from 'node:path'
import { expect, test } from 'vitest'
import { LaunchRequest } from '../../contract/agent.ts'
import { freeTools } from '../free-tools.ts'
import { launch } from './launch.ts'

const session = '11111111-2222-4333-8444-555555555555'
const context = {
  host: 'stream' as const,
  installed: { path: '/usr/bin/claude', version: '2.1.197' },
  assets: '/state/plugins/claude-2.1.197-abc',
  env: { PATH: '/bin', REIN_AGENT: 'agt_1' },
  mcp: ['/usr/bin/node', '/rein/rein.cjs', 'mcp'],
  private: '/state/agents/agt_1/home',
  newConversation: 'aaaaaaaa-0000-4000-8000-000000000000',
}
const plan = (given: Partial<LaunchRequest> = {}) =>
  launch(LaunchRequest.parse({ cwd: '/home/dev', ...given }), context)
const valueOf = (args: string[], flag: string): string | undefined => args[args.indexOf(flag) + 1]

test('speaks the stream protocol, with hooks from a private directory and a conversation that is known', () => {
  const { command, args, cwd, env, conversation, firstPrompt } = plan()
  expect({ command, cwd, conversation, firstPrompt }).toEqual({
    command: '/usr/bin/claude',
    cwd: '/home/dev',
    conversation: context.newConversation,
    firstPrompt: null,
  })
  expect(args).toEqual(expect.arrayContaining(['--print', '--verbose', '--replay-user-messages']))
  for (const [flag, value] of [
    ['--input-format', 'stream-json'],
    ['--output-format', 'stream-json'],
    ['--permission-prompt-tool', 'stdio'],
    ['--plugin-dir', context.assets],
    ['--session-id', context.newConversation],
  ] as const)
    expect(valueOf(args, flag)).toBe(value)
  expect(env).toEqual(context.env)
})

test('allows the agent to answer Rein and its team, and nothing else', () => {
  const allowed = valueOf(plan().args, '--allowedTools')?.split(',') ?? []
  expect(allowed.slice(0, 2)).toEqual(['Bash(rein ack:*)', 'Bash(rein inbox read:*)'])
  expect(allowed.slice(2)).toEqual(freeTools.map((tool) => `mcp__rein__${tool}`))
})

test('a server of its name in the list of the project is neither asked about nor run', () => {
  expect(JSON.parse(valueOf(plan().args, '--settings') ?? '')).toMatchObject({ disabledMcpjsonServers: ['rein'] })
})

const settingsIn = (args: string[]) => JSON.parse(valueOf(args, '--settings') ?? '') as Record<string, unknown>

test('no project switches its hooks off, nor steers them by a variable', () => {
  const given = {
    ...context,
    env: { ...context.env, REIN_TOKEN: 'secret', REIN_GUARDS: '/state/guards', LD_PRELOAD: '/mine.so' },
  }
  const { args } = launch(LaunchRequest.parse({ cwd: '/home/dev' }), given)
  expect(settingsIn(args)).toMatchObject({
    disableAllHooks: false,
    enabledPlugins: { 'rein@inline': true },
    env: { REIN_AGENT: 'agt_1', REIN_GUARDS: '/state/guards', LD_PRELOAD: '/mine.so', BASH_ENV: '', ENV: '' },
  })
  expect(args.join(' ')).not.toContain('secret')
})

test.each([
  [['--settings', '{"model":"x","env":{"A":"1"},"disableAllHooks":true}']],
  [['--settings={"model":"x","env":{"A":"1"}}']],
])("the user's own settings %j are kept among Rein's", (args) => {
  const given = plan({ args, autoApprove: true }).args
  expect(given.filter((arg) => arg.startsWith('--settings'))).toHaveLength(1)
  expect(settingsIn(given)).toMatchObject({ model: 'x', disableAllHooks: false, env: { A: '1', REIN_AGENT: 'agt_1' } })
})

test('settings that cannot be read are refused', () => {
  expect(() => plan({ args: ['--settings', '/nowhere.json'] })).toThrow(/neither a JSON object nor a file/)
})

test.each([
  [{ model: 'opus' }, ['--model', 'opus']],
  [{ permissionMode: 'plan' }, ['--permission-mode', 'plan']],
  [{ system: 'Be brief.' }, ['--append-system-prompt-file', join(context.private, 'system.md')]],
  [{ session }, ['--session-id', session]],
  [{ resume: session }, ['--resume', session]],
  [{ continue: true }, ['--continue']],
  [{ fork: session }, ['--resume', session, '--fork-session', '--session-id', context.newConversation]],
  [{ autoApprove: true }, ['--permission-mode', 'bypassPermissions']],
  [{ live: true }, ['--include-partial-messages']],
  [{ budgetUsd: 2.5 }, ['--max-budget-usd', '2.5']],
  [{ args: ['--add-dir', '/x'] }, ['--add-dir', '/x']],
] as [Partial<LaunchRequest>, string[]][])('%j gives %j', (given, expected) => {
  const { args } = plan(given)
  const at = args.indexOf(expected[0] ?? '')
  expect(args.slice(at, at + expected.length)).toEqual(expected)
})

test.each([
  [{ session }, session],
  [{ resume: session }, session],
  [{ fork: session }, context.newConversation],
  [{ continue: true }, null],
])('%j: which conversation it will be', (given, conversation) => {
  expect(plan(given).conversation).toBe(conversation)
})

test('one conversation, not two', () => {
  expect(plan({ resume: session }).args).not.toContain('--session-id')
  expect(plan({ continue: true }).args).not.toContain('--session-id')
})

test('the prompt goes through the protocol, variables into the environment', () => {
  const { args, firstPrompt, env } = plan({ prompt: 'Begin.', env: { A: 'b' } })
  expect(firstPrompt).toBe('Begin.')
  expect(args).not.toContain('Begin.')
  expect(env).toEqual({ ...context.env, A: 'b' })
})

test.each([
  ['unsupported_option', { session: 'my-session' }],
  ['unsupported_option', { session: '--dangerously-skip-permissions' }],
] as [string, Partial<LaunchRequest>][])('refused as %s: %j', (code, given) => {
  expect(() => plan(given)).toThrow(expect.objectContaining({ code }))
})

test('in a terminal, what Rein is stands in the system prompt, before what the user adds', () => {
  const request = LaunchRequest.parse({ cwd: '/home/dev', system: 'Be brief.' })
  const { files } = launch(request, { ...context, host: 'tmux' })
  const content = expect.stringMatching(/^Rein connects .*rein:rein-check-directives.*Be brief\.$/s)
  expect(files).toEqual([{ path: join(context.private, 'system.md'), content }])
  expect(plan({ system: 'Be brief.' }).files).toMatchObject([{ content: 'Be brief.' }])
  expect(plan().files).toEqual([])
})

test.each(['--append-system-prompt', '--append-system-prompt-file'])("the user's own %s is the only one", (flag) => {
  for (const args of [[flag, 'x'], [`${flag}=x`]]) {
    const request = LaunchRequest.parse({ cwd: '/home/dev', system: 'Be brief.', args })
    const given = launch(request, { ...context, host: 'tmux' })
    expect([given.args.filter((arg) => arg.startsWith('--append-system-prompt')).length, given.files]).toEqual([1, []])
  }
})

test('what the person wants it to know is in no argument, which others could see', () => {
  for (const host of ['tmux', 'pty', 'stream'] as const) {
    const request = LaunchRequest.parse({ cwd: '/home/dev', system: 'Be brief.' })
    expect(launch(request, { ...context, host }).args.join('\n')).not.toContain('Be brief.')
  }
})

test('the tools of Rein are never left for the model to find', () => {
  expect(JSON.parse(valueOf(plan().args, '--mcp-config') ?? '')).toMatchObject({
    mcpServers: {
      rein: {
        type: 'stdio',
        command: '/usr/bin/node',
        args: ['/rein/rein.cjs', 'mcp'],
        env: { REIN_SOCKET: '${REIN_SOCKET}', REIN_AGENT: '${REIN_AGENT}', REIN_TOKEN: '${REIN_TOKEN}' },
        alwaysLoad: true,
      },
    },
  })
})
