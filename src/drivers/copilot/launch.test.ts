import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { tempDir } from '../../../test/support/builders.ts'
import { type HostKind, LaunchRequest } from '../../contract/agent.ts'
import { freeTools } from '../free-tools.ts'
import { launch } from './launch.ts'
import { programBehind } from './program.ts'

const session = '11111111-2222-4333-8444-555555555555'
const context = {
  installed: { path: '/usr/bin/copilot', version: '1.0.102' },
  assets: '/state/plugins/copilot-1.0.102-abc',
  env: { PATH: '/bin', REIN_TOKEN: 'secret' },
  mcp: ['/usr/bin/node', '/rein/rein.cjs', 'mcp'],
  private: '/state/agents/agt_1/home',
  newConversation: 'aaaaaaaa-0000-4000-8000-000000000000',
}
const plan = (host: HostKind, given: Partial<LaunchRequest> = {}) =>
  launch(LaunchRequest.parse({ cwd: '/home/dev', ...given }), { ...context, host })
const valueOf = (args: string[], flag: string): string | undefined => args[args.indexOf(flag) + 1]

describe.each(['stream', 'tmux'] as const)('in a %s', (host) => {
  test('hooks come from a private directory, and the token stands in no argument', () => {
    const { args, env, cwd, files } = plan(host)
    expect({ cwd, files, env }).toEqual({ cwd: '/home/dev', files: [], env: context.env })
    expect(valueOf(args, '--plugin-dir')).toBe(context.assets)
    expect(JSON.parse(valueOf(args, '--additional-mcp-config') ?? '')).toMatchObject({
      mcpServers: {
        rein: {
          type: 'local',
          command: '/usr/bin/node',
          args: ['/rein/rein.cjs', 'mcp'],
          env: { REIN_TOKEN: '${REIN_TOKEN}' },
        },
      },
    })
    expect(args.join(' ')).not.toContain('secret')
  })

  test('nothing of a shell is allowed beforehand: a pattern would let more run than it says', () => {
    const allowed = plan(host).args.filter((arg) => arg.startsWith('--allow'))
    expect(allowed).toEqual(freeTools.map((tool) => `--allow-tool=rein(${tool})`))
  })

  test('all may run where that was asked for, and then the folder is trusted', () => {
    const { args, env } = plan(host, { autoApprove: true })
    expect(args).toContain('--allow-all')
    expect(env).toMatchObject({ COPILOT_ALLOW_ALL: 'true' })
  })

  test("instructions go into a file of the agent's own, beside the user's", () => {
    const { files, env } = plan(host, { system: 'Be brief.', env: { COPILOT_CUSTOM_INSTRUCTIONS_DIRS: '/mine' } })
    const path = `${context.private}/.github/instructions/rein.instructions.md`
    expect(files).toEqual([{ path, content: '---\napplyTo: "**"\n---\nBe brief.\n' }])
    expect(env['COPILOT_CUSTOM_INSTRUCTIONS_DIRS']).toBe(`/mine,${context.private}`)
    expect(plan(host, { system: 'x' }).env['COPILOT_CUSTOM_INSTRUCTIONS_DIRS']).toBe(context.private)
  })

  test("the model and the user's own arguments", () => {
    const { args } = plan(host, { model: 'gpt-5', args: ['--add-dir', '/x'] })
    expect(valueOf(args, '--model')).toBe('gpt-5')
    expect(args.slice(-2)).toEqual(['--add-dir', '/x'])
  })

  test.each([{ permissionMode: 'bypassPermissions' }, { session: 'my-session' }])('%j is refused', (given) => {
    expect(() => plan(host, given)).toThrow(expect.objectContaining({ code: 'unsupported_option' }))
  })
})

describe('headless', () => {
  test('the protocol opens the conversation, and the CLI names it', () => {
    const { args, conversation, firstPrompt, opening } = plan('stream', { prompt: 'Look.', permissionMode: 'plan' })
    expect(args[0]).toBe('--acp')
    expect(args).not.toContain('Look.')
    expect({ conversation, firstPrompt }).toEqual({ conversation: null, firstPrompt: 'Look.' })
    expect(opening).toEqual({ from: { kind: 'new' }, model: null, mode: 'plan' })
  })

  test('or takes up an earlier one', () => {
    const { conversation, opening } = plan('stream', { resume: session })
    expect(conversation).toBe(session)
    expect(opening?.from).toEqual({ kind: 'resume', conversation: session })
  })

  test.each([{ session }, { continue: true }, { fork: session }, { budgetUsd: 1 }])('%j is refused', (given) => {
    expect(() => plan('stream', given)).toThrow(expect.objectContaining({ code: 'unsupported_option' }))
  })
})

describe('in a terminal', () => {
  test.each([
    [{}, ['--session-id', context.newConversation], context.newConversation],
    [{ session }, ['--session-id', session], session],
    [{ resume: session }, [`--resume=${session}`], session],
    [{ continue: true }, ['--continue'], null],
    [{ fork: session }, [`--resume=${session}`, '-i', '/fork'], null],
    [{ prompt: '-x' }, ['-i', '-x'], context.newConversation],
    [{ permissionMode: 'plan' }, ['--mode', 'plan'], context.newConversation],
  ])('%j', (given, expected, conversation) => {
    const made = plan('tmux', given)
    expect(made.args.join('\n')).toContain(expected.join('\n'))
    expect(made).toMatchObject({ conversation, firstPrompt: null })
    expect(made).not.toHaveProperty('opening')
  })

  test('a fork takes no prompt along', () => {
    const both = { fork: session, prompt: 'Look.' }
    expect(() => plan('tmux', both)).toThrow(expect.objectContaining({ code: 'unsupported_option' }))
  })
})

describe('the program behind the one on the PATH', () => {
  const install = (name: string) => {
    const dir = tempDir()
    const [loader, native] = [join(dir, 'node_modules/@github/copilot'), join(dir, 'node_modules/@github', name)]
    for (const path of [loader, native, join(dir, 'bin')]) mkdirSync(path, { recursive: true })
    writeFileSync(join(loader, 'npm-loader.js'), '')
    writeFileSync(join(native, 'package.json'), JSON.stringify({ name, exports: { '.': './copilot' } }))
    writeFileSync(join(native, 'copilot'), '')
    symlinkSync(join(loader, 'npm-loader.js'), join(dir, 'bin/copilot'))
    return { path: join(dir, 'bin/copilot'), native: join(native, 'copilot') }
  }

  test('is the one of this machine', () => {
    const { path, native } = install(`copilot-${process.platform}-${process.arch}`)
    expect(programBehind(path)).toBe(native)
  })

  test('stays what it is if there is none, or if it is no script', () => {
    const { path } = install('copilot-amiga-m68k')
    expect(programBehind(path)).toBe(path)
    expect(programBehind('/usr/local/bin/copilot')).toBe('/usr/local/bin/copilot')
  })
})
