import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { tempDir } from '../../../test/support/builders.ts'
import { processStartTime } from '../../base/util/process.ts'
import { waiterState } from './waiters.ts'

const agent = { pid: 4711, startTime: '12345' }
const alive = process.pid
const started = processStartTime(alive) ?? ''
/** No process has it: it is more than a kernel gives out. */
const dead = 4_194_305

describe('whether somebody listens to wake an agent', () => {
  const stateWith = (...names: string[]) => {
    const dir = tempDir()
    for (const name of names) writeFileSync(join(dir, name), '')
    const state = waiterState(dir, agent)
    rmSync(dir, { recursive: true })
    return state
  }

  test.each([
    ['a waiter that runs', [`4711.${alive}.${started}`], 'listens'],
    ['one of an older Rein, whose name does not say when it started', [`4711.${alive}`], 'listens'],
    ['a new one beside one that was killed', [`4711.${dead}.1`, `4711.${alive}.${started}`], 'listens'],
    ['one that was killed', [`4711.${dead}.1`], 'died'],
    ['one that was killed, and whose pid is another’s by now', [`4711.${alive}.1`], 'died'],
    ['one of another agent', [`4712.${alive}.${started}`], 'none'],
    ['none', [], 'none'],
  ])('%s', (_, names, state) => {
    expect(stateWith(...names)).toBe(state)
  })

  test('no directory, nobody', () => {
    expect(waiterState('/nowhere/at/all', agent)).toBe('none')
  })
})
