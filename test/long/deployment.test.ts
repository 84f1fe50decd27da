import { beforeAll, expect, test } from 'vitest'
import {
  bundleInstaller,
  createInstallBox,
  deployedBy,
  countKept,
  killInstaller,
  original,
} from '../process/install-box.ts'

let installer: string
beforeAll(async () => {
  installer = await bundleInstaller()
})

test('two installers at once: 400 of 400 edits are kept', async () => {
  expect(await countKept(createInstallBox(installer), 200)).toBe(400)
})

test('kill -9 at each step of an install: the old file or the new one, and the next install and cleanup are as ever', async () => {
  const deployed = await deployedBy(installer)
  const seen = new Set<string>()
  let steps = 0
  for (let isOver = false; !isOver; ) {
    steps += 1
    const { left, isDone } = await killInstaller(installer, steps, deployed)
    seen.add(left)
    isOver = isDone
  }
  expect(seen).toEqual(new Set([original, deployed]))
  expect(steps).toBeGreaterThan(15)
})
