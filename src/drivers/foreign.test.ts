import { execFileSync } from 'node:child_process'
import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { tempDir } from '../../test/support/builders.ts'
import { type HostKind, LaunchRequest } from '../contract/agent.ts'
import { managedCommand, sharedCommand } from './deployed.ts'
import { listFiles } from './foreign.ts'
import { findDriver } from './registry.ts'

const programs = join(import.meta.dirname, '../../bin')
let root: string
let cwd: string
let env: Record<string, string>

beforeEach(() => {
  root = realpathSync(tempDir())
  cwd = join(root, 'home/project')
  env = { HOME: join(root, 'home') }
  mkdirSync(cwd, { recursive: true })
})

const put = (path: string, content: unknown): void => {
  const file = join(root, 'home', path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content))
}
const own = () => ({ hooks: join(root, 'state/hooks'), rein: join(root, 'state/bin/rein'), programs })
const place = (at = cwd) => ({ cwd: at, env, own: own() })
const foundBy = (driver: string, at?: string): string[] =>
  findDriver(driver)
    .foreign.items(place(at))
    .map(({ what, command }) => `${what}: ${command}`)
const isTrustedBy = (driver: string, at?: string): boolean => findDriver(driver).foreign.isTrusted(place(at))

const hook = { hooks: [{ type: 'command', command: './evil' }] }

test.each<[string, string, unknown, string]>([
  ['claude', '.claude/settings.json', { hooks: { Stop: [hook] } }, 'hook Stop: ./evil'],
  ['claude', '.claude/settings.local.json', { hooks: { Stop: [hook] } }, 'hook Stop: ./evil'],
  [
    'claude',
    '.claude/settings.json',
    { hooks: { Stop: [{ hooks: [{ type: 'http', url: 'http://x' }] }] } },
    'hook Stop: {"url":"http://x"}',
  ],
  ['claude', '.claude/settings.json', '\uFEFF{"env":{"PATH":"./bin"},}', 'variable PATH: ./bin'],
  ['claude', '.claude/settings.json', { apiKeyHelper: './key' }, 'setting apiKeyHelper: ./key'],
  [
    'claude',
    '.claude/settings.json',
    { statusLine: { type: 'command', command: './line' } },
    'setting statusLine: ./line',
  ],
  ['claude', '.claude/settings.json', { enabledPlugins: { 'x@y': true } }, 'plugins: {"x@y":true}'],
  [
    'claude',
    '.claude/agents/a.md',
    '---\nname: a\nhooks:\n  Stop:\n    - x\n---\nHi',
    'hooks or servers in its head: hooks: Stop: - x',
  ],
  [
    'claude',
    '.mcp.json',
    { mcpServers: { db: { command: 'npx', args: ['-y', 'db'], env: { A: '1' } } } },
    'MCP server db: npx -y db {"env":{"A":"1"}}',
  ],
  [
    'claude',
    '.mcp.json',
    { mcpServers: { rein: { command: './rein', args: ['mcp'] } } },
    'MCP server rein: ./rein mcp',
  ],
  ['codex', '.codex/config.toml', '[mcp_servers.db]\ncommand = "db"\nargs = ["-x"]\n', 'MCP server db: db -x'],
  ['codex', '.codex/config.toml', 'notify = ["sh", "-c", "x"]\n', 'setting notify: ["sh","-c","x"]'],
  ['codex', '.codex/config.toml', 'approval_policy = "never"\n', 'setting approval_policy: never'],
  ['codex', '.codex/config.toml', 'not = = toml', 'settings: not understood'],
  [
    'copilot',
    '.github/hooks/a.json',
    { version: 1, hooks: { sessionStart: [{ type: 'command', bash: './evil' }] } },
    'hook sessionStart: ./evil',
  ],
  ['copilot', '.github/copilot/settings.json', { disableAllHooks: true }, 'setting disableAllHooks: true'],
  ['copilot', '.claude/settings.json', { hooks: { Stop: [hook] } }, 'hook Stop: ./evil'],
  ['copilot', '.github/mcp.json', { mcpServers: { db: { url: 'http://x' } } }, 'MCP server db: http://x'],
  ['gemini', '.gemini/settings.json', { hooks: { BeforeTool: [hook] } }, 'hook BeforeTool: ./evil'],
  [
    'gemini',
    '.gemini/settings.json',
    { tools: { discoveryCommand: './tools' } },
    'setting tools.discoveryCommand: ./tools',
  ],
  [
    'gemini',
    '.gemini/settings.json',
    '{"mcpServers":{"db":{"httpUrl":"http://x"}} /* comment */}',
    'MCP server db: http://x',
  ],
  ['gemini', '.gemini/.env', 'export FOO=bar\n', 'variable FOO: bar'],
  ['gemini', '.env', 'FOO=bar\nGEMINI_API_KEY=k\nLD_PRELOAD=./x.so\n', 'variable LD_PRELOAD: ./x.so'],
  ['opencode', 'opencode.json', { mcp: { db: { type: 'local', command: ['db', '-x'] } } }, 'MCP server db: db -x'],
  ['opencode', 'opencode.jsonc', '{"plugin":["some-package"]}', 'plugin: some-package'],
  ['opencode', 'opencode.json', { formatter: { x: { command: ['./fmt'] } } }, 'program for x: ["./fmt"]'],
  ['opencode', 'opencode.json', { provider: { p: { npm: 'evil' } } }, 'package of provider p: evil'],
])('%s finds in %s: %j', (driver, file, content, said) => {
  put(`project/${file}`, content)
  expect(foundBy(driver)).toEqual([said])
})

