import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { createBox } from './harness.ts'

test('a project is found again after its first commit, its first remote and a restart of the daemon', async () => {
  const box = createBox()
  const git = (...args: string[]): void =>
    void execFileSync('git', ['-C', box.cwd, '-c', 'user.name=dev', '-c', 'user.email=dev@example.org', ...args], {
      stdio: 'ignore',
    })
  const said = async (...args: string[]): Promise<string> => (await box.rein(args)).stdout
  const inView = async (): Promise<string[]> => [
    await said('memory', 'history'),
    await said('ps', '--all', '--json'),
    await said('chat', 'list'),
    await said('task', 'list', '--json'),
  ]
  git('init')
  await box.rein(['memory', 'ingest'], { stdin: '{"command":"make world","exit":0}' })
  await box.stoppedAgent('solo')
  await box.rein(['chat', 'create', 'lobby'])
  await box.rein(['task', 'new', 'wt'])
  const before = await inView()
  expect(before.join()).toMatch(/make world.*solo.*lobby.*wt/s)
  git('commit', '--allow-empty', '-m', 'first')
  await box.rein(['daemon', 'stop'])
  expect(await inView()).toEqual(before)
  git('remote', 'add', 'origin', 'https://github.com/acme/shop.git')
  await box.rein(['daemon', 'stop'])
  expect(await inView()).toEqual(before)
})
