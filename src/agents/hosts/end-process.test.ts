import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, onTestFinished, test, vi } from 'vitest'
import { processStartTime } from '../../base/util/process.ts'
import { endProcess, watchProcess } from './end-process.ts'

const start = async (script: string) => {
  const child = spawn('/bin/sh', ['-c', script], { stdio: ['ignore', 'pipe', 'ignore'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  await once(child.stdout, 'data')
  const pid = child.pid ?? 0
  /** Node hears of it a little later than it can be seen. */
  const signal = once(child, 'exit').then(([, name]) => name as string)
  return { signal, ref: { pid, startTime: processStartTime(pid) ?? '' } }
}

const untilEnded = 'echo up; exec sleep 600'

test('ends a process that is asked', async () => {
  const { signal, ref } = await start(untilEnded)
  await endProcess(ref, 60_000)
  expect(await signal).toBe('SIGTERM')
})

test('kills one that does not listen', async () => {
  const { signal, ref } = await start(`trap '' TERM; ${untilEnded}`)
  await endProcess(ref, 10)
  expect(await signal).toBe('SIGKILL')
})

test('never signals another process that has got the same pid', async () => {
  const { ref } = await start(untilEnded)
  const kill = vi.spyOn(process, 'kill')
  onTestFinished(() => kill.mockRestore())
  await endProcess({ ...ref, startTime: `${Number(ref.startTime) - 1}` }, 10)
  expect(kill).not.toHaveBeenCalled()
  expect(processStartTime(ref.pid)).toBe(ref.startTime)
})

test('another process with the same pid is the end of the one that is watched', async () => {
  const { ref } = await start(untilEnded)
  await new Promise<void>((resolve) => watchProcess({ ...ref, startTime: '1' }, resolve))
  expect(processStartTime(ref.pid)).toBe(ref.startTime)
})
