import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { tempDir } from '../../../test/support/builders.ts'
import { settings, type Settings } from '../../base/config/settings.ts'
import { claude } from '../../drivers/claude/driver.ts'
import { findCli } from './launch-context.ts'

const usual = Object.fromEntries(settings.map((one) => [one.key, one.default])) as Settings

test('a CLI that is there and does not say its version is not called missing', async () => {
  const directory = tempDir()
  const path = join(directory, 'claude')
  writeFileSync(path, '#!/bin/sh\nexit 1\n', { mode: 0o755 })
  await expect(findCli({ settings: usual }, claude, 'stream', { PATH: directory })).rejects.toMatchObject({
    code: 'driver_missing',
    message: `Claude Code is at ${path}, but does not say its version.`,
    hint: `Try it: '${path}' --version`,
  })
})

test.each([null, '/no/such/claude'])('a CLI that is not there was not found (%s)', async (path) => {
  const found = findCli({ settings: { ...usual, 'claude.path': path } }, claude, 'stream', { PATH: tempDir() })
  await expect(found).rejects.toMatchObject({ code: 'driver_missing', message: 'Claude Code was not found.' })
})
