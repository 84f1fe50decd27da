import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import manifest from '../../package.json' with { type: 'json' }
import { clis } from '../../test/support/clis.ts'
import type { Capability } from './contract.ts'
import { driversPage } from './docs.ts'
import { drivers } from './registry.ts'

const written = readFileSync(new URL('../../docs/drivers.md', import.meta.url), 'utf8')
const packages: Record<string, string> = manifest.devDependencies
const pinned = Object.fromEntries(clis.map((cli) => [cli.name, packages[cli.package] ?? '']))
const page = driversPage(written, pinned)

const cellsOf = (capability: string): string[] =>
  page
    .split('\n')
    .find((line) => line.startsWith(`| \`${capability}\`: `))
    ?.split(' | ')
    .slice(1)
    .map((cell) => cell.replace(/ \|$/, '')) ?? []

test('docs/drivers.md is what the drivers say about themselves', () => {
  expect(written).toBe(page)
})

test('only the part between the marks is made anew', () => {
  const stale = page.replace(/^\| `deny`: .*$/m, '| old |')
  expect(stale).not.toBe(page)
  expect(driversPage(`By hand.\n${stale}\nBy hand.`, pinned)).toBe(`By hand.\n${page}\nBy hand.`)
})

test('a page without the marks is refused', () => {
  expect(() => driversPage('# Drivers', pinned)).toThrow('docs/drivers.md has no line')
})

test.each(drivers)('$name: each cell is what the driver claims for both hosts', (driver) => {
  const version = pinned[driver.name] ?? ''
  const [stream, tmux] = [driver.capabilities(version, 'stream'), driver.capabilities(version, 'tmux')]
  const hostsOf: Record<string, boolean[]> = {
    yes: [true, true],
    'stream only': [true, false],
    'tmux only': [false, true],
    no: [false, false],
  }
  const shown = (name: string) => [name, hostsOf[cellsOf(name)[drivers.indexOf(driver)] ?? '']]
  const claimed = (name: Capability) => [name, [stream[name], tmux[name]]]
  const names = Object.keys(stream) as Capability[]
  expect(names.map(shown)).toEqual(names.map(claimed))
})

test.each(drivers)('$name: what it cannot do has a reason, and the page gives it', (driver) => {
  const version = pinned[driver.name] ?? ''
  for (const host of ['stream', 'tmux'] as const) {
    const reasons = driver.reasons(version, host)
    const lacking = Object.entries(driver.capabilities(version, host)).filter(([, able]) => !able)
    for (const [name] of lacking) expect(page).toContain(`: ${reasons[name as Capability]}\n`)
  }
})
