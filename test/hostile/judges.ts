import { readFileSync } from 'node:fs'
import path from 'node:path'
import { loadRules } from '../../src/features/rules/load.ts'
import type { RuleSource } from '../../src/features/rules/types.ts'
import { builtIn, judgeShell } from '../support/judge-shell.ts'
import { usualEntries } from '../support/rules-world.ts'
import { openDeadGuard } from './dead-guard.ts'

const PLACES = { cwd: '/home/ada/app', root: '/home/ada/app', home: '/home/ada' }

/** Says which rule stops a line; null if none does. */
export type Stops = (line: string) => Promise<string | null>

export interface Judges {
  readonly states: Readonly<Record<string, Stops>>
  close(): Promise<void>
}

const packOf = (name: string): RuleSource => {
  const file = path.join(import.meta.dirname, `../../src/features/rules/packs/${name}.yaml`)
  return { origin: 'pack', file, text: readFileSync(file, 'utf8'), isTrusted: true }
}

/** As a daemon judges, and as the guard does that finds none. */
export const openJudges = async ({ isDeadToo }: { isDeadToo: boolean }): Promise<Judges> => {
  const pack = packOf('safe-shell')
  const set = await loadRules([builtIn, pack])
  if (set.problems.length > 0) throw new Error(JSON.stringify(set.problems, null, 2))
  const alive: Stops = async (line) => {
    const findings = await judgeShell(set, line, PLACES, usualEntries(PLACES.root))
    const stop = findings.find(({ action }) => action === 'block' || action === 'ask')
    return stop === undefined ? null : `${stop.rule.rule.name}${stop.isDoubt ? ' in doubt' : ''}`
  }
  if (!isDeadToo) return { states: { alive }, close: () => Promise.resolve() }
  const guard = await openDeadGuard(pack)
  return { states: { alive, dead: (line) => guard.says(line) }, close: () => Promise.resolve(guard.close()) }
}
