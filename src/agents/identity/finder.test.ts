import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { anAgent, onPhone, tempDir } from '../../../test/support/builders.ts'
import { AgentFinder } from './finder.ts'

const [shop, api, gone] = ['shop-000001', 'api-000002', 'gone-000003']

/** Two projects with a directory each, and one whose directory is gone. */
const start = () => {
  const dir = tempDir()
  const [shopDir, apiDir, otherDir] = ['shop', 'api', 'other'].map((name) => join(dir, name))
  for (const place of [shopDir, apiDir, otherDir]) mkdirSync(place ?? '')
  const places: Record<string, string[]> = {
    // What is in the first place now is another project.
    [shop]: [join(dir, 'was'), otherDir ?? '', shopDir ?? ''],
    [api]: [apiDir ?? ''],
    [gone]: [join(dir, 'nowhere')],
  }
  const agents = [
    anAgent({ id: 'agt_1', handle: 'ada', project: shop, cwd: shopDir ?? '' }),
    anAgent({ id: 'agt_2', handle: 'ada', project: api, cwd: apiDir ?? '' }),
    anAgent({ id: 'agt_3', handle: 'eva', project: 'bare-000004', cwd: otherDir ?? '' }),
  ]
  const at: Record<string, string> = { [shopDir ?? '']: shop, [apiDir ?? '']: api, [otherDir ?? '']: 'bare-000004' }
  const finder = new AgentFinder({
    supervisor: { agents, get: (id) => agents.find((agent) => agent.id === id) ?? null },
    projects: {
      known: [shop, api, gone],
      placesOf: (project) => places[project] ?? [],
      of: async (cwd) => at[cwd] ?? Promise.reject(new Error(`There is no directory ${cwd}.`)),
    },
  })
  const ada = { kind: 'agent' as const, id: 'agt_1', handle: 'ada' }
  return { finder, ada, shopDir: shopDir ?? '', apiDir: apiDir ?? '', otherDir: otherDir ?? '' }
}
const code = (name: string) => expect.objectContaining({ code: name })

test('an agent is found from a directory or from a project', async () => {
  const { finder, apiDir } = start()
  expect((await finder.named({ target: 'ada', cwd: apiDir })).id).toBe('agt_2')
  expect((await finder.named({ target: 'ada', project: 'shop' })).id).toBe('agt_1')
  expect((await finder.named({ target: 'eva', cwd: '/no/such/place' })).id).toBe('agt_3')
  await expect(finder.named({ target: 'eva', project: 'shup' })).rejects.toEqual(code('not_found'))
  // Whoever names a project means no agent of another one.
  await expect(finder.named({ target: 'eva', project: 'shop' })).rejects.toEqual(code('unknown_agent'))
  await expect(finder.named({ target: 'shop/ada', project: 'api' })).rejects.toEqual(code('unknown_agent'))
})

test('a project is known by its record, or by an agent of it', async () => {
  const { finder } = start()
  expect(finder.projects).toEqual([api, 'bare-000004', gone, shop])
  expect(await finder.project(onPhone, { project: 'gone' })).toBe(gone)
  await expect(finder.project(onPhone, {})).rejects.toEqual(code('usage'))
})

test('where a directory is needed, one is taken that is there and of that project', async () => {
  const { finder, shopDir, otherDir } = start()
  expect(await finder.placed({ project: 'shop', name: 'x' })).toEqual({ cwd: shopDir, name: 'x' })
  expect(await finder.placed({ cwd: '/no/such/place' })).toEqual({ cwd: '/no/such/place' })
  // Only an agent says where it is.
  expect(await finder.placed({ project: 'bare' })).toEqual({ cwd: otherDir })
  await expect(finder.placed({ project: 'gone' })).rejects.toEqual(code('not_found'))
  rmSync(shopDir, { recursive: true })
  await expect(finder.placed({ project: 'shop' })).rejects.toEqual(code('not_found'))
})

test('an agent is told of its own project, and is refused another one', async () => {
  const { finder, ada, shopDir, apiDir } = start()
  expect(await finder.project(ada, { cwd: apiDir })).toBe(shop)
  expect(await finder.project(ada, { project: 'shop' })).toBe(shop)
  expect(await finder.pinned(ada, { cwd: apiDir, all: false })).toEqual({ cwd: shopDir, all: false })
  expect(await finder.pinned(ada, { project: shop })).toEqual({ cwd: shopDir })
  for (const project of ['api', 'nothing']) {
    await expect(finder.project(ada, { project })).rejects.toEqual(code('forbidden'))
    await expect(finder.pinned(ada, { project })).rejects.toEqual(code('forbidden'))
    await expect(finder.namedOrSelf(ada, { project })).rejects.toEqual(code('forbidden'))
  }
  expect((await finder.namedOrSelf(ada, { cwd: apiDir }))?.id).toBe('agt_1')
  expect((await finder.namedOrSelf(ada, { project: 'shop' }))?.id).toBe('agt_1')
  await expect(finder.namedOrSelf({ ...ada, id: 'agt_9' }, { cwd: apiDir })).rejects.toEqual(code('forbidden'))
  await expect(finder.pinned(ada, { cwd: shopDir, all: true })).rejects.toEqual(code('forbidden'))
})
