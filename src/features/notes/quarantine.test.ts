import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { mostProposals, type Proposal, Quarantine } from './quarantine.ts'

let dir: string
let quarantine: Quarantine

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'rein-quarantine-'))
  quarantine = new Quarantine(dir)
  return () => rmSync(dir, { recursive: true })
})

const proposal = (name: string, text = `# ${name}\n`, at = 1): Proposal => ({
  name,
  title: name,
  text,
  by: 'agent ada',
  at,
})
const names = async (project = 'shop'): Promise<string[]> => (await quarantine.list(project)).map(({ name }) => name)

test('what is proposed is kept for its project, oldest first, for nobody else to read', async () => {
  await quarantine.add('shop', proposal('b', 'b', 2), [])
  await quarantine.add('shop', proposal('a', 'a', 3), [])
  await quarantine.add('other', proposal('c'), [])
  expect(await names()).toEqual(['b', 'a'])
  expect(await new Quarantine(dir).list('shop')).toEqual([proposal('b', 'b', 2), proposal('a', 'a', 3)])
  expect(statSync(join(dir, 'shop/a.json')).mode & 0o777).toBe(0o600)
  expect(statSync(join(dir, 'shop')).mode & 0o777).toBe(0o700)
})

test('a name is free, here and among the notes; the same text again is the same proposal', async () => {
  expect(await quarantine.add('shop', proposal('a', 'one'), ['a'])).toMatchObject({ name: 'a-2' })
  expect(await quarantine.add('shop', proposal('a', 'two'), ['a'])).toMatchObject({ name: 'a-3' })
  expect(await quarantine.add('shop', proposal('a', 'one'), ['a'])).toMatchObject({ name: 'a-2' })
  expect(await names()).toHaveLength(2)
})

test('only so many wait at a time, also when they come at once', async () => {
  const all = Array.from({ length: mostProposals + 5 }, (_, at) => quarantine.add('shop', proposal(`n${at}`), []))
  const refused = (await Promise.allSettled(all)).filter(({ status }) => status === 'rejected')
  expect(refused).toHaveLength(5)
  expect(await names()).toHaveLength(mostProposals)
})

test('one that is taken is gone, unless taking it failed', async () => {
  await quarantine.add('shop', proposal('a'), [])
  const failing = quarantine.take('shop', 'a', async () => Promise.reject(new Error('disk full')))
  await expect(failing).rejects.toThrow('disk full')
  expect(await quarantine.take('shop', 'a', async ({ text }) => text)).toBe('# a\n')
  await expect(quarantine.take('shop', 'a', async () => 1)).rejects.toMatchObject({ code: 'not_found' })
  expect(readdirSync(join(dir, 'shop'))).toEqual([])
})

test('a file that is damaged is none, and no name leads elsewhere', async () => {
  await quarantine.add('shop', proposal('a'), [])
  writeFileSync(join(dir, 'shop/b.json'), '{"name":')
  expect(await names()).toEqual(['a'])
  await expect(quarantine.find('shop', '../other/c')).rejects.toMatchObject({ code: 'not_found' })
})
