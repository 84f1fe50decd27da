import { appendFileSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { tempDir } from '../../../test/support/builders.ts'
import { distrust, hashOf, readTrusted, trust, trustFile } from './trusted.ts'

const newState = (): string => join(tempDir(), 'state')
const hash = hashOf('other')

test('those who write at the same time lose nothing of each other', async () => {
  const state = newState()
  await trust(state, [{ text: 'gone', place: '/gone' }])
  const names = Array.from({ length: 20 }, (_, n) => `text ${n}`)
  await Promise.all([distrust(state, '/gone'), ...names.map((text) => trust(state, [{ text, place: `/${text}` }]))])
  const { texts } = await readTrusted(state)
  expect(texts.map(({ place }) => place).toSorted()).toEqual(names.map((name) => `/${name}`).toSorted())
})

test.each([
  ['a place that is no JSON', `${hash}\t"\\q"`],
  ['a place that is cut off', `${hash}\t"/ot`],
  ['a hash that is cut off', hash.slice(0, 63)],
  ['something else', 'all is trusted'],
])(
  'a damaged line makes nothing trusted, is named, stays as it is, and keeps nothing else from being so: %s',
  async (_, line) => {
    const state = newState()
    await trust(state, [{ text: 'one', place: '/one' }])
    appendFileSync(trustFile(state), `${line}\n`)
    const one = { hash: hashOf('one'), place: '/one' }
    expect(await readTrusted(state)).toEqual({ texts: [one], damaged: [2] })
    await trust(state, [{ text: 'two' }])
    const two = { hash: hashOf('two'), place: '' }
    expect(await readTrusted(state)).toEqual({ texts: [one, two], damaged: [2] })
    expect(await distrust(state, '/one')).toBe(1)
    expect(await readTrusted(state)).toEqual({ texts: [two], damaged: [1] })
    expect(readFileSync(trustFile(state), 'utf8')).toBe(`${line}\n${two.hash}\n`)
  },
)
