import { beforeEach, describe, expect, test } from 'vitest'
import { type ErrorCode, ReinError } from '../contract/errors.ts'
import { PathError } from '../base/util/paths.ts'
import { report } from './exit.ts'
import { createOutput } from './output.ts'

let printed = { stdout: '', stderr: '' }
const sink = (name: 'stdout' | 'stderr') => ({ write: (text: string) => (printed[name] += text) })
const out = createOutput({ stdout: sink('stdout'), stderr: sink('stderr') }, {})

beforeEach(() => {
  printed = { stdout: '', stderr: '' }
})

describe('report', () => {
  test.each<[ErrorCode, number]>([
    ['failed', 1],
    ['empty_text', 2],
    ['unknown_agent', 3],
    ['not_in_time', 4],
    ['inbox_full', 5],
    ['storage_full', 6],
  ])('%s exits with %i', (code, exitCode) => {
    expect(report(out, new ReinError(code, 'why'), false)).toBe(exitCode)
  })

  test('people read message and hint on stderr', () => {
    report(out, new ReinError('refused', 'what happened', 'what to do'), false)
    expect(printed).toEqual({ stdout: '', stderr: 'rein: what happened\n      what to do\n' })
    report(out, new ReinError('usage', 'x', 'one\ntwo'), false)
    expect(printed.stderr).toContain('rein: x\n      one\n      two\n')
  })

  test('people read short ids, programs whole ones', () => {
    const id = 'dir_01a1e8c4-502d-7521-bd1a-cbe1c21d0a7b'
    report(out, new ReinError('already_closed', `${id} is acked already.`, `See rein receipt ${id}`), false)
    expect(printed.stderr).toBe('rein: dir_c21d0a7b is acked already.\n      See rein receipt dir_c21d0a7b\n')
    report(out, new ReinError('already_closed', `${id} is acked already.`), true)
    expect(printed.stdout).toContain(`${id} is acked already.`)
  })

  test('programs read an object on stdout', () => {
    report(out, new ReinError('refused', 'what happened'), true)
    expect(printed.stderr).toBe('')
    expect(JSON.parse(printed.stdout)).toEqual({ error: { code: 'refused', message: 'what happened' } })
  })

  test('an unusable path is for the user to change; what nobody foresaw is a failure', () => {
    expect(report(out, new PathError('path_not_absolute', 'REIN_HOME must be', 'Set it'), false)).toBe(2)
    expect(report(out, new TypeError('x is undefined'), false)).toBe(1)
  })
})

test('colours only on a terminal that wants them', () => {
  const isColoured = (isTTY: boolean, env: Record<string, string>): boolean =>
    createOutput({ stdout: { ...sink('stdout'), isTTY }, stderr: sink('stderr') }, env).style.red('x') !== 'x'
  expect([
    isColoured(true, {}),
    isColoured(false, {}),
    isColoured(true, { NO_COLOR: '1' }),
    isColoured(true, { TERM: 'dumb' }),
  ]).toEqual([true, false, false, false])
})

test('output of an agent’s own commands is for an agent', () => {
  const isAgent = (env: Record<string, string>): boolean =>
    createOutput({ stdout: sink('stdout'), stderr: sink('stderr') }, env).isAgent
  expect([isAgent({ REIN_TOKEN: 'x' }), isAgent({ REIN_AGENT: 'agent_1' }), isAgent({ REIN_TOKEN: '' })]).toEqual([
    true,
    true,
    false,
  ])
})
