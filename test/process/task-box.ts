import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Client } from '../../src/client/client.ts'
import type { OrchestrateRequest, TaskView, TeamLaunchRequest } from '../../src/contract/routes/tasks.ts'
import { killProcess } from '../support/kill.ts'
import { actingAs, type Box, createBox, type Env } from './harness.ts'

/** A project in a git repository, whose agents are stand-ins that take whatever they are given. */
export interface TaskBox extends Box {
  launch: TeamLaunchRequest
  git(...args: string[]): string
  orchestrate(more?: Partial<Omit<OrchestrateRequest, 'cwd' | 'project'>>): Promise<TaskView>
  show(name?: string): Promise<TaskView>
  /** A client that acts as this agent. */
  as(handle: string): Client
  kill(handle: string): Promise<void>
}

/** Nobody is woken, and no files are saved: agents stay idle, and what they are told stays in their inboxes. */
const quiet: Env = { REIN_NOTIFY_ENABLED: 'false', REIN_SESSIONS_ENABLED: 'false' }

export const createTaskBox = (config: Env = {}): TaskBox => {
  const box = createBox({ ...quiet, ...config })
  const { cwd, env } = box
  const launch: TeamLaunchRequest = { host: 'stream', drivers: ['claude'], env }
  const client = (): Client => box.client()
  const as: TaskBox['as'] = (handle) => box.client({ env: actingAs(box, handle) })
  const git: TaskBox['git'] = (...args) => gitIn(cwd, ...args)
  git('init', '--quiet', '--initial-branch=main')
  writeFileSync(join(cwd, 'file.txt'), 'one\n')
  git('add', '.')
  git('commit', '--quiet', '-m', 'Begin')
  return {
    ...box,
    launch,
    git,
    as,
    orchestrate: (more = {}) => client().orchestrate({ cwd, name: 'parser', agents: 2, launch, ...more }),
    show: (name = 'parser') => client().task({ cwd, name }),
    kill: async (handle) => {
      const found = (await client().ps({})).find((one) => one.handle === handle)
      killProcess(found?.pid ?? undefined)
    },
  }
}

/** Nothing of this machine's own git. */
export const gitIn = (cwd: string, ...args: string[]): string => {
  const person = ['-c', 'user.name=Tester', '-c', 'user.email=tester@example.org']
  const env = { PATH: process.env['PATH'], HOME: cwd, GIT_CONFIG_NOSYSTEM: '1' }
  return execFileSync('git', [...person, ...args], {
    cwd,
    env,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  }).trim()
}
