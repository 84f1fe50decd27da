import { createHash, randomBytes } from 'node:crypto'
import { createWriteStream, readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { expect, test } from 'vitest'
import { writeContainer } from '../../src/features/sessions/bundles/container.ts'
import { container, framed, said, turn } from '../support/forged-bundle.ts'
import { createBox } from './harness.ts'

const mib = 2 ** 20
/** It can be squeezed, but not so much that it would be refused for that. */
const result = Buffer.concat(
  Array.from({ length: 20 * 16 }, () => Buffer.concat([randomBytes(1024), Buffer.alloc(63 * 1024)])),
)

/** Of twelve of them. */
const half = 6 * result.length

const mostMemoryOf = (pid: number): number =>
  Number(/^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024

/** Null if it was closed in the meantime. */
const linkOf = (path: string): string | null => {
  try {
    return readlinkSync(path)
  } catch {
    return null
  }
}

/** With this many large results of tools, and no files. */
const writeBundle = async (file: string, count: number): Promise<void> => {
  const sha256 = createHash('sha256').update(result).digest('hex')
  const results = Array.from({ length: count }, (_, at) => ({
    name: `conversation/tool-results/${at}`,
    bytes: result.length,
  }))
  const entries = results.map((one) => ({ ...one, sha256 }))
  const manifest = Buffer.from(JSON.stringify({ ...said({ turns: [turn()] }), entries }))
  const all = [{ name: 'manifest.json', bytes: manifest.length }, ...results]
  const content = (name: string): Buffer => (name === 'manifest.json' ? manifest : result)
  const parts = writeContainer(all.map((one) => ({ ...one, content: content(one.name) })))
  await pipeline(Readable.from(parts), createWriteStream(file))
}

test('for a summary the conversation of a bundle is not taken into memory', async () => {
  const box = createBox()
  const file = join(box.root, 'large.rein')
  await writeBundle(file, 12)
  const client = box.client()
  await client.hello()
  const pid = box.registered()?.pid ?? 0
  const before = mostMemoryOf(pid)
  const request = { cwd: box.cwd, file, into: join(box.root, 'new'), full: false, yes: true, env: box.env }
  expect((await client.importSession(request)).isDone).toBe(true)
  expect(mostMemoryOf(pid) - before).toBeLessThan(half)
})

test('a conversation of more than 256 MiB is refused before any of it is unpacked, and its file is closed', async () => {
  const box = createBox()
  const file = join(box.root, 'larger.rein')
  const entries = [1, 2, 3].map((at) => ({
    name: `conversation/tool-results/${at}`,
    bytes: 100 * mib,
    sha256: '0'.repeat(64),
  }))
  const manifest = framed(['manifest.json', JSON.stringify({ ...said(), entries })])
  writeFileSync(file, container(manifest, randomBytes(4 * mib)))
  const client = box.client()
  await client.hello()
  await expect(client.inspectBundle({ file })).rejects.toThrow('its conversation is larger than it may be')
  const fds = `/proc/${box.registered()?.pid}/fd`
  await expect
    .poll(() => readdirSync(fds).filter((fd) => linkOf(join(fds, fd)) === file), { timeout: 60_000 })
    .toEqual([])
})
