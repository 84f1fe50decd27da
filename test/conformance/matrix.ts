/** The capabilities of one version of a CLI as a Markdown table. */
import type { Capability } from '../../src/drivers/contract.ts'
import { type Cli, driverOf } from '../clis.ts'

export const matrix = (cli: Cli, version: string): string => {
  const driver = driverOf(cli)
  const columns = driver.hosts.map((host) => driver.capabilities(version, host))
  const names = Object.keys(columns[0] ?? {}) as Capability[]
  const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`
  return [
    `### ${driver.title} ${version}`,
    '',
    row(['Capability', ...driver.hosts]),
    row(['---', ...driver.hosts.map(() => '---')]),
    ...names.map((name) => row([name, ...columns.map((can) => (can[name] ? 'yes' : 'no'))])),
  ].join('\n')
}
