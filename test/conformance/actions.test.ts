import { join } from 'node:path'
/** What a real CLI's hooks and protocol say about its tools is read as what these really do. */
import { describe, expect, onTestFinished, test } from 'vitest'
import type { Action } from '../../src/contract/action.ts'
import { type Cli, driverOf } from '../support/clis.ts'
import { chosen, subjectOf } from './chosen.ts'
import { type Probe, type ProbeOptions, startProbe } from './probe.ts'
import { yes } from './yes.ts'

const call = (name: string, input: object): string => `CALL:${name}${JSON.stringify(input)}`
const patching = (...lines: string[]): string =>
  call('exec_command', { cmd: `apply_patch <<'EOF'\n*** Begin Patch\n${lines.join('\n')}\n*** End Patch\nEOF` })

const address = 'http://127.0.0.1:9/x'
const wrote: Action = { kind: 'write', path: 'a.txt', content: 'one\n' }
const edited = {
  kind: 'edit',
  path: 'a.txt',
  replacements: [{ old: expect.stringMatching(/^one\n?$/), new: expect.stringMatching(/^two\n?$/) }],
}
const read: Action = { kind: 'read', path: 'a.txt' }
const ran = { kind: 'shell', command: 'touch x.txt' }
const fetched: Action = { kind: 'fetch', url: address }
const asked: Action = { kind: 'mcp', server: 'rein', tool: 'other' }
const patched = { kind: 'shell', command: expect.stringContaining('apply_patch') }

interface Talk {
  steps: readonly string[]
  /** As hooks tell it before each tool. */
  hooks: readonly unknown[]
  /** As the protocol asks, of those steps that it asks about. */
  protocol: readonly unknown[]
  env?: Record<string, string>
}

const talks: Record<string, Talk> = {
  claude: {
    steps: [
      call('Write', { file_path: 'a.txt', content: 'one\n' }),
      call('Edit', { file_path: 'a.txt', old_string: 'one', new_string: 'two' }),
      call('Read', { file_path: 'a.txt' }),
      'RUN:touch x.txt',
      call('WebFetch', { url: address, prompt: 'What is it?' }),
      call('mcp__rein__other', {}),
    ],
    hooks: [wrote, edited, read, ran, fetched, asked],
    protocol: [wrote, edited, ran, fetched, asked],
  },
  codex: {
    steps: [
      patching('*** Add File: a.txt', '+one'),
      patching('*** Update File: a.txt', '@@', '-one', '+two'),
      call('view_image', { path: 'a.txt' }),
      call('exec_command', { cmd: 'touch x.txt', sandbox_permissions: 'require_escalated', justification: 'May I?' }),
      call('mcp__rein__other', {}),
    ],
    hooks: [patched, wrote, patched, edited, read, ran, asked],
    protocol: [ran],
  },
  copilot: {
    steps: [
      call('create', { path: 'a.txt', file_text: 'one\n' }),
      call('edit', { path: 'a.txt', old_str: 'one', new_str: 'two' }),
      call('view', { path: 'a.txt' }),
      'RUN:touch x.txt',
      call('rein-other', {}),
    ],
    hooks: [wrote, edited, read, ran, asked],
    protocol: [wrote, edited, ran],
  },
  gemini: {
    steps: [
      call('write_file', { file_path: 'a.txt', content: 'one\n' }),
      call('replace', { file_path: 'a.txt', instruction: 'Count.', old_string: 'one', new_string: 'two' }),
      call('read_file', { file_path: 'a.txt' }),
      'RUN:touch x.txt',
      call('web_fetch', { prompt: `Sum up ${address}` }),
      call('mcp_rein_other', {}),
    ],
    hooks: [wrote, edited, read, ran, fetched, asked],
    protocol: [wrote, edited, ran, fetched, asked],
  },
  opencode: {
    steps: [
      call('write', { filePath: 'a.txt', content: 'one\n' }),
      call('edit', { filePath: 'a.txt', oldString: 'one', newString: 'two' }),
      call('read', { filePath: 'a.txt' }),
      'RUN:touch x.txt',
      call('webfetch', { url: address, format: 'text' }),
      call('rein_other', {}),
    ],
    hooks: [wrote, edited, read, ran, fetched, asked],
    protocol: [{ kind: 'edit', path: 'a.txt', replacements: [{ old: '', new: 'one' }] }, edited, ran, fetched],
    env: { OPENCODE_PERMISSION: JSON.stringify({ edit: 'ask', bash: 'ask', webfetch: 'ask' }) },
  },
}

const play = async (cli: Cli, host: 'stream' | 'tmux', options: ProbeOptions): Promise<Probe> => {
  const mcp = [process.execPath, join(import.meta.dirname, 'yes-server.mjs')]
  const { steps = [], env = {} } = talks[cli.name] ?? {}
  const script = [...steps, 'SAY:done'].join(' ;; ')
  const probe = await startProbe(await subjectOf(cli), host, script, () => ({}), { mcp, env, ...options })
  onTestFinished(probe.close)
  return probe
}

const told = (cli: Cli, { cwd }: Probe, name: string, input: Record<string, unknown>): Action[] => {
  const { actions } = driverOf(cli).actions(name, input)
  return JSON.parse(JSON.stringify(actions).replaceAll(`${cwd}/`, '')) as Action[]
}

const ended = ({ sim }: Probe): Promise<unknown> => sim.next((request) => request.reply.includes('SAY:done'))

describe.each(chosen)('$name', (cli) => {
  test('what its hooks tell before its tools run', async () => {
    const isHeadless = driverOf(cli).capabilities((await subjectOf(cli)).installed.version, 'stream').beforeTool
    const probe = await play(cli, isHeadless ? 'stream' : 'tmux', {})
    await ended(probe)
    const tools = probe.calls.flatMap(({ event, tools: all }) => (event === 'before_tool' ? all : []))
    expect(tools.flatMap(({ name, input }) => told(cli, probe, name, input))).toMatchObject(
      talks[cli.name]?.hooks ?? [],
    )
  })

  test('what its protocol asks', async () => {
    const person = yes()
    const probe = await play(cli, 'stream', { request: { autoApprove: false }, heard: person.heard })
    person.meet(probe)
    await ended(probe)
    const actions = person.questions.flatMap(({ tool, input }) => told(cli, probe, tool, input))
    expect(actions).toMatchObject(talks[cli.name]?.protocol ?? [])
  })
})
