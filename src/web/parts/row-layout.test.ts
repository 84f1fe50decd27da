import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { RowLayout } from './row-layout.ts'

describe('RowLayout', () => {
  test('stands rows below each other: measured ones as they are, others by the estimate', () => {
    const layout = new RowLayout(10)
    layout.setKeys(['a', 'b', 'c'])
    layout.setHeight('b', 30)
    expect([0, 1, 2, 3].map((index) => layout.topOf(index))).toEqual([0, 10, 40, 50])
    expect(layout.height).toBe(50)
  })

  test('keeps what was measured when rows come before', () => {
    const layout = new RowLayout(10)
    layout.setKeys(['b'])
    layout.setHeight('b', 30)
    layout.setKeys(['a', 'b'])
    expect(layout.topOf(layout.indexOf('b') ?? 0)).toBe(10)
    expect(layout.height).toBe(40)
  })

  test('says whether a height is news', () => {
    const layout = new RowLayout(10)
    layout.setKeys(['a'])
    expect(layout.setHeight('a', 12)).toBe(true)
    expect(layout.setHeight('a', 12)).toBe(false)
  })

  test('without rows it has no height', () => {
    const layout = new RowLayout(10)
    layout.setKeys([])
    expect([layout.height, layout.indexAt(5)]).toEqual([0, 0])
  })

  test('finds the row at each distance', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 500 }), { minLength: 1 }), fc.nat(10_000), (heights, y) => {
        const layout = new RowLayout(10)
        layout.setKeys(heights.map((_, index) => String(index)))
        for (const [index, height] of heights.entries()) layout.setHeight(String(index), height)
        const found = layout.indexAt(y)
        expect(layout.topOf(found)).toBeLessThanOrEqual(y)
        expect(found === heights.length - 1 || layout.topOf(found + 1) > y).toBe(true)
      }),
    )
  })
})
