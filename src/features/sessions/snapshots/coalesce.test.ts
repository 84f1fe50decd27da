import { describe, expect, test } from 'vitest'
import { Coalescing } from './coalesce.ts'
import type { Work } from './layer.ts'

/** Runs that begin and end when the test says so. */
const stage = (): {
  asking: Coalescing<number>
  begin: () => void
  end: () => void
  works: Work[]
} => {
  const [waiting, ends, works]: [(() => void)[], (() => void)[], Work[]] = [[], [], []]
  const inTurn = (run: () => Promise<number>): Promise<number> =>
    new Promise((resolve, reject) => waiting.push(() => void run().then(resolve, reject)))
  const asking = new Coalescing(inTurn, (work) => {
    const number = works.push(work)
    return new Promise<number>((resolve) => ends.push(() => resolve(number)))
  })
  return { asking, begin: () => waiting.shift()?.(), end: () => ends.shift()?.(), works }
}

describe('asking for the same thing', () => {
  test('is asking once, until it has begun', async () => {
    const { asking, begin, end } = stage()
    const first = [asking.ask({}), asking.ask({})]
    begin()
    const later = [asking.ask({}), asking.ask({})]
    end()
    expect(await Promise.all(first)).toEqual([1, 1])
    begin()
    end()
    expect(await Promise.all(later)).toEqual([2, 2])
  })

  test('tells everybody how far it is', async () => {
    const { asking, begin, end, works } = stage()
    const heard: string[] = []
    const asked = ['a', 'b'].map((name) =>
      asking.ask({ onProgress: ({ done, total }) => heard.push(`${name} ${done}/${total}`) }),
    )
    begin()
    works[0]?.onProgress?.({ done: 1, total: 2 })
    end()
    await Promise.all(asked)
    expect(heard).toEqual(['a 1/2', 'b 1/2'])
  })

  test('is called off when nobody wants it any more', async () => {
    const { asking, begin, end, works } = stage()
    const [one, two] = [new AbortController(), new AbortController()]
    const asked = [asking.ask({ signal: one.signal }), asking.ask({ signal: two.signal })]
    begin()
    one.abort()
    await expect(asked[0]).rejects.toMatchObject({ code: 'aborted' })
    expect(works[0]?.signal?.aborted).toBe(false)
    two.abort()
    await expect(asked[1]).rejects.toMatchObject({ code: 'aborted' })
    expect(works[0]?.signal?.aborted).toBe(true)
    const next = asking.ask({})
    begin()
    end()
    end()
    expect(await next).toBe(2)
    await expect(asking.ask({ signal: one.signal })).rejects.toMatchObject({ code: 'aborted' })
  })
})
