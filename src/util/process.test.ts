import { spawnSync } from 'node:child_process'
import type * as fs from 'node:fs'
import { expect, onTestFinished, test, vi } from 'vitest'
import {
  awaitStartTime,
  hasLostTerminal,
  isGone,
  isSameProcess,
  parentPid,
  presenceOf,
  processStartTime,
  startTimeIfTold,
} from './process.ts'

const trouble = vi.hoisted(() => ({ code: null as string | null }))

vi.mock('node:fs', async (original) => {
  const real = await original<typeof fs>()
  const readFileSync = (...args: Parameters<typeof fs.readFileSync>) => {
    if (trouble.code === null || !String(args[0]).startsWith('/proc/')) return real.readFileSync(...args)
    throw Object.assign(new Error(`${trouble.code}: ${String(args[0])}`), { code: trouble.code })
  }
  return { ...real, readFileSync }
})

const failWith = (code: string): void => {
  trouble.code = code
  onTestFinished(() => void (trouble.code = null))
}

const own = processStartTime(process.pid) ?? ''

test.each(['EMFILE', 'ENFILE', 'ENOMEM', 'EACCES', 'EIO', 'EAGAIN'])('%s says nothing about a process', (code) => {
  failWith(code)
  expect(presenceOf(process.pid, own)).toBe('unknown')
  expect([isSameProcess(process.pid, own), isGone(process.pid, own)]).toEqual([false, false])
  expect(startTimeIfTold(process.pid)).toBeNull()
  expect(hasLostTerminal(process.pid)).toBe(false)
  expect(() => processStartTime(process.pid)).toThrow(code)
  expect(() => parentPid(process.pid)).toThrow(code)
})

test.each(['ENOENT', 'ESRCH'])('%s says that it is gone', (code) => {
  failWith(code)
  expect(presenceOf(process.pid, own)).toBe('gone')
  expect(processStartTime(process.pid)).toBeNull()
})

test('the same process is there; another one with its pid is not', () => {
  expect([presenceOf(process.pid, own), presenceOf(process.pid, null)]).toEqual(['there', 'there'])
  expect(presenceOf(process.pid, '1')).toBe('gone')
  expect(presenceOf(spawnSync('true').pid, null)).toBe('gone')
})

test('who has just started a process waits until its start can be told', async () => {
  failWith('EMFILE')
  const asked = awaitStartTime(process.pid)
  trouble.code = null
  expect(await asked).toBe(own)
})
