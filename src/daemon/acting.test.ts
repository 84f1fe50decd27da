import { mkdirSync } from 'node:fs'
import { expect, onTestFinished, test } from 'vitest'
import { onPhone, tempDir } from '../../test/support/builders.ts'
import { startLog } from '../../test/support/in-process-log.ts'
import { loadConfig } from '../base/config/load.ts'
import type { Settings } from '../base/config/settings.ts'
import { createBase } from '../base/create-base.ts'
import { openDatabase } from '../base/store/sqlite.ts'
import { reinPaths } from '../base/util/paths.ts'
import { routes } from '../contract/routes/all.ts'
import type { Card } from '../contract/routes/route.ts'
import { prepareDirectories } from './daemon.ts'
import { composeFeatures } from './features.ts'
import { handlersOf } from './handlers.ts'
import { lineReaders } from './line-readers.ts'
import type { DaemonParts } from './status.ts'

/** The handlers of a daemon that has no agents, and that nobody reaches. */
const startHandlers = async () => {
  const paths = reinPaths({ env: { REIN_HOME: tempDir() }, homedir: tempDir(), platform: 'linux', uid: 1 })
  prepareDirectories(paths)
  const { config } = await loadConfig({ paths, env: {} })
  const values = Object.entries(config).map(([key, { value }]) => [key, value])
  const settings = Object.fromEntries(values) as unknown as Settings
  const { log, path } = startLog()
  const journal = { write: () => undefined }
  const base = createBase({
    log,
    reader: openDatabase(path, { readOnly: true }),
    forgetCopies: () => undefined,
    journal,
    paths,
    settings,
    endpoint: { port: 0, token: '', secret: '' },
    lines: lineReaders(journal),
  })
  mkdirSync(paths.plugins, { recursive: true })
  const features = composeFeatures(base)
  await features.open()
  onTestFinished(async () => void (await features.stop()))
  return handlersOf({ base, features, damage: [] } as unknown as DaemonParts, () => undefined)
}

/** These leave no record that could name anybody. Those that a device may call are in the log file with its name (`act`). */
const withoutRecord = [
  'acceptNote',
  'cleanup',
  'collectSessions',
  'doctor',
  'inspectBundle',
  'pairStart',
  'rebuild',
  'rejectNote',
  'setup',
  'stop',
  'take',
]

test('whoever acts is known to the handler of each route by which somebody does', async () => {
  const handlers: Partial<Record<string, unknown>> = await startHandlers()
  const acting = Object.entries<Card>(routes).filter(([, { method, scope }]) => method === 'POST' && scope !== 'read')
  const unasked: string[] = []
  for (const [name] of acting) {
    const handle = handlers[name] as ((asked: object) => unknown) | undefined
    if (handle === undefined) continue
    let isAsked = false
    const asked = {
      get actor() {
        isAsked = true
        return onPhone
      },
      // No card has read it: nothing is done, or nearly.
      input: {},
      params: {},
      signal: AbortSignal.abort(),
    }
    try {
      const answer = handle(asked)
      await (Object(answer)[Symbol.asyncIterator] === undefined ? answer : (answer as AsyncGenerator).next())
    } catch {
      // What it is asked for is not there.
    }
    if (!isAsked) unasked.push(name)
  }
  expect(acting.length).toBeGreaterThan(50)
  expect(unasked.toSorted()).toEqual(withoutRecord)
})
