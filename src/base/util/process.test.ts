import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { failLooks } from '../../../test/support/failing-looks.ts'
import {
  ancestorsIn,
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

test('a table of processes shows what each runs: another word is a script only if a runtime runs it', () => {
  const table = `    1     0 /sbin/launchd
  200     1 -zsh
  300   200 /usr/local/bin/node --no-warnings /opt/claude-code/cli.js --print
  400   300 vim CLAUDE.md
  500     1 other claude
`
  expect(ancestorsIn(table, 400)).toEqual([
    { pid: 400, programs: ['vim'] },
    { pid: 300, programs: ['/usr/local/bin/node', '/opt/claude-code/cli.js'] },
    { pid: 200, programs: ['-zsh'] },
  ])
  expect(ancestorsIn(table, 600)).toEqual([])
})
