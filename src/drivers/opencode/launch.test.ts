import { expect, test } from 'vitest'
import type { HostKind, LaunchRequest } from '../../contract/agent.ts'
import { launch } from './launch.ts'

const plan = (request: Partial<LaunchRequest>, host: HostKind = 'tmux') =>
  launch(
    { cwd: '/home/dev', env: {}, args: [], ...request },
    {
      installed: { path: '/bin/opencode', version: '1.18.33' },
      host,
      assets: '/private/assets',
      private: '/private/agent',
      env: { REIN_AGENT: 'agt_1' },
      mcp: ['/usr/bin/node', '/rein/rein.cjs', 'mcp'],
      newConversation: 'unused',
    },
  )
const config = (request: Partial<LaunchRequest>): unknown =>
  JSON.parse(plan(request).env['OPENCODE_CONFIG_CONTENT'] ?? '')

test('a new session in the terminal', () => {
  const { args, env, conversation, files } = plan({ prompt: '-v go', model: 'a/b', permissionMode: 'plan' })
  expect(args).toEqual(['--model=a/b', '--agent=plan', '--prompt=-v go'])
  expect({ conversation, files }).toEqual({ conversation: null, files: [] })
  expect(env).toMatchObject({ REIN_AGENT: 'agt_1', npm_config_fetch_retries: '0' })
  expect(env).not.toHaveProperty('REIN_FIRST_PROMPT')
})

test('plugin and MCP server come by the configuration, which holds no token', () => {
  expect(config({})).toEqual({
    plugin: ['file:///private/assets/rein-opencode.js'],
    instructions: [],
    mcp: {
      rein: {
        type: 'local',
        command: ['/usr/bin/node', '/rein/rein.cjs', 'mcp'],
        enabled: true,
        environment: {
          REIN_SOCKET: '{env:REIN_SOCKET}',
          REIN_AGENT: '{env:REIN_AGENT}',
          REIN_TOKEN: '{env:REIN_TOKEN}',
        },
      },
    },
  })
})

test('what the user configures by the environment stays', () => {
  const given = { theme: 'x', plugin: ['mine'], instructions: ['a.md'], mcp: { other: { type: 'local' } } }
  const env = { OPENCODE_CONFIG_CONTENT: JSON.stringify(given) }
  expect(config({ env })).toMatchObject({
    theme: 'x',
    plugin: ['mine', 'file:///private/assets/rein-opencode.js'],
    instructions: ['a.md'],
    mcp: { other: { type: 'local' }, rein: {} },
  })
  expect(() => config({ env: { OPENCODE_CONFIG_CONTENT: '{' } })).toThrow('not a JSON object')
})

test('the system prompt is a file of instructions', () => {
  expect(plan({ system: 'Be brief.' }).files).toEqual([
    { path: '/private/agent/instructions.md', content: 'Be brief.\n' },
  ])
  expect(config({ system: 'Be brief.' })).toMatchObject({ instructions: ['/private/agent/instructions.md'] })
})

test.each([
  [{ resume: 'ses_1' }, ['--session=ses_1'], 'ses_1'],
  [{ fork: 'ses_1' }, ['--session=ses_1', '--fork'], null],
  [{ continue: true }, ['--continue'], null],
])('a session that is taken up gets its first prompt from the plugin: %j', (request, args, conversation) => {
  const taken = plan({ ...request, prompt: 'go' })
  expect(taken.args).toEqual(args)
  expect(taken.conversation).toBe(conversation)
  expect(taken.env['REIN_FIRST_PROMPT']).toBe('go')
})

test('headless, the session is opened by a message', () => {
  const { args, firstPrompt, opening, env } = plan({ prompt: 'go', resume: 'ses_1', model: 'a/b' }, 'stream')
  expect({ args, firstPrompt }).toEqual({ args: ['acp'], firstPrompt: 'go' })
  expect(opening).toEqual({ from: { kind: 'resume', conversation: 'ses_1' }, model: 'a/b', mode: null })
  expect(env).not.toHaveProperty('REIN_FIRST_PROMPT')
  expect(plan({ fork: 'ses_1' }, 'stream').opening?.from).toEqual({ kind: 'fork', conversation: 'ses_1' })
  expect(plan({}, 'stream').opening?.from).toEqual({ kind: 'new' })
})

test('auto-approve is the same in both hosts', () => {
  expect(plan({ autoApprove: true }).env).toMatchObject({ REIN_AUTO_APPROVE: '1' })
  expect(plan({ autoApprove: true }, 'stream').env).toMatchObject({ REIN_AUTO_APPROVE: '1' })
})

test('what opencode cannot do is refused', () => {
  expect(() => plan({ session: 'ses_mine' })).toThrow('chooses the ids')
  expect(() => plan({ continue: true }, 'stream')).toThrow('over ACP')
  expect(() => plan({ export: '/home/dev/out.jsonl' })).toThrow('one database')
})
