import fc from 'fast-check'
import { expect, test } from 'vitest'
import { drawTree } from './tree.ts'

/** `3b<2`: turn 3b after turn 2. */
const tree = (...texts: string[]) =>
  texts.map((text) => {
    const [label = '', parent = null] = text.split('<')
    return { label, parent }
  })

const draw = (...texts: string[]): string[] =>
  drawTree(tree(...texts)).map(({ node, lanes }) => `${lanes} ${node.label}`)

test('what has no branches is one lane', () => {
  expect(draw('0', '1<0', '2<1')).toEqual(['* 0', '* 1', '* 2'])
  expect(draw()).toEqual([])
})

test('what was left behind stands to the right of what came of it', () => {
  expect(draw('0', '1<0', '2<1', '3<2', '4<3', '3b<2', '4b<3b')).toEqual([
    '* 0',
    '* 1',
    '* 2',
    '├─* 3',
    '│ * 4',
    '* 3b',
    '* 4b',
  ])
})

test('a lane that has ended is used again', () => {
  expect(draw('0', '1<0', '1b<0', '1c<0')).toEqual(['* 0', '├─* 1', '├─* 1b', '* 1c'])
})

test('a branch of a branch, and two that grow at the same time', () => {
  expect(draw('0', '1<0', '2<1', '3<2', '3b<2', '2b<1', '4<3', '2c<1', '4b<3b')).toEqual([
    '* 0',
    '* 1',
    '├─* 2',
    '│ ├─* 3',
    '│ * │ 3b',
    '├─┼─┼─* 2b',
    '│ │ * 4',
    '* │ 2c',
    '  * 4b',
  ])
})

test('each node stands in its row once, whatever the tree', () => {
  const parents = fc.array(fc.nat(), { maxLength: 60 })
  fc.assert(
    fc.property(parents, (given) => {
      const nodes = [
        { label: '0', parent: null },
        ...given.map((parent, index) => ({ label: String(index + 1), parent: String(parent % (index + 1)) })),
      ]
      const drawn = drawTree(nodes)
      expect(drawn.map(({ node }) => node)).toEqual(nodes)
      for (const { lanes } of drawn) expect(lanes).toMatch(/^[│├┼─ ]*\*[│ ]*$/)
      // Nothing is waited for any more when all have come.
      expect(drawn.at(-1)?.lanes).toMatch(/^ *\*$/)
    }),
  )
})
