import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { describe, expect, onTestFinished, test } from 'vitest'
import { processStartTime } from '../../src/base/util/process.ts'
import { doublesAmong } from '../soak/processes.ts'

describe('an agent is doubled', () => {
  const start = async (script: string) => {
    const child = spawn('/bin/sh', ['-c', script], { stdio: ['ignore', 'pipe', 'ignore'] })
    onTestFinished(() => void child.kill('SIGKILL'))
    const [said] = (await once(child.stdout, 'data')) as [Buffer]
    return [child.pid ?? 0, Number(said)].map(asCli)
  }
  const asCli = (pid: number) => ({
    pid,
    startTime: processStartTime(pid) ?? '',
    command: 'claude',
    agent: 'agt_1',
    isCli: true,
  })
  const parentAndChild = 'sleep 600 & echo $!; trap "kill $!" TERM EXIT; wait'

  test('by a second process, not by a child of its own', async () => {
    const [parent, child] = await start(parentAndChild)
    const [other] = await start(parentAndChild)
    if (parent === undefined || child === undefined || other === undefined) throw new Error('Nothing was started.')
    expect(doublesAmong([parent, child])).toEqual([])
    expect(doublesAmong([parent, child, other])).toEqual([[parent, other]])
    expect(doublesAmong([parent, { ...other, agent: 'agt_2' }])).toEqual([])
    expect(doublesAmong([parent, { ...other, isCli: false }])).toEqual([])
  })

  test('not by a process that has ended meanwhile', async () => {
    const [parent] = await start(parentAndChild)
    if (parent === undefined) throw new Error('Nothing was started.')
    expect(doublesAmong([parent, { ...parent, pid: 1, startTime: 'another' }])).toEqual([])
  })
})