test('code that opencode loads is known by its content', () => {
  put('project/.opencode/plugin/p.ts', 'one')
  const [before] = foundBy('opencode')
  put('project/.opencode/plugin/p.ts', 'two')
  expect(before).toMatch(/^code: sha256 [0-9a-f]{64}$/)
  expect(foundBy('opencode')).not.toEqual([before])
})

test.each(['claude', 'codex', 'copilot', 'gemini', 'opencode'])('%s finds nothing in an ordinary project', (driver) => {
  put('project/package.json', { scripts: { postinstall: 'x' } })
  put('project/CLAUDE.md', 'Be brief.')
  put('project/.env', 'DATABASE_URL=postgres://x\nGEMINI_API_KEY=k\n')
  put('project/.claude/settings.json', { model: 'opus', permissions: { allow: ['Bash(ls:*)'] } })
  put('project/.claude/agents/a.md', '---\nname: a\ntools: Read\n---\nIt has hooks: none.')
  put('project/.codex/config.toml', 'model = "x"\n')
  put('project/.gemini/settings.json', { ui: { theme: 'x' } })
  put('project/opencode.json', { model: 'x/y', instructions: ['README.md'] })
  // The user's own settings are above it.
  put('.claude/settings.json', { hooks: { Stop: [hook] }, env: { A: '1' } })
  put('.mcp.json', { mcpServers: { db: { command: 'db' } } })
  expect(foundBy(driver)).toEqual([])
  expect(foundBy(driver, join(root, 'home'))).toEqual([])
})

test('what rein setup has written there is its own, and nothing that only looks like it', () => {
  const guard = join(own().hooks, 'rein-guard')
  const commands = [managedCommand(guard, 'claude', 'PreToolUse'), sharedCommand('rein-hook', 'claude', 'Stop')]
  const forged = [
    managedCommand('/tmp/rein-guard', 'claude', 'Stop'),
    './evil # rein-managed',
    `${commands[0]?.replace('; fi', '; fi; ./evil')}`,
    managedCommand(guard, 'claude', '$(./evil)'),
  ]
  const hooks = [...commands, ...forged].map((command) => ({ hooks: [{ type: 'command', command }] }))
  const steered = { hooks: [{ type: 'command', command: commands[0], env: { LD_PRELOAD: './x.so' } }] }
  put('project/.claude/settings.json', {
    hooks: { Stop: [...hooks, steered], Start: [{ hooks: [{ type: 'agent' }] }] },
  })
  const mine = { command: 'rein', args: ['mcp'] }
  put('project/.mcp.json', { mcpServers: { rein: mine, other: { ...mine, env: { NODE_OPTIONS: '-r ./x.js' } } } })
  expect(foundBy('claude')).toEqual([
    ...forged.map((command) => `hook Stop: ${command}`),
    `hook Stop: ${commands[0]} {"env":{"LD_PRELOAD":"./x.so"}}`,
    'hook Start: agent',
    'MCP server other: rein mcp {"env":{"NODE_OPTIONS":"-r ./x.js"}}',
  ])
})

