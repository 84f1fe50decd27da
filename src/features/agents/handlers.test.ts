import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { anAgent, onPhone, tempDir } from '../../../test/support/builders.ts'
import { AgentFinder } from '../../agents/identity/finder.ts'
import { UpInput } from '../../contract/routes/agents.ts'
import { launch, resume } from './handlers.ts'
import type { AgentParts } from './parts.ts'

test('those that crashed are brought back: of the project that is named, else all', async () => {
  const agents = [
    anAgent({ id: 'agt_1', handle: 'ada', project: 'shop-000001', state: 'crashed' }),
    anAgent({ id: 'agt_2', handle: 'bob', project: 'api-000002', state: 'crashed' }),
    anAgent({ id: 'agt_3', handle: 'eva', project: 'shop-000001', state: 'stopped' }),
  ]
  const parts = {
    finder: new AgentFinder({
      supervisor: { agents, get: () => null },
      projects: { known: [], placesOf: () => [], of: () => expect.unreachable() },
    }),
    supervisor: { agents, get: () => null, resume: async () => ({ state: 'idle' }) },
    environment: { of: () => ({}) },
    others: { sessions: { isMoving: () => false } },
  } as unknown as AgentParts
  const resumed = async (here: { project: string } | { cwd: string }) =>
    (await resume(parts, onPhone, here)).map(({ handle }) => handle)
  expect(await resumed({ project: 'shop' })).toEqual(['ada'])
  expect(await resumed({ cwd: '/somewhere' })).toEqual(['ada', 'bob'])
  await expect(resumed({ project: 'shup' })).rejects.toMatchObject({ code: 'not_found' })
})

test('an agent that another launch brought back meanwhile keeps its inbox', async () => {
  const dir = tempDir()
  writeFileSync(join(dir, 'claude'), '#!/bin/sh\necho 2.1.197\n', { mode: 0o755 })
  const request = { cwd: dir, env: {}, args: [], isOwned: true }
  const ended = anAgent({ project: 'shop', handle: 'ada', state: 'stopped', request })
  let agents = [ended]
  const done: string[] = []
  const parts = {
    settings: {},
    paths: { state: dir, runtime: dir },
    projects: {
      seen: async () => 'shop',
      of: async () => {
        done.push('project')
        return 'shop'
      },
    },
    environment: {
      of: (id: string | undefined) => {
        expect(id).toBe(ended.id)
        // From here on the CLI is looked for, which takes a while.
        agents = [{ ...ended, state: 'idle' }]
        return { PATH: `${dir}:${process.env['PATH']}`, HOME: dir }
      },
    },
    supervisor: {
      get agents() {
        return agents
      },
      up: async () => {
        done.push('up')
        return agents[0]
      },
    },
    others: {
      sessions: { prepare: async () => undefined, isMoving: () => false },
      channels: { channels: { checkLaunch: () => undefined } },
      inbox: { inbox: { end: () => done.push('end') } },
      team: { rooms: { all: () => [] } },
    },
  } as unknown as AgentParts
  const input = UpInput.parse({ handle: 'ada', driver: 'claude', host: 'stream', request: { cwd: dir } })
  await launch(parts, onPhone, input)
  expect(done.filter((one) => one !== 'project')).toEqual(['up'])
  // A launch that cannot be leaves no name of its directory behind.
  done.length = 0
  writeFileSync(join(dir, 'claude'), '#!/bin/sh\nexit 1\n', { mode: 0o755 })
  await expect(launch(parts, onPhone, input)).rejects.toMatchObject({ code: 'driver_missing' })
  expect(done).toEqual([])
})
