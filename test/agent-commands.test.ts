import { describe, expect, test } from 'vitest'
import { app } from '../src/cli/commands.ts'
import { listCommands } from '../src/cli/help.ts'
import { type RouteName, routes } from '../src/contract/routes/all.ts'
import { checkMay } from '../src/daemon/actor.ts'
import { agentCommands } from '../src/features/rules/guard/own-commands.ts'
import { loadRules } from '../src/features/rules/load.ts'
import { builtIn, judgeShell } from './support/judge-shell.ts'

const commands = listCommands(app.root).map(([route]) => route.replace(/^rein /, ''))

const mayAgent = (route: RouteName): boolean => {
  try {
    checkMay({ kind: 'agent', id: 'agent_1', handle: 'ada' }, route)
    return true
  } catch {
    return false
  }
}

/** By which command an agent uses what the daemon lets it do; null: by none, or by hooks and programs alone. */
const commandOf: Partial<Record<RouteName, string | null>> = {
  hello: null,
  status: 'daemon status',
  ps: 'ps',
  tell: 'tell',
  inbox: 'inbox list',
  receipt: 'receipt',
  follow: 'receipt',
  read: 'inbox read',
  ack: 'ack',
  logs: 'logs',
  context: 'session context',
  channels: 'channel list',
  sendOut: 'channel send',
  createRoom: 'chat create',
  rooms: 'chat list',
  followRooms: 'chat open',
  post: 'chat send',
  posts: 'chat read',
  moveCursor: 'chat read',
  members: 'chat members',
  publish: 'bus publish',
  events: 'bus check',
  ackEvents: 'bus ack',
  busStatus: 'bus status',
  watches: 'bus watch',
  control: 'bus control',
  controls: 'bus control',
  decide: 'decision log',
  decisions: 'decision list',
  tasks: 'task list',
  task: 'task show',
  tellLead: 'task report',
  story: 'story',
  takeLease: 'lease take',
  leases: 'lease list',
  renewLease: 'lease renew',
  releaseLease: 'lease release',
  ingest: 'memory ingest',
  shellSession: 'memory session-start',
  suggest: 'memory suggest',
  history: 'memory history',
  diagnose: 'memory diagnose',
  projectCommands: 'memory show',
  notes: 'memory note list',
  searchNotes: 'memory note search',
  showNote: 'memory note show',
  addNote: 'memory note add',
  explainCall: null,
  hook: null,
  guard: null,
  mcp: 'mcp',
}

const places = { cwd: '/home/ada/app', root: '/home/ada/app', home: '/home/ada' }
const rules = loadRules([builtIn])
const isStopped = async (line: string): Promise<boolean> => (await judgeShell(await rules, line, places)).length > 0

describe('what the rules let agents do with rein', () => {
  test('is a command, each of them', () => {
    const listed = Object.entries(agentCommands).flatMap(([group, own]) =>
      own.length === 0 ? [group] : own.map((word) => `${group} ${word}`),
    )
    const isCommand = (words: string): boolean =>
      commands.some((command) => command === words || command.startsWith(`${words} `))
    expect(listed.filter((words) => !isCommand(words))).toEqual([])
  })

  test('is all that the daemon lets them do', async () => {
    const allowed = (Object.keys(routes) as RouteName[]).filter(mayAgent)
    expect(allowed.filter((route) => commandOf[route] === undefined)).toEqual([])
    const used = allowed.flatMap((route) => commandOf[route] ?? [])
    expect(used.filter((command) => !commands.includes(command))).toEqual([])
    for (const command of used) expect([command, await isStopped(`rein ${command}`)]).toEqual([command, false])
  })

  test.each([
    'ask',
    'check',
    'test',
    'wait',
    'status',
    'off',
    'daemon start',
    'rules trust',
    'resume',
    'memory note accept',
    'memory import',
  ])('is not `rein %s`', async (words) => {
    expect(await isStopped(`rein ${words}`)).toBe(true)
  })
})
