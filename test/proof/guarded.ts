/** A project with one guard rule, for the tests of what a guard keeps from running. */
import { existsSync, mkdirSync, readFileSync, watch, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { TestRein } from '../e2e/harness.ts'

export const guardRule = 'not-forbidden'

// The message names the rule, because a guard on a busy machine may deny without the daemon, and then names it too.
const rules = `version: 1
rules:
  - name: ${guardRule}
    on: shell
    guard: true
    when: { shell: { program: touch, args: 'forbidden*' } }
    message: The rule ${guardRule} denies files with this name.
`

export const addGuard = ({ cwd }: TestRein): void => {
  mkdirSync(join(cwd, '.rein/rules'), { recursive: true })
  writeFileSync(join(cwd, '.rein/rules/rules.yaml'), rules)
}

/** Resolves when the guard file holds the rule: from then on the rule binds without a daemon. */
export const guardCompiled = async ({ paths: { guards } }: TestRein): Promise<void> => {
  const holdsRule = (): boolean => existsSync(guards) && readFileSync(guards, 'utf8').includes(guardRule)
  await new Promise<void>((resolve) => {
    const watcher = watch(dirname(guards), () => {
      if (holdsRule()) resolve()
    })
    onTestFinished(() => watcher.close())
    if (holdsRule()) resolve()
  })
}

/** Which of these files of the project exist. */
export const filesThere = ({ cwd }: TestRein, ...names: string[]): string[] =>
  names.filter((name) => existsSync(join(cwd, name)))
