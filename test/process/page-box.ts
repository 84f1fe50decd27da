import { beforeAll } from 'vitest'
import { type Box, createBox } from './harness.ts'
import { endpointOf } from './mcp-call.ts'

/** A daemon, and where its page is. */
export const startIn = async (box: Box) => {
  const client = box.client()
  await client.hello()
  return { box, client, ...endpointOf(box) }
}

export const startPage = () => startIn(createBox())

/** One for all tests of a file that do not look at what others have left. */
export const sharePage = (): (() => Awaited<ReturnType<typeof startPage>>) => {
  let shared: Awaited<ReturnType<typeof startPage>> | null = null
  beforeAll(async () => {
    let clean: (() => void) | undefined
    shared = await startIn(
      createBox({}, (end) => {
        clean = end
      }),
    )
    return clean
  })
  return () => {
    if (shared === null) throw new Error('The daemon of this file is there only within its tests.')
    return shared
  }
}
