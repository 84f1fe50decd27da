/** Which CLIs the suite runs with: the pinned ones, or the one that `npm run conformance -- --cli NAME@VERSION` installed. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import { detect } from '../../src/drivers/detect.ts'
import type { Installed } from '../../src/drivers/contract.ts'
import { type Cli, clis, cliNamed, driverOf, envOf, programOf, settle } from '../support/clis.ts'
import type { Subject } from './probe.ts'

const name = process.env['REIN_CONFORMANCE_CLI']
export const program = process.env['REIN_CONFORMANCE_PROGRAM']

export const chosen: readonly Cli[] = name === undefined ? clis : [cliNamed(name)]

export const programFor = (cli: Cli): string => program ?? programOf(cli)

const known = new Map<string, Promise<Installed | null>>()

/** Some CLIs write to their home even when they are only asked for their version. */
const versionHome = mkdtempSync(join(tmpdir(), 'rein-version-'))
afterAll(() => rmSync(versionHome, { recursive: true, force: true, maxRetries: 5 }))

export const installedOf = async (cli: Cli): Promise<Installed> => {
  const asked = known.get(cli.name) ?? detect(driverOf(cli), envOf(cli, versionHome, ''), programFor(cli))
  known.set(cli.name, asked)
  const installed = await asked
  if (installed === null) throw new Error(`${programFor(cli)} says no version.`)
  return installed
}

export const subjectOf = async (cli: Cli): Promise<Subject> => ({
  driver: driverOf(cli),
  installed: await installedOf(cli),
  settle: (home, url, cwd) => settle(cli, home, url, cwd),
  env: (home, url) => envOf(cli, home, url),
})
