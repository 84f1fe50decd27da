import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { deploy } from '../../src/features/deploy/deploy.ts'
import { readRegister } from '../../src/features/deploy/register.ts'
import { tempDir } from '../support/builders.ts'
import { type Env, repository, type Result, run } from './harness.ts'

/** What a user has in a file of settings. */
export const original = '{\n  // mine\n  "model": "x"\n}\n'

const killer = join(import.meta.dirname, 'fixtures/kill-at.cjs')

/** A process of its own that deploys one hook for each CLI that it is given. */
export const bundleInstaller = async (): Promise<string> => {
  const { bundleTs } = (await import(join(repository, 'scripts/load-ts.mjs'))) as {
    bundleTs: (source: string) => Promise<string>
  }
  return bundleTs('test/process/fixtures/installer.ts')
}

interface How {
  env?: Env
  through?: string[]
  file?: string
}

export interface InstallBox {
  state: string
  dir: string
  settings: string
  install: (clis: string[], how?: How) => Promise<Result>
  /** Takes everything away that is registered, in this process. */
  takeAway: () => Promise<unknown>
}

/** A file of settings, and a state directory in which nothing is registered. */
export const createInstallBox = (installer: string): InstallBox => {
  const [state, dir] = [tempDir(), tempDir()]
  const settings = join(dir, 'settings.json')
  writeFileSync(settings, original)
  return {
    state,
    dir,
    settings,
    install: (clis, { env = {}, through = [], file = settings } = {}) =>
      run([process.execPath, installer, state, file, ...clis], {
        env: { PATH: process.env['PATH'] ?? '', ...env },
        through,
      }),
    takeAway: () =>
      deploy({ state, dryRun: false }, ({ installations }) =>
        installations.map(({ driver, scope, project }) => ({
          owner: { driver, scope, project },
          installation: null,
          deployments: [],
        })),
      ),
  }
}

const names = (prefix: string, count: number): string[] => Array.from({ length: count }, (_, n) => `${prefix}${n}`)
const hooksIn = (text: string): string[] => [...text.matchAll(/rein-hook (\w+) Stop/g)].map(([, name = '']) => name)

/** Two installers make so many edits each, at once; returns how many are kept. */
export const countKept = async ({ state, settings, install, takeAway }: InstallBox, each: number): Promise<number> => {
  const [one, two] = [names('one', each), names('two', each)]
  const results = await Promise.all([install(one), install(two)])
  expect(results.map(({ code, stderr }) => ({ code, stderr }))).toEqual([
    { code: 0, stderr: '' },
    { code: 0, stderr: '' },
  ])
  const kept = hooksIn(readFileSync(settings, 'utf8'))
  expect(kept.toSorted()).toEqual([...one, ...two].toSorted())
  expect(readRegister(state).installations).toHaveLength(2 * each)
  await takeAway()
  expect(readFileSync(settings, 'utf8')).toBe(original)
  return kept.length
}

/** What an installer leaves that nobody kills. */
export const deployedBy = async (installer: string): Promise<string> => {
  const { settings, install } = createInstallBox(installer)
  await install(['claude'])
  return readFileSync(settings, 'utf8')
}

/** Kills an installer at its nth step; returns what it left behind, and whether it was done before. */
export const killInstaller = async (
  installer: string,
  step: number,
  deployed: string,
): Promise<{ left: string; isDone: boolean }> => {
  const { settings, install, takeAway } = createInstallBox(installer)
  const env = { KILL_AT: String(step), NODE_OPTIONS: `--require=${killer}` }
  const isDone = (await install(['claude'], { env })).code === 0
  const left = readFileSync(settings, 'utf8')
  expect([original, deployed]).toContain(left)
  expect(await install(['claude'])).toMatchObject({ code: 0, stdout: expect.stringMatching(/^(un)?changed/) })
  expect(readFileSync(settings, 'utf8')).toBe(deployed)
  await takeAway()
  expect(readFileSync(settings, 'utf8')).toBe(original)
  return { left, isDone }
}