test('Claude Code looks for servers above the work tree, too', () => {
  put('project/.git/HEAD', 'ref: refs/heads/main')
  put('project/sub/x', '')
  put('project/.claude/settings.json', { env: { A: '1' } })
  put('.mcp.json', { mcpServers: { home: { command: 'x' } } })
  expect(foundBy('claude', join(cwd, 'sub'))).toEqual(['variable A: 1'])
})

describe('the CLI’s own word', () => {
  const records: [string, string, (path: string) => unknown][] = [
    ['claude', '.claude.json', (path) => ({ projects: { [path]: { hasTrustDialogAccepted: true } } })],
    ['codex', '.codex/config.toml', (path) => `[projects."${path}"]\ntrust_level = "trusted"\n`],
    ['copilot', '.copilot/config.json', (path) => ({ trustedFolders: [path] })],
    ['gemini', '.gemini/trustedFolders.json', (path) => ({ [path]: 'TRUST_FOLDER' })],
  ]
  const git = (at: string, ...args: string[]): string =>
    execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@e.org', ...args], { cwd: at, encoding: 'utf8' })

  test.each(records)('%s: counts for the directory, below it, and for its work trees', (driver, file, record) => {
    expect(isTrustedBy(driver)).toBe(false)
    put(file, record(cwd))
    git(cwd, 'init', '-q')
    git(cwd, 'commit', '-q', '--allow-empty', '-m', 'x')
    git(cwd, 'worktree', 'add', '-q', '../tree')
    mkdirSync(join(cwd, 'sub'))
    for (const at of [cwd, join(cwd, 'sub'), join(root, 'home/tree')]) expect(isTrustedBy(driver, at)).toBe(true)
    mkdirSync(join(root, 'home/project-2'))
    expect(isTrustedBy(driver, join(root, 'home/project-2'))).toBe(false)
  })

  test.each(records)('%s: nobody gets it by saying that he belongs to a trusted repository', (driver, file, record) => {
    put(file, record(cwd))
    git(cwd, 'init', '-q')
    const forged = join(root, 'home/forged')
    put('forged/.git', `gitdir: ${join(cwd, '.git')}\n`)
    expect(isTrustedBy(driver, forged)).toBe(false)
    put('forged/.git', `gitdir: ${join(forged, 'its')}\n`)
    put('forged/its/gitdir', join(forged, '.git'))
    put('forged/its/commondir', join(cwd, '.git'))
    expect(isTrustedBy(driver, forged)).toBe(false)
  })

  test('it counts by whatever way the directory is reached', () => {
    put('.claude.json', { projects: { [cwd]: { hasTrustDialogAccepted: true } } })
    symlinkSync(cwd, join(root, 'link'))
    expect(isTrustedBy('claude', join(root, 'link'))).toBe(true)
  })

  test('Gemini heeds the longest path, and what was refused stays so', () => {
    put('.gemini/trustedFolders.json', { [join(root, 'home')]: 'TRUST_FOLDER', [cwd]: 'DO_NOT_TRUST' })
    expect(isTrustedBy('gemini')).toBe(false)
  })
})

test.each<[string, HostKind, Partial<LaunchRequest>, boolean]>([
  ['claude', 'stream', {}, false],
  ['claude', 'tmux', {}, true],
  ['claude', 'pty', { permissionMode: 'plan' }, true],
  ['claude', 'tmux', { autoApprove: true }, false],
  ['claude', 'tmux', { permissionMode: 'bypassPermissions' }, false],
  ['claude', 'tmux', { args: ['--dangerously-skip-permissions'] }, false],
  ['codex', 'tmux', {}, false],
  ['copilot', 'tmux', {}, true],
  ['copilot', 'tmux', { autoApprove: true }, false],
  ['copilot', 'tmux', { args: ['--allow-all-tools'] }, false],
  ['copilot', 'stream', {}, false],
  ['gemini', 'tmux', {}, false],
  ['opencode', 'pty', {}, false],
])('whether %s in the host %s with %j asks by itself: %j', (driver, host, request, isAsking) => {
  expect(findDriver(driver).foreign.asks(host, LaunchRequest.parse({ cwd: '/', ...request }))).toBe(isAsking)
})

test('links that lead in circles, or out, are looked at once', () => {
  const tree = tempDir()
  for (const name of ['a', 'b']) symlinkSync('.', join(tree, name))
  mkdirSync(join(tree, 'plugin'))
  writeFileSync(join(tree, 'plugin/x.js'), '')
  expect(listFiles(tree, /\.js$/)).toEqual([join(tree, 'plugin/x.js')])
})
