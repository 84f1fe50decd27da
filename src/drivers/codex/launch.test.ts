import { describe, expect, test } from 'vitest'
import { LaunchRequest } from '../../contract/agent.ts'
import type { LaunchContext } from '../contract.ts'
import { launch } from './launch.ts'

const conversation = '01a1e20a-c823-75e3-97dc-2a7e662e18b5'
const context: LaunchContext = {
  host: 'tmux',
  installed: { path: '/usr/bin/codex', version: '0.166.0' },
  assets: '/state/assets/codex',
  env: { PATH: '/bin', REIN_AGENT: 'agt_1' },
  mcp: ['/usr/bin/node', '/rein/rein.cjs', 'mcp'],
  private: '/state/agents/agt_1/home',
  newConversation: 'aaaaaaaa-0000-4000-8000-000000000000',
}
const plan = (given: Partial<LaunchRequest> = {}, host: LaunchContext['host'] = 'tmux') =>
  launch(LaunchRequest.parse({ cwd: '/home/dev', ...given }), { ...context, host })
const settingsOf = (args: readonly string[]): string[] => args.filter((_, index) => args[index - 1] === '-c')

describe.each(['tmux', 'stream'] as const)('in %s', (host) => {
  test('hooks, MCP server and trust are settings of the run', () => {
    const settings = settingsOf(plan({}, host).args)
    expect(settings).toContain(
      'mcp_servers.rein={"command"="/usr/bin/node","args"=["/rein/rein.cjs","mcp"],"env_vars"=["REIN_SOCKET","REIN_AGENT","REIN_TOKEN"],"default_tools_approval_mode"="approve"}',
    )
    expect(settings).toContain('projects={"/home/dev"={"trust_level"="trusted"}}')
    expect(settings.find((one) => one.startsWith('hooks.Stop='))).toContain(
      "exec '/state/assets/codex/rein-hook' codex Stop",
    )
    expect(plan({}, host)).toMatchObject({ command: '/usr/bin/codex', cwd: '/home/dev', files: [], conversation: null })
  })

  test('model and instructions, whatever is in them', () => {
    const settings = settingsOf(plan({ model: 'm-1', system: 'Say "a"\n\\b' }, host).args)
    expect(settings).toContain('model="m-1"')
    // Headless over the protocol, where no other user sees it.
    const isArgument = settings.includes('developer_instructions="Say \\"a\\"\\n\\\\b"')
    const { opening } = plan({ system: 'Say "a"\n\\b' }, host)
    expect([isArgument, opening?.instructions]).toEqual(host === 'stream' ? [false, 'Say "a"\n\\b'] : [true, undefined])
  })

  test.each([
    [{}, []],
    [{ permissionMode: 'read-only' }, ['sandbox_mode="read-only"']],
    [{ permissionMode: 'never' }, ['approval_policy="never"']],
    [{ autoApprove: true }, ['approval_policy="never"', 'sandbox_mode="danger-full-access"']],
  ])('permissions of %j', (given, expected) => {
    const settings = settingsOf(plan(given, host).args)
    expect(settings.filter((one) => /^(approval_policy|sandbox_mode)=/.test(one))).toEqual(expected)
  })

  test('environment and arguments of the user come last', () => {
    const { args, env } = plan({ env: { PATH: '/mine' }, args: ['--search'] }, host)
    expect(env).toEqual({ PATH: '/mine', REIN_AGENT: 'agt_1' })
    expect(args.at(-1)).toBe('--search')
  })

  test.each([
    [{ session: conversation }, 'chooses the ids'],
    [{ budgetUsd: 1 }, 'does not say what it costs'],
    [{ permissionMode: 'acceptEdits' }, 'no permission mode "acceptEdits"'],
  ])('%j is refused', (given, why) => {
    expect(() => plan(given, host)).toThrow(why)
  })
})

describe('a terminal', () => {
  const ends = (given: Partial<LaunchRequest>): string[] => {
    const { args } = plan(given)
    const dashes = args.indexOf('--')
    return [...args.slice(0, args.indexOf('--no-daemon')), ...(dashes < 0 ? [] : args.slice(dashes))]
  }

  test('is no part of a shared server, asks about no update and shows what it does', () => {
    const { args, firstPrompt } = plan()
    expect(args.slice(0, 3)).toEqual(['--no-daemon', '--cd', '/home/dev'])
    expect(settingsOf(args)).toEqual(
      expect.arrayContaining([
        'check_for_update_on_startup=false',
        'tui.status_line=["run-state","model-with-reasoning","current-dir"]',
      ]),
    )
    expect(firstPrompt).toBeNull()
  })

  test.each([
    [{}, []],
    [{ prompt: '-x' }, ['--', '-x']],
    [{ resume: conversation }, ['resume', '--', conversation]],
    [{ resume: conversation, prompt: 'go' }, ['resume', '--', conversation, 'go']],
    [{ fork: conversation, prompt: 'go' }, ['fork', '--', conversation, 'go']],
    [{ continue: true, prompt: 'go' }, ['resume', '--last', '--', 'go']],
  ])('%j', (given, expected) => {
    expect(ends(given)).toEqual(expected)
  })

  test('knows its conversation when it is resumed by its id', () => {
    expect(plan({ resume: conversation }).conversation).toBe(conversation)
    expect(plan({ resume: 'a name' }).conversation).toBeNull()
    expect(plan({ fork: conversation }).conversation).toBeNull()
  })
})

describe('without a terminal', () => {
  test.each([
    [{}, { kind: 'new' }],
    [{ resume: conversation }, { kind: 'resume', conversation }],
    [{ fork: conversation }, { kind: 'fork', conversation }],
  ])('%j is opened by a message', (given, from) => {
    const { args, opening, firstPrompt } = plan({ ...given, prompt: 'go' }, 'stream')
    expect(args[0]).toBe('app-server')
    expect(args).not.toContain('go')
    expect(firstPrompt).toBe('go')
    expect(opening).toEqual({ from, model: null, mode: null, skills: '/state/assets/codex/skills' })
  })

  test('the last conversation has to be named', () => {
    expect(() => plan({ continue: true }, 'stream')).toThrow('without a terminal')
  })
})
