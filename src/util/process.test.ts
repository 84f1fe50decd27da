import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { failLooks } from '../../test/failing-looks.ts'
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

const own = processStartTime(process.pid) ?? ''

test.each(['EMFILE', 'ENFILE', 'ENOMEM', 'EACCES', 'EIO', 'EAGAIN'])('%s says nothing about a process', (code) => {
  failLooks(code)
  expect(presenceOf(process.pid, own)).toBe('unknown')
  expect([isSameProcess(process.pid, own), isGone(process.pid, own)]).toEqual([false, false])
  expect(startTimeIfTold(process.pid)).toBeNull()
  expect(hasLostTerminal(process.pid)).toBe(false)
  expect(() => processStartTime(process.pid)).toThrow(code)
  expect(() => parentPid(process.pid)).toThrow(code)
})

test.each(['ENOENT', 'ESRCH'])('%s says that it is gone', (code) => {
  failLooks(code)
  expect(presenceOf(process.pid, own)).toBe('gone')
  expect(processStartTime(process.pid)).toBeNull()
})

test('the same process is there; another one with its pid is not', () => {
  expect([presenceOf(process.pid, own), presenceOf(process.pid, null)]).toEqual(['there', 'there'])
  expect(presenceOf(process.pid, '1')).toBe('gone')
  expect(presenceOf(spawnSync('true').pid, null)).toBe('gone')
})

test('who has just started a process waits until its start can be told', async () => {
  const recover = failLooks('EMFILE')
  const asked = awaitStartTime(process.pid)
  recover()
  expect(await asked).toBe(own)
})
