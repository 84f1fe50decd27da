/** What a person does who wants Rein in the conversations they start by hand. */
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { envOf } from '../support/clis.ts'
import type { TestRein } from '../e2e/harness.ts'

const run = promisify(execFile)

/** `rein setup` or `rein cleanup` in the project of a test, for its CLI. */
export const deploy = ({ cli, home, sim, cwd, daemonEnv }: TestRein, ...args: string[]) =>
  run(process.execPath, [join(import.meta.dirname, '../../bin/rein.cjs'), ...args, '--driver', cli.name], {
    cwd,
    env: { ...envOf(cli, home, sim.url), REIN_HOME: daemonEnv['REIN_HOME'] ?? '', ...pathOf(daemonEnv) },
  })

const pathOf = (env: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(env).filter(([name]) => name.endsWith('_PATH')))
